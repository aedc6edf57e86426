package dev.tamis.tools;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The dependencies of the tools: core and the JDK, so that a guard brings nothing else along. */
@AnalyzeClasses(packages = "dev.tamis.tools", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  /** Loaded only by users who have Micrometer. */
  private static final String WITH_MICROMETER = "StoreGuardMetrics";

  private static final String[] ALLOWED = {
    "dev.tamis.tools..",
    "dev.tamis",
    "dev.tamis.file",
    "dev.tamis.filter",
    "dev.tamis.format",
    "dev.tamis.hash",
    "dev.tamis.interop",
    "dev.tamis.sizing",
    "dev.tamis.sketch",
    "java..",
    "org.jspecify..",
  };

  @ArchTest
  static final ArchRule needOnlyCore =
      noClasses()
          .that()
          .doNotHaveSimpleName(WITH_MICROMETER)
          .and()
          .resideOutsideOfPackage("dev.tamis.tools.guard.jdbc")
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages(ALLOWED);

  @ArchTest
  static final ArchRule theMetricsNeedMicrometerBesides =
      noClasses()
          .that()
          .haveSimpleName(WITH_MICROMETER)
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages("dev.tamis.tools.guard", "java..", "io.micrometer..");

  @ArchTest
  static final ArchRule nothingNeedsTheMetrics =
      noClasses().should().dependOnClassesThat().haveSimpleName(WITH_MICROMETER);

  @ArchTest
  static final ArchRule onlyTheJdbcStoreNeedsSql =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.tamis.tools.guard.jdbc")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.sql..", "javax.sql..");

  @ArchTest
  static final ArchRule theJdbcStoreNeedsOnlyTheGuardAndSql =
      noClasses()
          .that()
          .resideInAPackage("dev.tamis.tools.guard.jdbc")
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages(
              "dev.tamis.tools.guard..", "java..", "javax.sql..", "org.jspecify..");

  @ArchTest
  static final ArchRule packagesFormNoCycle =
      slices().matching("dev.(**)").should().beFreeOfCycles();
}
