package dev.tamis.cli;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.PrintStream;

/** The walls between the modules, seen from the one place that has them all on its class path. */
@AnalyzeClasses(packages = "dev.tamis", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String[] CORE = {
    "dev.tamis",
    "dev.tamis.file..",
    "dev.tamis.filter..",
    "dev.tamis.format..",
    "dev.tamis.hash..",
    "dev.tamis.internal..",
    "dev.tamis.interop..",
    "dev.tamis.sizing..",
    "dev.tamis.sketch.."
  };

  @ArchTest
  static final ArchRule arrowsPointFromCliToToolsToCore =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .withOptionalLayers(true)
          .layer("core")
          .definedBy(CORE)
          .layer("tools")
          .definedBy("dev.tamis.tools..")
          .layer("crawler")
          .definedBy("dev.tamis.crawler..")
          .layer("blocklist")
          .definedBy("dev.tamis.blocklist..")
          .layer("redis")
          .definedBy("dev.tamis.redis..")
          .layer("explorer")
          .definedBy("dev.tamis.explorer..")
          .layer("cli")
          .definedBy("dev.tamis.cli..")
          .whereLayer("cli")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("explorer")
          .mayOnlyBeAccessedByLayers("cli")
          .whereLayer("crawler")
          .mayOnlyBeAccessedByLayers("cli")
          .whereLayer("blocklist")
          .mayOnlyBeAccessedByLayers("cli")
          .whereLayer("tools")
          .mayOnlyBeAccessedByLayers("cli", "crawler")
          .whereLayer("redis")
          .mayOnlyBeAccessedByLayers("cli")
          .ensureAllClassesAreContainedInArchitecture();

  @ArchTest
  static final ArchRule internalsStayInCore =
      noClasses()
          .that()
          .resideOutsideOfPackages(CORE)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.tamis.internal..")
          .allowEmptyShould(true); // while core is alone

  /** Whatever is printed passes through {@code Messages} or {@code Streams}, which escape it. */
  @ArchTest
  static final ArchRule onlyMessagesPrintToTheTerminal =
      noClasses()
          .that()
          .resideInAPackage("dev.tamis.cli..")
          .and()
          .doNotHaveSimpleName("Messages")
          .should()
          .callMethodWhere(target(owner(assignableTo(PrintStream.class))))
          .orShould()
          .callMethodWhere(
              target(owner(assignableTo(Throwable.class))).and(target(name("printStackTrace"))));

  /** A stream of objects runs code of whatever class it names. */
  @ArchTest
  static final ArchRule nothingReadsJavaObjects =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("dev.tamis.filter.SerializableFilter") // refuses
          .and()
          .doNotHaveFullyQualifiedName("dev.tamis.filter.SerializedFilter") // the proxy
          .should()
          .dependOnClassesThat()
          .haveNameMatching(
              "java\\.io\\.ObjectInput(Stream)?|java\\.beans\\.XMLDecoder"
                  + "|java\\.rmi\\..*|org\\.h2\\.mvstore\\.type\\.ObjectDataType")
          .because("a filter's serialization is a proxy of its own bytes, SerializableFilter");

  /** Without types of its own a map reads Java objects. */
  @ArchTest
  static final ArchRule oneClassOpensMapsOfAStore =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("dev.tamis.crawler.queue.StoredMap")
          .should()
          .callMethodWhere(
              target(name("openMap")).and(target(owner(nameMatching("org\\.h2\\..*")))));

  @ArchTest
  static final ArchRule packagesFormNoCycle =
      slices().matching("dev.(**)").should().beFreeOfCycles();
}
