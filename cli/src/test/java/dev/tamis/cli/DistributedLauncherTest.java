package dev.tamis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The launcher of a distribution, with a Java that prints how it was called and dumps a byte. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs a POSIX shell")
class DistributedLauncherTest {

  @TempDir private Path folder;
  private Path app;
  private Path home;

  @BeforeEach
  void unpack() throws IOException {
    folder = folder.toRealPath();
    app = Files.createDirectories(folder.resolve("root/share/tamis"));
    home = Files.createDirectory(folder.resolve("home"));
    Path launcher = RunTimeJars.repository().resolve("dist/src/main/launcher");
    Path bin = Files.createDirectories(folder.resolve("root/bin"));
    Files.copy(launcher.resolve("tamis"), bin.resolve("tamis"));
    Files.copy(launcher.resolve("launch.sh"), app.resolve("launch.sh"));
    Files.createFile(Files.createDirectory(app.resolve("lib")).resolve("a.jar"));
    LauncherTest.makeAJava(folder.resolve("java"), "17.0.1");
  }

  @Test
  void aJavaWithoutACompilerIsEnough() throws Exception {
    assertThat(run(Map.of()))
        .endsWith("<-cp>\n<" + app.resolve("lib/a.jar") + ">\n<dev.tamis.cli.Main>\n<--version>\n");
  }

  @Test
  void anOlderJavaIsRefused() throws Exception {
    LauncherTest.makeAJava(folder.resolve("java"), "1.8.0_392");
    String out = run(Map.of("PATH", "/nowhere"));
    // Another Java may lie in one of the usual places.
    if (!out.contains("dev.tamis.cli.Main")) {
      assertThat(out).isEqualTo("tamis: needs a Java 17 or later, but JAVA_HOME is a Java 8\n");
    }
  }

  @Test
  void theArchiveLiesBesideTheJars() throws Exception {
    String first = run(Map.of());
    List<Path> made = files(app.resolve("cds"));
    assertThat(made).hasSize(1);
    assertThat(first).contains("<-XX:SharedArchiveFile=" + made.get(0) + ">");
    assertThat(run(Map.of())).isEqualTo(first);
    assertThat(files(app.resolve("cds"))).isEqualTo(made);
  }

  @Test
  void otherJarsHaveAnotherArchive() throws Exception {
    run(Map.of());
    Files.writeString(app.resolve("build-id"), "0f\n");
    run(Map.of());
    assertThat(files(app.resolve("cds"))).hasSize(2).anyMatch(file -> named(file).contains("-0f-"));
  }

  @Test
  void whereTheJarsCannotBeWrittenItLiesInTheCacheOfTheUserAlone() throws Exception {
    makeUnwritable();
    String out = run(Map.of());
    Path cache = home.resolve(".cache/tamis");
    assertThat(files(cache)).hasSize(1);
    assertThat(out).contains("<-XX:SharedArchiveFile=" + files(cache).get(0) + ">");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cache)))
        .isEqualTo("rwx------");
  }

  @Test
  void aLinkInTheCacheIsNotFollowed() throws Exception {
    makeUnwritable();
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Files.createDirectory(home.resolve(".cache"));
    Files.createSymbolicLink(home.resolve(".cache/tamis"), elsewhere);
    assertThat(run(Map.of())).doesNotContain("SharedArchiveFile").contains("dev.tamis.cli.Main");
    assertThat(files(elsewhere)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "share/tamis/cds, rwxrwxrwx",
    ".cache, rwxrwxrwx",
    ".cache/tamis, rwxrwxrwx",
    ".cache/tamis, rwx-w----",
  })
  void aFolderThatOthersCanWriteInIsIgnoredWithALine(String name, String mode) throws Exception {
    boolean isUsers = name.startsWith(".");
    if (isUsers) {
      makeUnwritable();
    }
    Path open = (isUsers ? home : folder.resolve("root")).resolve(name);
    Files.createDirectories(open);
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString(mode));
    String out = run(Map.of());
    assertThat(out)
        .startsWith(
            "tamis: ignoring " + open + ", in which others may write; empty it, then chmod go-w it")
        .doesNotContain("SharedArchiveFile=" + open);
    assertThat(files(open)).noneMatch(Files::isRegularFile);
    assertThat(out.contains("SharedArchiveFile=" + home)).isEqualTo(!isUsers);
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(run(Map.of())).contains("SharedArchiveFile=" + open).doesNotContain("ignoring");
  }

  /** Such as /tmp, in which others may have made the folder. */
  @Test
  void aCacheThatIsNotTheUsersIsNotUsed() throws Exception {
    makeUnwritable();
    Object owner = Files.getAttribute(Path.of("/"), "unix:uid");
    Object self = Files.getAttribute(home, "unix:uid");
    if (owner.equals(self)) {
      Files.setAttribute(home, "unix:uid", 1);
      assertThat(run(Map.of())).doesNotContain("SharedArchiveFile").contains("dev.tamis.cli.Main");
      assertThat(files(home)).isEmpty();
    } else {
      assertThat(run(Map.of("XDG_CACHE_HOME", "/"))).doesNotContain("SharedArchiveFile");
    }
    assertThat(run(Map.of("HOME", ""))).doesNotContain("SharedArchiveFile");
    assertThat(run(Map.of("XDG_CACHE_HOME", "relative"))).doesNotContain("SharedArchiveFile");
  }

  @Test
  void aRuntimeOfItsOwnGoesBeforeEveryOther() throws Exception {
    LauncherTest.makeAJava(app.resolve("runtime"), "17.0.1");
    Files.delete(app.resolve("lib/a.jar"));
    assertThat(run(Map.of("CLASSPATH", "evil.jar")))
        .endsWith("\n<dev.tamis.cli.Main>\n<--version>\n")
        .contains("<-Djdk.serialFilter=!*>")
        .doesNotContain("<-cp>");
    assertThat(files(app.resolve("cds"))).hasSize(1);
  }

  /** Decided by the script, because a JVM of 17 cannot ask: on a pseudo terminal, in four ways. */
  @ParameterizedTest
  @CsvSource({
    "'', true, true",
    "2>err, true, false",
    "|cat, false, true",
    "2>err|cat, false, false"
  })
  void theCommandIsToldWhichOfItsStreamsAreATerminal(String redirected, boolean out, boolean err)
      throws Exception {
    Pty.assumeOne();
    String said = run(Map.of(), "script", "-qec", "sh root/bin/tamis " + redirected, "/dev/null");
    assertThat(said).contains("<dev.tamis.cli.Main>");
    assertThat(said.contains("<-Dtamis.stdout.tty=true>")).isEqualTo(out);
    assertThat(said.contains("<-Dtamis.stderr.tty=true>")).isEqualTo(err);
  }

  private void makeUnwritable() throws IOException {
    // A link to nowhere, because a superuser may write wherever there is something.
    Files.createSymbolicLink(app.resolve("cds"), folder.resolve("nowhere/cds"));
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  private static String named(Path file) {
    return file.getFileName().toString();
  }

  private String run(Map<String, String> environment) throws IOException, InterruptedException {
    return run(environment, "/bin/sh", folder.resolve("root/bin/tamis").toString(), "--version");
  }

  private String run(Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    Map<String, String> all = new HashMap<>(Map.of("HOME", home.toString()));
    all.putAll(environment);
    return LauncherTest.run(folder, folder.resolve("java"), all, command).out();
  }
}
