package dev.tamis;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The walls of core: what its packages may lean on, and what they leave to their callers. */
@AnalyzeClasses(packages = "dev.tamis", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  /** Loaded by name, where the JVM has the module that it is written in. */
  private static final String IN_VECTORS = "VectorLineKernel";

  @ArchTest
  static final ArchRule needsOnlyTheJdkAndHash4j =
      noClasses()
          .that()
          .doNotHaveSimpleName(IN_VECTORS)
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages(
              "dev.tamis..", "java..", "org.jspecify..", "com.dynatrace.hash4j..");

  @ArchTest
  static final ArchRule nothingNeedsTheClassInVectors =
      noClasses().should().dependOnClassesThat().haveSimpleName(IN_VECTORS);

  @ArchTest
  static final ArchRule packagesFormNoCycle =
      slices().matching("dev.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule opensFilesInOnePackage =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.tamis.file")
          .should()
          .dependOnClassesThat()
          .haveNameMatching(
              "java\\.nio\\.file\\..*"
                  + "|java\\.io\\.(File|RandomAccessFile).*"
                  + "|java\\.nio\\.channels\\..*FileChannel.*");

  @ArchTest
  static final ArchRule readsNoClock =
      noClasses()
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .dependOnClassesThat()
          .haveNameMatching("java\\.time\\.Clock")
          .because("time is a parameter");

  @ArchTest
  static final ArchRule startsNoThreads =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.tamis.file") // removes temporary files when the JVM ends
          .and()
          .doNotHaveSimpleName("Stripes") // spins and yields
          .should()
          .dependOnClassesThat()
          .haveNameMatching(
              "java\\.lang\\.Thread(?!Local$).+"
                  + "|java\\.util\\.Timer.*"
                  // atomic is another package, and ConcurrentHashMap starts nothing
                  + "|java\\.util\\.concurrent\\.(?!Concurrent)[^.]*")
          .orShould()
          .callMethod(Thread.class, "start")
          .because("threads are the caller's, and core only has to be safe among them");

  @ArchTest
  static final ArchRule yieldsOnlyToWaitForAStripe =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("dev.tamis.internal.bits.Stripes")
          .and()
          .resideOutsideOfPackage("dev.tamis.file") // removes temporary files when the JVM ends
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.lang.Thread")
          .because("nothing else waits by spinning");

  @ArchTest
  static final ArchRule saysNothing =
      noClasses()
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err")
          .orShould()
          .dependOnClassesThat()
          .haveNameMatching("java\\.util\\.logging\\..*|java\\.lang\\.System\\$Logger.*")
          .because("what is worth saying is returned or thrown");
}
