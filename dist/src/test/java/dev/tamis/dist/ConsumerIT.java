package dev.tamis.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A build of somebody else, with an empty local repository, that takes each module from the staging
 * directory, versions from the BOM, and everything else from what this build has downloaded.
 */
class ConsumerIT {

  private static final List<String> MODULES =
      List.of("core", "tools", "crawler", "blocklist", "redis", "spark", "flink", "cli");

  private static final Path REPOSITORY = Trial.repository();
  private static final Path PROGRAMS = REPOSITORY.resolve("dist/src/test/consumer");
  private static final String VERSION = System.getProperty("tamis.version");

  @TempDir private static Path folder;

  @BeforeAll
  static void build() throws Exception {
    Path settings = folder.resolve("settings.xml");
    Files.writeString(
        settings,
        String.format(
            Locale.ROOT,
            """
            <settings>
              <localRepository>%s</localRepository>
              <profiles>
                <profile>
                  <id>only</id>
                  <repositories>%s%s</repositories>
                  <pluginRepositories>%s</pluginRepositories>
                </profile>
              </profiles>
              <activeProfiles><activeProfile>only</activeProfile></activeProfiles>
            </settings>
            """,
            folder.resolve("local"),
            repository("repository", "staging", REPOSITORY.resolve("target/staging")),
            repository("repository", "central", downloaded()),
            repository("pluginRepository", "central", downloaded())));
    StringBuilder modules = new StringBuilder();
    for (String module : MODULES) {
      modules.append("<module>").append(module).append("</module>");
      Path user = Files.createDirectories(folder.resolve(module + "/src/main/java/user"));
      Files.copy(PROGRAMS.resolve(module + "/user/Use.java"), user.resolve("Use.java"));
      Files.writeString(
          folder.resolve(module + "/pom.xml"),
          String.format(
              Locale.ROOT,
              """
              <project>
                <modelVersion>4.0.0</modelVersion>
                <parent><groupId>user</groupId><artifactId>all</artifactId><version>1</version></parent>
                <artifactId>uses-%s</artifactId>
                <dependencies>
                  <dependency><groupId>dev.tamis</groupId><artifactId>tamis-%s</artifactId></dependency>
                </dependencies>
              </project>
              """,
              module,
              module));
    }
    // The plugins are those of this build, because others have not been downloaded.
    Files.writeString(
        folder.resolve("pom.xml"),
        String.format(
            Locale.ROOT,
            """
            <project>
              <modelVersion>4.0.0</modelVersion>
              <groupId>user</groupId><artifactId>all</artifactId><version>1</version>
              <packaging>pom</packaging>
              <modules>%s</modules>
              <properties>
                <maven.compiler.release>17</maven.compiler.release>
                <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
              </properties>
              <dependencyManagement>
                <dependencies>
                  <dependency>
                    <groupId>dev.tamis</groupId><artifactId>tamis-bom</artifactId><version>%s</version>
                    <type>pom</type><scope>import</scope>
                  </dependency>
                </dependencies>
              </dependencyManagement>
              <build>
                <plugins>
                  <plugin><artifactId>maven-resources-plugin</artifactId><version>3.5.0</version></plugin>
                  <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.16.0</version></plugin>
                  <plugin><artifactId>maven-dependency-plugin</artifactId><version>3.11.0</version></plugin>
                </plugins>
              </build>
            </project>
            """,
            modules,
            VERSION));
    Trial.requireSuccess(
        folder,
        Map.of("JAVA_HOME", System.getProperty("java.home"), "MAVEN_ARGS", "", "MAVEN_OPTS", ""),
        "mvn",
        "-B",
        "-q",
        "-gs",
        settings.toString(),
        "-s",
        settings.toString(),
        "compile",
        "dependency:copy-dependencies",
        "-DoutputDirectory=lib");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"core", "tools", "crawler", "blocklist", "redis", "spark", "flink", "cli"})
  void aProgramRunsOnTheClassPath(String module) throws Exception {
    String path = folder.resolve(module + "/target/classes") + ":" + lib(module) + "/*";
    assertThat(java("-cp", path, "user.Use")).endsWith("true false true\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"core", "tools", "crawler", "blocklist", "redis", "spark", "flink", "cli"})
  void aModuleCompilesAndRuns(String module) throws Exception {
    Path classes = folder.resolve(module + "/target/modular");
    Path program = PROGRAMS.resolve(module);
    Trial.requireSuccess(
        folder,
        Map.of(),
        Path.of(System.getProperty("java.home"), "bin", "javac").toString(),
        "-encoding",
        "UTF-8",
        "-d",
        classes.toString(),
        "-p",
        lib(module).toString(),
        program.resolve("module-info.java").toString(),
        program.resolve("user/Use.java").toString());
    // Modules without a descriptor require nothing, and their jars with one are not found unless
    // told.
    List<String> all =
        List.of("core", "tools", "redis", "spark", "flink").contains(module)
            ? List.of()
            : List.of("--add-modules", "ALL-MODULE-PATH");
    List<String> arguments = new ArrayList<>(all);
    arguments.addAll(List.of("-p", classes + ":" + lib(module), "-m", "user/user.Use"));
    assertThat(java(arguments.toArray(String[]::new))).endsWith("true false true\n");
  }

  /** Prints it, and compares it with what was approved for the module. */
  @Test
  void eachModulePullsInWhatWasApprovedForIt() throws IOException {
    List<String> approved =
        Files.readAllLines(
            REPOSITORY.resolve("cli/src/test/resources/dev/tamis/cli/approved-jars.txt"));
    for (String module : MODULES) {
      // the bridges bring what core brings, since their engines are provided
      String listed = List.of("spark", "flink").contains(module) ? "core" : module;
      TreeSet<String> expected = new TreeSet<>();
      for (String line : approved) {
        String[] columns = line.split(" \\| ", -1);
        if (columns.length == 5 && List.of(columns[3].split(" ", -1)).contains(listed)) {
          expected.add(columns[0].replaceAll(".*:", "") + "-" + columns[1] + ".jar");
        }
      }
      if (module.equals("redis")) {
        // It comes with the optional clients, but by two ways, and Maven's list does not say so
        // then.
        expected.removeIf(jar -> jar.startsWith("slf4j-api-"));
      }
      List<String> found = new ArrayList<>();
      long bytes = 0;
      try (Stream<Path> jars = Files.list(lib(module)).sorted()) {
        for (Path jar : jars.toList()) {
          found.add(jar.getFileName().toString());
          bytes += Files.size(jar);
        }
      }
      System.out.printf(
          Locale.ROOT, "tamis-%s: %d jars, %d kB: %s%n", module, found.size(), bytes / 1000, found);
      assertThat(found)
          .filteredOn(jar -> !jar.startsWith("tamis-"))
          .containsExactlyElementsOf(expected);
    }
  }

  private static Path lib(String module) {
    return folder.resolve(module + "/lib");
  }

  private static String java(String... arguments) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String[] command =
        Stream.concat(Stream.of(java, "-Dfile.encoding=UTF-8"), Stream.of(arguments))
            .toArray(String[]::new);
    return Trial.requireSuccess(folder, Map.of(), command);
  }

  private static Path downloaded() {
    return Path.of(System.getProperty("tamis.repository"));
  }

  private static String repository(String element, String id, Path folder) {
    return String.format(
        Locale.ROOT,
        "<%s><id>%s</id><url>%s</url><snapshots><enabled>true</enabled></snapshots></%s>",
        element,
        id,
        folder.toUri(),
        element);
  }
}
