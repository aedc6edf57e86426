package dev.tamis.spark;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/**
 * The walls of the bridge: core's public packages, the units of texts, Spark, and what Spark itself
 * is made of.
 */
@AnalyzeClasses(packages = "dev.tamis.spark", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule needsCoreUnitsOfTextsAndSparkAlone =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages(
              "dev.tamis",
              "dev.tamis.corpus..",
              "dev.tamis.file..",
              "dev.tamis.filter..",
              "dev.tamis.format..",
              "dev.tamis.hash..",
              "dev.tamis.interop..",
              "dev.tamis.sizing..",
              "dev.tamis.sketch..",
              "dev.tamis.spark..",
              "java..",
              "org.apache.hadoop.fs..",
              "org.apache.hadoop.conf..",
              "org.apache.spark..",
              "org.jspecify..",
              "org.slf4j..",
              "scala..");
}
