package dev.tamis.filter;

import dev.tamis.ConcurrentConformance;
import dev.tamis.EstimateConformance;
import dev.tamis.FppConformance;
import dev.tamis.HashedMutableFilter;
import dev.tamis.MutableFilterConformance;
import dev.tamis.MutableRoundTripConformance;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.WindowSizing;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Nested;

/** The suites, with windows of puts and of time. */
class WindowedBloomFilterConformanceTest {

  private static final Instant NOW = Instant.parse("2020-01-02T03:04:05.678901234Z");

  /**
   * With room for a hundred times the keys: the suite wants to find again what it put at first,
   * which a window of fewer puts forgets.
   */
  @Nested
  class Keys extends MutableFilterConformance {
    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return window(100 * expectedKeys, fpp);
    }
  }

  /** The same for a window of time in which no time goes by: nothing is ever forgotten. */
  @Nested
  class KeysOfOneInstant extends MutableFilterConformance {
    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return WindowedBloomFilter.<Long>builder(KeyHasher.longs())
          .window(Duration.ofHours(1))
          .expectedKeys(20 * expectedKeys) // in one generation, of which there are 10 or more
          .clock(() -> NOW)
          .fpp(fpp)
          .build();
    }
  }

  @Nested
  class Fpp extends FppConformance {
    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return window(expectedKeys, fpp);
    }

    /** Once around from empty, the oldest slices have not had all their generations yet. */
    @Override
    protected double leastFppWhenFull(double fpp) {
      return 0.5 * fpp;
    }
  }

  /** With room for the keys in one generation, within which a key counts once. */
  @Nested
  class Counts extends EstimateConformance {
    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      WindowSizing.Question one = WindowSizing.ask().expectedKeys(expectedKeys).slack(1);
      return WindowedBloomFilter.<Long>builder(KeyHasher.longs())
          .window((expectedKeys + 1) * one.fpp(fpp).answer().generations())
          .fpp(fpp)
          .slack(1)
          .build();
    }
  }

  /** With room for all keys of a test, which the suite wants to find again. */
  @Nested
  class RoundTrip extends MutableRoundTripConformance<WindowedBloomFilter<Long>> {
    @Override
    protected WindowedBloomFilter<Long> create(long expectedKeys, double fpp) {
      return window(expectedKeys == 1_000 ? 100_000 : expectedKeys, fpp);
    }

    @Override
    protected WindowedBloomFilter<Long> read(InputStream in, long maxBytes) throws IOException {
      return WindowedBloomFilter.readFrom(in, KeyHasher.longs(), maxBytes);
    }
  }

  @Nested
  class RoundTripOfTime extends MutableRoundTripConformance<WindowedBloomFilter<Long>> {
    @Override
    protected WindowedBloomFilter<Long> create(long expectedKeys, double fpp) {
      return WindowedBloomFilter.<Long>builder(KeyHasher.longs())
          .window(Duration.ofHours(1))
          .expectedKeys(expectedKeys == 1_000 ? 100_000 : expectedKeys)
          .clock(() -> NOW)
          .fpp(fpp)
          .build();
    }

    @Override
    protected WindowedBloomFilter<Long> read(InputStream in, long maxBytes) throws IOException {
      return WindowedBloomFilter.readFrom(in, KeyHasher.longs(), maxBytes, () -> NOW);
    }
  }

  /** The window holds the puts of all threads, and rotates dozens of times until it has them. */
  @Nested
  class Racing extends ConcurrentConformance {
    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return window(8 * Math.max(100, expectedKeys), fpp);
    }

    /** In which slices a key sets its bits depends on when it comes. */
    @Override
    protected boolean dependsOnOrder() {
      return true;
    }
  }

  @Nested
  class RacingInOneInstant extends ConcurrentConformance {
    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return WindowedBloomFilter.<Long>builder(KeyHasher.longs())
          .window(Duration.ofHours(1))
          .expectedKeys(20 * Math.max(100, expectedKeys)) // in one generation
          .clock(() -> NOW)
          .fpp(fpp)
          .build();
    }

    @Override
    protected int keys() {
      return 20_000;
    }
  }

  private static WindowedBloomFilter<Long> window(long puts, double fpp) {
    return WindowedBloomFilter.<Long>builder(KeyHasher.longs()).window(puts).fpp(fpp).build();
  }
}
