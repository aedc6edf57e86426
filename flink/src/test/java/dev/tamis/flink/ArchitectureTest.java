package dev.tamis.flink;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The dependencies of the bridge: core, and what a Flink cluster has. */
@AnalyzeClasses(packages = "dev.tamis.flink", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule needsOnlyCoreAndFlink =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages(
              "dev.tamis.flink..",
              "dev.tamis",
              "dev.tamis.file",
              "dev.tamis.filter",
              "dev.tamis.format",
              "dev.tamis.hash",
              "dev.tamis.sizing",
              "java..",
              "org.apache.flink..",
              "org.jspecify..",
              "org.slf4j");

  @Test
  void bringsOnlyCoreIntoAJob() throws Exception {
    URI classes = Seen.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    List<String> jars =
        Files.readAllLines(Path.of(classes).resolveSibling("run-time-jars.txt")).stream()
            .map(String::strip)
            .filter(line -> line.contains(":jar:"))
            .map(line -> line.substring(0, line.indexOf(":jar:")))
            .toList();
    assertThat(jars)
        .containsExactlyInAnyOrder("dev.tamis:tamis-core", "com.dynatrace.hash4j:hash4j");
  }
}
