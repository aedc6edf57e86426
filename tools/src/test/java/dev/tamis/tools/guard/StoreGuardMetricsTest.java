package dev.tamis.tools.guard;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.tamis.StandInServer;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class StoreGuardMetricsTest {

  @Test
  void publishesWhatTheGuardCounts() {
    MapStore store = Guards.filled(100);
    StoreGuard<Long, String> guard = Guards.settings().name("users").build(store);
    MeterRegistry registry = new SimpleMeterRegistry();
    new StoreGuardMetrics(guard).bindTo(registry);
    assertThat(guard.get(1L)).isNotNull();
    assertThat(state(registry, "rebuilding")).isEqualTo(1);
    assertThat(registry.get("tamis.guard.fpp").gauge().value()).isNaN();

    RebuildSummary unused = guard.rebuild(store::keys);
    store.rows.keySet().forEach(guard::get);
    Guards.absent(1_000).forEach(guard::get);

    GetStats counters = guard.gets();
    assertThat(gets(registry, "passed_through")).isEqualTo(1);
    assertThat(gets(registry, "found")).isEqualTo(100);
    assertThat(gets(registry, "skipped")).isEqualTo((double) counters.skipped());
    assertThat(gets(registry, "false_positive")).isEqualTo((double) counters.falsePositives());
    assertThat(gets(registry, "failed")).isZero();
    assertThat(registry.get("tamis.guard.fpp").tag("name", "users").gauge().value())
        .isEqualTo(guard.measuredFpp().orElseThrow());
    assertThat(state(registry, "ready")).isEqualTo(1);
    assertThat(state(registry, "rebuilding")).isZero();
    assertThat(state(registry, "stale")).isZero();
    assertThat(state(registry, "disabled")).isZero();
  }

  @Test
  void publishesASharedGuardToo() {
    StandInServer<Long> server =
        new StandInServer<>(
            () -> BloomFilter.<Long>builder(KeyHasher.longs()).expectedKeys(100).fpp(0.01).build());
    MapStore store = Guards.filled(100);
    SharedStoreGuard<Long, String> guard =
        SharedStoreGuard.builder(Guards.shared(server)).name("users").build(store);
    MeterRegistry registry = new SimpleMeterRegistry();
    new StoreGuardMetrics(guard).bindTo(registry);
    assertThat(guard.get(1L)).isNotNull();
    assertThat(gets(registry, "passed_through")).isEqualTo(1);
    assertThat(state(registry, "rebuilding")).isEqualTo(1);
    RebuildSummary unused = guard.rebuild(store::keys);
    assertThat(guard.get(1L)).isNotNull();
    assertThat(gets(registry, "found")).isEqualTo(1);
    assertThat(state(registry, "ready")).isEqualTo(1);
  }

  @Test
  void nothingElseKnowsOfMicrometer() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(StoreGuardMetrics.class.getName())
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.micrometer..")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName(StoreGuardMetrics.class.getName())
        .check(
            new ClassFileImporter()
                .importUrl(StoreGuard.class.getProtectionDomain().getCodeSource().getLocation()));
  }

  @Test
  void aGuardWorksWhereThereIsNoMicrometer() throws Exception {
    List<URL> others = new ArrayList<>();
    for (String entry :
        Pattern.compile(File.pathSeparator).split(System.getProperty("java.class.path"), -1)) {
      if (!entry.contains("micrometer")) {
        others.add(Path.of(entry).toUri().toURL());
      }
    }
    try (URLClassLoader loader =
        new URLClassLoader(others.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      Class<?> guards = loader.loadClass(WithoutMicrometer.class.getName());
      Callable<?> work = (Callable<?>) guards.getDeclaredConstructor().newInstance();
      assertThat(work.call()).isEqualTo("no Micrometer, yet READY");
    }
  }

  /** What the test runs in another class loader. */
  public static final class WithoutMicrometer implements Callable<String> {
    @Override
    public String call() {
      StoreGuard<Long, String> guard = Guards.ready(Guards.settings(), Guards.filled(10));
      try {
        Class<?> found = Class.forName("io.micrometer.core.instrument.MeterRegistry");
        return "found " + found;
      } catch (ClassNotFoundException e) {
        return "no Micrometer, yet " + guard.state();
      }
    }
  }

  private static double gets(MeterRegistry registry, String result) {
    return registry
        .get("tamis.guard.gets")
        .tag("name", "users")
        .tag("result", result)
        .functionCounter()
        .count();
  }

  private static double state(MeterRegistry registry, String state) {
    return registry.get("tamis.guard.state").tag("state", state).gauge().value();
  }
}
