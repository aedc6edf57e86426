package dev.tamis.blocklist;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The dependencies of block lists: core, ICU for hosts, crawler-commons, okhttp for URLs. */
@AnalyzeClasses(
    packages = "dev.tamis.blocklist",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String[] ALLOWED = {
    "dev.tamis.blocklist..",
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
    "com.ibm.icu..",
    "crawlercommons.domains..",
    "okhttp3..",
  };

  @ArchTest
  static final ArchRule needsOnlyCoreIcuTheSuffixListAndTheUrlParser =
      noClasses().should().dependOnClassesThat().resideOutsideOfPackages(ALLOWED);
}
