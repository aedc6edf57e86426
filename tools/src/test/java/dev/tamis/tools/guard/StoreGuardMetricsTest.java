package dev.tamis.tools.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.StandInServer;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
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
