package dev.tamis.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The profile api, with the staged core as the release that a build is compared with. */
class ApiBaselineIT {

  private static final String VERSION = System.getProperty("tamis.version");
  private static final Path REPOSITORY = Trial.repository();

  @TempDir private Path folder;

  @Test
  void theSameClassesPass() throws Exception {
    unpackCore();
    compare();
  }

  @Test
  void aClassThatIsGoneFailsTheBuild() throws Exception {
    unpackCore();
    Files.delete(folder.resolve("src/main/resources/dev/tamis/filter/BloomFilter.class"));
    assertThatThrownBy(this::compare)
        .hasMessageContaining("dev.tamis.filter.BloomFilter")
        .hasMessageContaining("CLASS_REMOVED");
  }

  /** Makes a core whose classes are resources, so that nothing needs to be compiled. */
  private void unpackCore() throws Exception {
    Path classes = Files.createDirectories(folder.resolve("src/main/resources"));
    Path jar = REPOSITORY.resolve("target/staging/dev/tamis/tamis-core").resolve(VERSION);
    try (Stream<Path> staged = Files.list(jar)) {
      Path newest =
          staged
              .filter(file -> file.getFileName().toString().matches("tamis-core-[\\d.-]+\\.jar"))
              .max(Path::compareTo)
              .orElseThrow();
      Trial.requireSuccess(
          classes,
          Map.of(),
          Path.of(System.getProperty("java.home"), "bin", "jar").toString(),
          "xf",
          newest.toString());
    }
    Files.writeString(
        folder.resolve("pom.xml"),
        String.format(
            Locale.ROOT,
            """
            <project>
              <modelVersion>4.0.0</modelVersion>
              <parent>
                <groupId>dev.tamis</groupId>
                <artifactId>tamis-published</artifactId>
                <version>%s</version>
                <relativePath>%s</relativePath>
              </parent>
              <artifactId>tamis-core</artifactId>
              <version>99</version>
              <name>core</name>
              <dependencies>
                <dependency>
                  <groupId>com.dynatrace.hash4j</groupId><artifactId>hash4j</artifactId>
                </dependency>
              </dependencies>
              <repositories>
                <repository><id>staging</id><url>%s</url></repository>
                <repository><id>downloaded</id><url>%s</url></repository>
              </repositories>
              <pluginRepositories>
                <pluginRepository><id>downloaded</id><url>%s</url></pluginRepository>
              </pluginRepositories>
            </project>
            """,
            VERSION,
            // Maven appends it to this folder, even one that begins with a slash.
            folder.toRealPath().relativize(REPOSITORY.resolve("published/pom.xml")),
            REPOSITORY.resolve("target/staging").toUri(),
            Path.of(System.getProperty("tamis.repository")).toUri(),
            Path.of(System.getProperty("tamis.repository")).toUri()));
  }

  /** japicmp itself is downloaded, into a repository that lasts as long as the build's folder. */
  private void compare() throws Exception {
    Path local = Path.of(System.getProperty("tamis.dist")).resolve("api-repository");
    String out =
        Trial.requireSuccess(
            folder,
            Map.of("JAVA_HOME", System.getProperty("java.home"), "MAVEN_OPTS", ""),
            "mvn",
            "-B",
            "-Dmaven.repo.local=" + local,
            "-Dtamis.baseline=" + VERSION,
            "-Denforcer.skip",
            "-Dspotless.check.skip",
            "-Dforbiddenapis.skip",
            "-Dmaven.javadoc.skip",
            "-Dmaven.source.skip",
            "-DskipTests",
            "verify");
    assertThat(out).contains("japicmp");
  }
}
