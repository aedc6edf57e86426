package dev.tamis.crawler;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The dependencies of the crawler: core, and libraries for storage, URLs and pages. */
@AnalyzeClasses(
    packages = "dev.tamis.crawler",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String[] ALLOWED = {
    "dev.tamis.crawler..",
    "dev.tamis",
    "dev.tamis.file",
    "dev.tamis.filter",
    "dev.tamis.format",
    "dev.tamis.hash",
    "dev.tamis.interop",
    "dev.tamis.sizing",
    "dev.tamis.sketch",
    "java..",
    "javax.net..",
    "org.jspecify..",
    "org.h2..",
    "crawlercommons..",
    "okhttp3..",
    "org.jsoup..",
  };

  @ArchTest
  static final ArchRule needsOnlyCoreAndItsLibraries =
      noClasses().should().dependOnClassesThat().resideOutsideOfPackages(ALLOWED);

  @ArchTest
  static final ArchRule onlyTheQueueNeedsItsDatabase =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.tamis.crawler.queue..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.h2..");

  @ArchTest
  static final ArchRule packagesFormNoCycle =
      slices().matching("dev.(**)").should().beFreeOfCycles();
}
