package dev.tamis.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each archive and package, unpacked where neither Maven nor a JDK is, below a folder whose name
 * has spaces, does the main job.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "needs the GNU commands of Linux")
class DistributionIT {

  private static final String VERSION = System.getProperty("tamis.version");
  private static final Path BUILT = Path.of(System.getProperty("tamis.dist"));
  private static final Path REPOSITORY = Trial.repository();
  private static final Path LINKS = REPOSITORY.resolve("examples/links.txt");

  @TempDir private static Path shared;
  private static Path jre;

  @TempDir private Path temporary;
  private Path folder;
  private Trial trial;

  @BeforeAll
  static void linkAJre() throws Exception {
    jre = shared.resolve("jre");
    Path jlink = Path.of(System.getProperty("java.home"), "bin", "jlink");
    String modules = "java.se,jdk.charsets,jdk.crypto.ec,jdk.httpserver,jdk.unsupported";
    Trial.requireSuccess(
        shared, Map.of(), jlink.toString(), "--add-modules", modules, "--output", jre.toString());
    assertThat(jre.resolve("bin/javac")).doesNotExist();
  }

  @BeforeEach
  void makeAPathOfTheBasicsAlone() throws IOException {
    folder = Files.createDirectory(temporary.resolve("a folder with spaces"));
    trial = new Trial(folder);
  }

  @Test
  void theArchiveRunsWithAJre() throws Exception {
    Path root = unpack("tamis-" + VERSION + ".tar.gz", "tamis-" + VERSION);
    Path tamis = root.resolve("bin/tamis");
    trial.doesTheMainJob(LINKS, Map.of("JAVA_HOME", jre.toString()), tamis.toString());
    trial.doesTheMainJob(
        LINKS, Map.of("PATH", trial.path() + ":" + jre.resolve("bin")), tamis.toString());
    requireOneArchive(root);
  }

  @Test
  void theArchiveWithARuntimeNeedsNoJava() throws Exception {
    Path root = unpack("tamis-" + VERSION + "-linux-x64.tar.gz", "tamis-" + VERSION + "-linux-x64");
    String tamis = root.resolve("bin/tamis").toString();
    trial.doesTheMainJob(LINKS, Map.of(), tamis);
    trial.doesTheMainJob(LINKS, Map.of("JAVA_HOME", "/nowhere", "CLASSPATH", "evil.jar"), tamis);
    trial.readsBlockLists(tamis);
    requireOneArchive(root);
  }

  @Test
  void theOneJarRuns() throws Exception {
    String java = jre.resolve("bin/java").toString();
    String jar =
        Files.copy(BUILT.resolve("tamis-" + VERSION + ".jar"), folder.resolve("tamis.jar"))
            .toString();
    trial.doesTheMainJob(LINKS, Map.of(), java, "-jar", jar);
    trial.readsBlockLists(java, "-jar", jar);
  }

  @Test
  void theDebianPackageInstallsRunsAndGoes() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/dpkg")), "dpkg is not installed");
    Path root = temporary.resolve("root"); // dpkg's scripts take it as one of the system
    Path database = Files.createDirectories(root.resolve("var/lib/dpkg"));
    for (String part : List.of("info", "updates", "triggers")) {
      Files.createDirectory(database.resolve(part));
    }
    Files.createFile(database.resolve("status"));
    Path debian = BUILT.resolve("tamis_" + VERSION + "_all.deb");
    assertThat(Trial.requireSuccess(folder, Map.of(), "dpkg-deb", "-f", debian.toString()))
        .contains("Depends: default-jre-headless (>= 2:1.17) | java17-runtime-headless");

    Trial.requireSuccess(folder, Map.of(), dpkg(root, "-i", debian.toString()));
    String tamis = root.resolve("usr/bin/tamis").toString();
    trial.doesTheMainJob(LINKS, Map.of("JAVA_HOME", jre.toString()), tamis);
    assertThat(root.resolve("usr/share/doc/tamis/copyright")).isNotEmptyFile();
    assertThat(names(root.resolve("var/cache/tamis"))).isNotEmpty();

    Trial.requireSuccess(folder, Map.of(), dpkg(root, "-P", "tamis"));
    assertThat(root.resolve("usr/share/tamis")).doesNotExist();
    assertThat(root.resolve("var/cache/tamis")).doesNotExist();
  }

  @Test
  void theJarsAreThoseApprovedAndTheirLicencesAreStated() throws Exception {
    Path approved = REPOSITORY.resolve("cli/src/test/resources/dev/tamis/cli/approved-jars.txt");
    Path root = unpack("tamis-" + VERSION + ".tar.gz", "tamis-" + VERSION);
    String stated = Files.readString(root.resolve("share/doc/tamis/third-party.txt"));
    TreeSet<String> expected = new TreeSet<>();
    for (String line : Files.readAllLines(approved)) {
      String[] columns = line.split(" \\| ", -1);
      if (columns.length == 5 && List.of(columns[3].split(" ", -1)).contains("cli")) {
        expected.add(columns[0].replaceAll(".*:", "") + "-" + columns[1] + ".jar");
        assertThat(stated).contains(columns[0]);
      }
    }
    assertThat(names(root.resolve("share/tamis/lib")))
        .filteredOn(name -> !name.startsWith("tamis-"))
        .containsExactlyElementsOf(expected);
  }

  @Test
  void theCommandFileForWindowsRunsTheSameClassWithTheSameJars() throws Exception {
    Path root = unpack("tamis-" + VERSION + ".tar.gz", "tamis-" + VERSION);
    String text = Files.readString(root.resolve("bin/tamis.cmd"));
    assertThat(text.replace("\r\n", "")).doesNotContain("\n");
    assertThat(text)
        .contains("-cp \"%~dp0..\\share\\tamis\\lib\\*\" dev.tamis.cli.Main %*")
        .contains("-Djdk.serialFilter=!*")
        .contains("%TAMIS_JAVA_OPTS%");
  }

  @Test
  void manualPagesAndCompletionsAreWhereTheyAreLookedFor() throws Exception {
    Path root = unpack("tamis-" + VERSION + ".tar.gz", "tamis-" + VERSION);
    assertThat(names(root.resolve("share/man/man1"))).contains("tamis.1", "tamis-dedup.1");
    Path bash = root.resolve("share/bash-completion/completions/tamis");
    Trial.requireSuccess(folder, Map.of(), "bash", "-n", bash.toString());
    assertThat(root.resolve("share/zsh/site-functions/_tamis")).isNotEmptyFile();
    assertThat(root.resolve("share/fish/vendor_completions.d/tamis.fish")).isNotEmptyFile();
    Path debian = folder.resolve("deb");
    Trial.requireSuccess(
        folder,
        Map.of(),
        "dpkg-deb",
        "-x",
        BUILT.resolve("tamis_" + VERSION + "_all.deb").toString(),
        debian.toString());
    assertThat(debian.resolve("usr/share/man/man1/tamis.1.gz")).isNotEmptyFile();
    assertThat(debian.resolve("usr/share/bash-completion/completions/tamis")).isNotEmptyFile();
    assertThat(debian.resolve("usr/share/zsh/vendor-completions/_tamis")).isNotEmptyFile();
  }

  private static void requireOneArchive(Path root) throws IOException {
    assertThat(names(root.resolve("share/tamis/cds")))
        .as("one archive, of the one Java, that is no longer empty")
        .hasSize(1)
        .allMatch(name -> root.resolve("share/tamis/cds/" + name).toFile().length() > 1 << 20);
  }

  private Path unpack(String archive, String root) throws Exception {
    Path file = BUILT.resolve(archive);
    Trial.requireSuccess(folder, Map.of(), "tar", "xzf", file.toString());
    return folder.resolve(root);
  }

  /** Returns a command that works below {@code root} and leaves the machine alone. */
  private static String[] dpkg(Path root, String... arguments) {
    String force = "--force-script-chrootless,depends,not-root,bad-path";
    return Stream.concat(
            Stream.of("dpkg", "--root=" + root, force, "--log=" + root + "/log"),
            Stream.of(arguments))
        .toArray(String[]::new);
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
