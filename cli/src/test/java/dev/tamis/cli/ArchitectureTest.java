package dev.tamis.cli;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.PrintStream;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The walls between and in the modules, seen from the one place that has them on its class path.
 *
 * <p>Core, Spark's and Flink's are checked in their own modules too.
 */
@AnalyzeClasses(packages = "dev.tamis", importOptions = ArchitectureTest.WithoutTests.class)
class ArchitectureTest {

  /** Leaves out the classes of tests, in whichever folder Maven compiles to. */
  static final class WithoutTests implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("test-classes") && !location.contains("-tests.jar");
    }
  }

  private static final String[] CORE = {
    "dev.tamis",
    "dev.tamis.file..",
    "dev.tamis.filter..",
    "dev.tamis.format..",
    "dev.tamis.hash..",
    "dev.tamis.interop..",
    "dev.tamis.sizing..",
    "dev.tamis.sketch..",
    "java..",
    "org.jspecify.."
  };

  /** Packages that a module may need, besides its own, the JDK and core's public ones. */
  private static final Map<String, String[]> NEEDED =
      Map.of(
          "dev.tamis.tools..", new String[] {"io.micrometer.."},
          "dev.tamis.records..", new String[] {"com.fasterxml.jackson.core.."},
          "dev.tamis.corpus..", new String[] {},
          "dev.tamis.crawler..",
              new String[] {
                "javax.net..", "org.h2..", "crawlercommons..", "okhttp3..", "org.jsoup.."
              },
          "dev.tamis.blocklist..", new String[] {"crawlercommons.domains..", "okhttp3.."},
          "dev.tamis.redis..",
              new String[] {
                "redis.clients..",
                "io.lettuce..",
                "io.netty..",
                "reactor..",
                "org.apache.commons.pool2..",
                "javax.net..",
                "io.micrometer.."
              },
          "dev.tamis.explorer..", new String[] {"com.sun.net.httpserver.."},
          "dev.tamis.cli..",
              new String[] {
                "dev.tamis..",
                "picocli..",
                "me.tongfei..",
                "redis.clients..",
                "com.google..",
                "com.github.luben..",
                "org.apache.commons.compress..",
                "org.tukaani..",
                "javax.management.."
              });

  @ArchTest
  static void modulesNeedOnlyWhatIsListed(JavaClasses classes) {
    NEEDED.forEach(
        (module, needed) ->
            noClasses()
                .that()
                .resideInAPackage(module)
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages(
                    Stream.of(new String[] {module}, CORE, needed)
                        .flatMap(Stream::of)
                        .toArray(String[]::new))
                .check(classes));
  }

  @ArchTest
  static final ArchRule coreNeedsNoOtherModule =
      noClasses()
          .that()
          .resideInAnyPackage(CORE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(NEEDED.keySet().toArray(String[]::new));

  @ArchTest
  static final ArchRule internalsStayInCore =
      noClasses()
          .that()
          .resideInAnyPackage(NEEDED.keySet().toArray(String[]::new))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.tamis.internal..");

  /** So that a guard or a filter brings nothing else along. */
  @ArchTest
  static final ArchRule nothingNeedsMicrometerButTheMetrics =
      noClasses()
          .that()
          .haveNameNotMatching(".*(StoreGuard|Filter|Redis)Metrics.*")
          .should()
          .dependOnClassesThat()
          .haveNameMatching("io\\.micrometer\\..*|.*(StoreGuard|Filter|Redis)Metrics");

  @ArchTest
  static final ArchRule onlyTheQueueNeedsItsDatabase =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.tamis.crawler.queue..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.h2..");

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
          .callMethodWhere(target(name("printStackTrace")));

  /** A stream of objects runs code of whatever class it names. */
  @ArchTest
  static final ArchRule nothingReadsJavaObjects =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("dev.tamis.filter.SerializableFilter") // refuses
          .and()
          .doNotHaveFullyQualifiedName(
              "dev.tamis.filter.SerializableFilter$Serialized") // the proxy
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
