package dev.tamis.tools.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.Filter;
import dev.tamis.Traits;
import dev.tamis.file.FilterFile;
import dev.tamis.file.ReloadingFilter;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.RibbonFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.hash.KeyHasher;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilterMetricsTest {

  private static final int KEYS = 10_000;

  private final MockClock clock = new MockClock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);

  @TempDir Path directory;

  @Test
  void publishesHowFullAFilterIs() {
    BloomFilter<Long> filter = BloomFilter.create(KeyHasher.longs(), KEYS, 0.01);
    FilterMetrics.bind(registry, "seen", filter);
    assertThat(gauge("keys")).isZero();
    assertThat(gauge("fill")).isZero();
    LongStream.range(0, KEYS).forEach(filter::put);
    clock.add(Duration.ofSeconds(10));
    assertThat(gauge("keys")).isEqualTo(filter.approximateElementCount().value());
    assertThat(gauge("fill")).isEqualTo(1, within(0.05));
    assertThat(gauge("fpp")).isEqualTo(filter.expectedFpp());
    assertThat(gauge("bits")).isEqualTo((double) filter.bitSize());
    assertThat(gauge("over.capacity")).isZero();
    LongStream.range(0, 2 * KEYS).forEach(filter::put);
    clock.add(Duration.ofSeconds(10));
    assertThat(gauge("over.capacity")).isEqualTo(1);
  }

  @Test
  void aFilterWithoutCapacityIsNeverOverIt() {
    FilterMetrics.bind(
        registry, "seen", ScalableBloomFilter.<Long>create(KeyHasher.longs(), KEYS, 0.01));
    assertThat(registry.find("tamis.filter.keys").gauge()).isNotNull();
    assertThat(registry.find("tamis.filter.fill").gauge()).isNull();
    assertThat(registry.find("tamis.filter.over.capacity").gauge()).isNull();
    assertThat(registry.find("tamis.filter.checks").functionCounter()).isNull();
  }

  @Test
  void publishesWhatBecameOfTheChecksOfAFile() throws IOException {
    Path path = directory.resolve("list");
    save(path, KEYS);
    ReloadingFilter<Long> filter = ReloadingFilter.load(path, KeyHasher.longs());
    FilterMetrics.bind(registry, "seen", filter);
    assertThat(gauge("keys")).isEqualTo(KEYS);
    filter.refresh();
    save(path, 2 * KEYS);
    Files.setLastModifiedTime(path, FileTime.fromMillis(clock.wallTime()));
    filter.refresh();
    Files.delete(path);
    for (int i = 0; i < 3; i++) {
      filter.refresh();
    }
    clock.add(Duration.ofSeconds(90));
    assertThat(gauge("keys")).isEqualTo(2 * KEYS);
    assertThat(checks("unchanged")).isEqualTo(1);
    assertThat(checks("reloaded")).isEqualTo(1);
    assertThat(checks("refused")).isEqualTo(3);
    assertThat(registry.get("tamis.filter.age").timeGauge().value()).isEqualTo(90);
  }

  @Test
  void aMappedBloomFilterHasACapacity() throws IOException {
    Path path = directory.resolve("list");
    BloomFilter<Long> filter = BloomFilter.create(KeyHasher.longs(), KEYS, 0.01);
    LongStream.range(0, 2 * KEYS).forEach(filter::put);
    FilterFile.save(path, filter);
    ReloadingFilter<Long> mapped = ReloadingFilter.map(path, KeyHasher.longs());
    FilterMetrics.bind(registry, "seen", mapped);
    assertThat(gauge("fill")).isEqualTo(2, within(0.1));
    assertThat(gauge("over.capacity")).isEqualTo(1);
  }

  @Test
  void takesAHundredthOfTheTimeAtMost() {
    Slow filter = new Slow();
    FilterMetrics.bind(registry, "slow", filter);
    for (int scrape = 0; scrape < 100; scrape++) {
      assertThat(gauge("fpp")).isEqualTo(0.25);
      assertThat(gauge("keys")).isEqualTo(1);
    }
    assertThat(filter.passes).isEqualTo(1);
    clock.add(Duration.ofSeconds(199));
    assertThat(gauge("fpp") + filter.passes).isEqualTo(1.25);
    clock.add(Duration.ofSeconds(1));
    assertThat(gauge("fpp") + filter.passes).isEqualTo(2.25);
    clock.add(Duration.ofSeconds(199));
    assertThat(gauge("keys") + filter.passes).isEqualTo(3);
  }

  @Test
  void theRegistryKeepsNoFilterAlive() {
    WeakReference<Filter<?>> filter = bound();
    for (int i = 0; i < 1_000 && filter.get() != null; i++) {
      System.gc();
    }
    assertThat(filter.get()).isNull();
    assertThat(gauge("keys")).isNaN();
  }

  private WeakReference<Filter<?>> bound() {
    BloomFilter<Long> filter = BloomFilter.create(KeyHasher.longs(), KEYS, 0.01);
    FilterMetrics.bind(registry, "seen", filter);
    assertThat(gauge("keys")).isZero();
    return new WeakReference<>(filter);
  }

  @Test
  void everyMeterHasTheName() throws IOException {
    Path path = directory.resolve("list");
    save(path, KEYS);
    FilterMetrics.bind(registry, "seen", ReloadingFilter.load(path, KeyHasher.longs()));
    assertThat(registry.getMeters())
        .extracting(Meter::getId)
        .hasSize(7)
        .allMatch(id -> "seen".equals(id.getTag("name")) && id.getDescription() != null);
  }

  private double gauge(String figure) {
    return registry.get("tamis.filter." + figure).gauge().value();
  }

  private double checks(String result) {
    return registry.get("tamis.filter.checks").tag("result", result).functionCounter().count();
  }

  private static void save(Path path, int keys) throws IOException {
    FilterFile.save(
        path,
        RibbonFilter.<Long>builder(KeyHasher.longs())
            .fpp(0.01)
            .putAll(LongStream.range(0, keys).boxed())
            .build());
  }

  /** A filter whose figures take a second each. */
  private final class Slow implements Filter<Long> {

    private int passes;

    @Override
    public boolean mightContain(Long key) {
      return true;
    }

    @Override
    public double expectedFpp() {
      clock.add(Duration.ofSeconds(1));
      return 0.25;
    }

    @Override
    public Estimate approximateElementCount(Confidence confidence) {
      passes++;
      clock.add(Duration.ofSeconds(1));
      return Estimate.around(1, 0);
    }

    @Override
    public long bitSize() {
      return 64;
    }

    @Override
    public Traits traits() {
      return Traits.of("Slow");
    }
  }
}
