package dev.tamis.explorer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The server of the page needs the JDK alone. */
@AnalyzeClasses(
    packages = "dev.tamis.explorer",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule needsTheJdkAlone =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages(
              "dev.tamis.explorer..", "java..", "com.sun.net.httpserver..", "org.jspecify..");
}
