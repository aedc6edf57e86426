package dev.tamis.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Estimate;
import dev.tamis.Keys;
import dev.tamis.Overlapping.Overlap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How many keys two filters share, for every layout. */
@ParameterizedClass
@MethodSource("dev.tamis.filter.BloomSpec#allSingleThreaded")
class BloomFilterOverlapTest {

  private static final int TRIALS = 300;

  @Parameter BloomSpec spec;

  /** Of 300 intervals 285 hold the truth, give or take 3.8. */
  @ParameterizedTest
  @CsvSource({"500, 500, 500", "900, 100, 0", "800, 800, 200", "0, 900, 100", "1000, 1000, 1000"})
  void theIntervalsHoldTheTruthNineteenTimesInTwenty(int onlyFirst, int onlySecond, int both) {
    int unions = 0;
    int intersections = 0;
    for (Overlap overlap : overlaps(onlyFirst, onlySecond, both).toList()) {
      unions += holds(overlap.union(), onlyFirst + onlySecond + both) ? 1 : 0;
      intersections += holds(overlap.intersection(), both) ? 1 : 0;
    }
    assertThat(unions).isGreaterThanOrEqualTo(TRIALS * 9 / 10);
    assertThat(intersections).isGreaterThanOrEqualTo(TRIALS * 9 / 10);
  }

  @Test
  void aFilterSharesEverythingWithItself() {
    BloomFilter<Long> filter = spec.create(1_000, 0.01);
    Keys.hashes(1, 700).forEach(filter::putHash);
    Overlap overlap = filter.estimateOverlap(filter.copy());
    Estimate keys = filter.approximateElementCount();
    assertThat(overlap.first()).isEqualTo(keys);
    assertThat(overlap.second()).isEqualTo(keys);
    assertThat(overlap.union()).isEqualTo(keys);
    assertThat(overlap.intersection().value()).isEqualTo(keys.value());
  }

  @Test
  void anEmptyFilterSharesNothing() {
    BloomFilter<Long> filter = spec.create(1_000, 0.01);
    Keys.hashes(1, 700).forEach(filter::putHash);
    BloomFilter<Long> empty = spec.create(1_000, 0.01);

    assertThat(filter.estimateOverlap(empty).intersection().value()).isZero();
    assertThat(filter.estimateOverlap(empty).union()).isEqualTo(filter.approximateElementCount());
    assertThat(empty.estimateOverlap(empty))
        .extracting(Overlap::union, Overlap::intersection)
        .containsOnly(new Estimate(0, 0, 0));
  }

  @Test
  void estimatingChangesNothing() {
    BloomFilter<Long> one = spec.create(1_000, 0.01);
    BloomFilter<Long> other = spec.create(1_000, 0.01);
    Keys.hashes(1, 700).forEach(one::putHash);
    Keys.hashes(2, 700).forEach(other::putHash);
    BloomFilter<Long> before = one.copy();
    BloomFilter<Long> otherBefore = other.copy();
    one.estimateOverlap(other);
    assertThat(one).isEqualTo(before);
    assertThat(other).isEqualTo(otherBefore);
  }

  private Stream<Overlap> overlaps(int onlyFirst, int onlySecond, int both) {
    return IntStream.range(0, TRIALS)
        .mapToObj(
            trial -> {
              BloomFilter<Long> first = spec.create(1_000, 0.03);
              BloomFilter<Long> second = spec.create(1_000, 0.03);
              Keys.hashes(3L * trial, onlyFirst).forEach(first::putHash);
              Keys.hashes(3L * trial + 1, onlySecond).forEach(second::putHash);
              Keys.hashes(3L * trial + 2, both).forEach(first::putHash);
              Keys.hashes(3L * trial + 2, both).forEach(second::putHash);
              return first.estimateOverlap(second);
            });
  }

  private static boolean holds(Estimate estimate, double truth) {
    return estimate.low() <= truth && truth <= estimate.high();
  }
}
