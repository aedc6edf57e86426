package dev.tamis.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The launcher in a checkout that is built, with a JDK that prints how it was called. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs a POSIX shell")
class LauncherTest {

  private static final List<String> JARS = List.of("a.jar", "b.jar");

  @TempDir private Path home;
  private Path jdk;

  @BeforeEach
  void makeAJdk() throws IOException {
    home = home.toRealPath();
    jdk = Files.createDirectories(home.resolve("jdk"));
    makeAJava(jdk, "17.0.1");
    Files.copy(jdk.resolve("bin/java"), jdk.resolve("bin/javac"), COPY_ATTRIBUTES);
  }

  /** Makes a Java that prints how it is called, and dumps a byte in place of an archive. */
  static void makeAJava(Path java, String version) throws IOException {
    Files.createDirectories(java.resolve("bin"));
    Files.writeString(java.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    makeAProgram(
        java.resolve("bin/java"),
        """
        for a in "$@"; do
          case $a in
            -XX:SharedArchiveFile=*) case " $* " in
              *' -Xshare:dump '*) printf x >"${a#*=}" ;;
            esac ;;
          esac
          printf '%s\\n' "<$a>"
        done
        """);
  }

  private static void makeAProgram(Path file, String script) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + script);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  /** An empty entry of a class path is the working directory. */
  @ParameterizedTest
  @ValueSource(strings = {"a:b", ":a", "a:", "a::b", "sub:folder/a"})
  void aColonInThePathIsRefused(String name) throws Exception {
    Path checkout = checkout(name);
    Result result = run(home, Map.of(), checkout.resolve("tamis").toString(), "dedup");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.out())
        .isEqualTo(
            "tamis: cannot run in %s: Java's class path would end at the colon; move it\n",
            checkout);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plain",
        "with space",
        "*",
        "a*",
        "-cp",
        "--",
        "@file",
        "$HOME",
        "`x`",
        "a\\b",
        "'\"",
        "!x",
        "line\nend"
      })
  void theClassPathIsTheJarsOfTheCheckoutAndNothingElse(String name) throws Exception {
    Path checkout = checkout(name);
    requireClassPath(checkout, run(home, Map.of(), "./" + name + "/tamis", "dedup"));
    requireClassPath(checkout, run(checkout, Map.of(), "./tamis", "dedup"));
    requireClassPath(checkout, run(home, Map.of(), "/bin/sh", "--", name + "/tamis", "dedup"));
  }

  /** Command substitution cuts off line ends, which would leave the name of another folder. */
  @Test
  void aFolderWhoseNameEndsInALineEndIsNotTakenForItsNeighbour() throws Exception {
    checkout("a");
    Path checkout = checkout("a\n");
    requireClassPath(checkout, run(home, Map.of(), checkout.resolve("tamis").toString(), "dedup"));
  }

  @Test
  void linksToTheLauncherLeadToItsCheckout() throws Exception {
    Path checkout = checkout("real");
    Files.createSymbolicLink(home.resolve("link"), Path.of("real/tamis"));
    Path folder = Files.createDirectory(home.resolve("-n"));
    Files.createSymbolicLink(folder.resolve("-f"), Path.of("../link"));
    requireClassPath(checkout, run(home, Map.of(), "./link", "dedup"));
    requireClassPath(checkout, run(home, Map.of(), "/bin/sh", "--", "-n/-f", "dedup"));
    Path colon = Files.createDirectory(home.resolve("c:d"));
    Files.createSymbolicLink(colon.resolve("tamis"), checkout.resolve("tamis"));
    requireClassPath(checkout, run(home, Map.of(), "./c:d/tamis", "dedup"));
  }

  @Test
  void theEnvironmentAddsNothingToTheClassPath() throws Exception {
    Path checkout = checkout("real");
    requireClassPath(
        checkout,
        run(
            home,
            Map.of("CLASSPATH", ".:evil.jar", "CDPATH", "/:/tmp", "IFS", "/:", "ENV", "/nowhere"),
            "real/tamis",
            "dedup"));
  }

  @Test
  void noJavaObjectIsReadUnlessTheUserSaysSo() throws Exception {
    checkout("real");
    Map<String, String> options = Map.of("TAMIS_JAVA_OPTS", "-Djdk.serialFilter=x.*");
    assertThat(run(home, Map.of(), "real/tamis", "dedup").out())
        .contains("<-Djdk.serialFilter=!*>\n");
    assertThat(run(home, options, "real/tamis", "dedup").out())
        .containsSubsequence("<-Djdk.serialFilter=!*>\n", "<-Djdk.serialFilter=x.*>\n");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aBuildNamesEachModuleAndPrintsWhatFailed(int status) throws Exception {
    Path checkout = checkout("fresh");
    Files.delete(checkout.resolve("cli/target/launcher/stamp"));
    Path bin = Files.createDirectory(home.resolve("bin"));
    makeAProgram(
        bin.resolve("mvn"),
        """
        echo '[INFO] Building Tamis core 1.2     [1/2]'
        mkdir cli/target/launcher/lib
        : >cli/target/launcher/lib/a.jar
        : >cli/target/launcher/lib/b.jar
        echo '[INFO] Building jar: x'
        echo '[INFO] Building Tamis cli 1.2      [2/2]'
        printf 'no line end'
        exit %d
        """
            .replace("%d", Integer.toString(status)));
    Map<String, String> path = Map.of("PATH", bin + ":" + System.getenv("PATH"));
    Result result = run(home, path, "fresh/tamis", "dedup");
    assertThat(result.out())
        .startsWith(
            """
            tamis: building the command, once; with an empty Maven repository it takes minutes
            tamis: building Tamis core 1.2 (1/2)
            tamis: building Tamis cli 1.2 (2/2)
            """);
    if (status == 0) {
      requireClassPath(checkout, result);
      requireClassPath(checkout, run(home, Map.of("PATH", "/nowhere"), "fresh/tamis", "dedup"));
    } else {
      assertThat(result.exit()).isEqualTo(2);
      assertThat(result.out())
          .contains("\n[INFO] Building jar: x\n", "\nno line end\n")
          .endsWith("\ntamis: cannot build: Maven failed, see above\n");
    }
  }

  private static void requireClassPath(Path checkout, Result result) {
    String path = checkout.resolve("cli/target/launcher/lib") + "/";
    assertThat(result.exit()).as(result.out()).isZero();
    assertThat(result.out())
        .endsWith(
            "<-cp>\n<"
                + path
                + JARS.get(0)
                + ":"
                + path
                + JARS.get(1)
                + ">\n<dev.tamis.cli.Main>\n<dedup>\n");
  }

  /** Makes a folder with the launcher and what it takes for a build. */
  private Path checkout(String name) throws IOException {
    Path checkout = home.resolve(name);
    Path lib = Files.createDirectories(checkout.resolve("cli/target/launcher/lib"));
    Files.createFile(lib.resolveSibling("stamp"));
    for (String jar : JARS) {
      Files.createFile(lib.resolve(jar));
    }
    Path shared = Path.of("dist/src/main/launcher/launch.sh");
    Files.createDirectories(checkout.resolve(shared).getParent());
    Files.copy(RunTimeJars.repository().resolve(shared), checkout.resolve(shared));
    Files.copy(RunTimeJars.repository().resolve("tamis"), checkout.resolve("tamis"));
    assertThat(checkout.resolve("tamis").toFile().setExecutable(true)).isTrue();
    return checkout;
  }

  private Result run(Path folder, Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    return run(folder, jdk, environment, command);
  }

  /** Runs a launcher with this Java. */
  static Result run(Path folder, Path java, Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().keySet().removeAll(List.of("TAMIS_JAVA_OPTS", "XDG_CACHE_HOME"));
    builder.environment().put("JAVA_HOME", java.toString());
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Result(process.waitFor(), out);
  }

  /** The exit status of a run and what it printed. */
  record Result(int exit, String out) {}
}
