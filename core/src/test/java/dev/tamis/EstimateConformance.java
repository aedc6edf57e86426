package dev.tamis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.hash.KeyHasher;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The promise of a filter that counts: its estimate is right, and its interval is honest. */
public abstract class EstimateConformance {

  private static final int EXPECTED_KEYS = 1_000;
  private static final int TRIALS = Thorough.or(100, 400);

  /** Returns an empty filter that hashes its keys by {@link KeyHasher#longs}. */
  protected abstract HashedMutableFilter<Long> create(long expectedKeys, double fpp);

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 200, 1_000, 2_000})
  void theEstimateIsRightInTheMeanAndItsIntervalHoldsNineteenTimesInTwenty(int keys) {
    for (double fpp : new double[] {0.1, 1e-4}) {
      List<Estimate> estimates = estimates(keys, fpp, TRIALS).toList();
      double mean = estimates.stream().mapToDouble(Estimate::value).average().orElseThrow();
      assertThat(mean / keys).as("fpp %s", fpp).isCloseTo(1, within(0.1 / Math.sqrt(TRIALS)));
      long held =
          estimates.stream().filter(count -> count.low() <= keys && keys <= count.high()).count();
      assertThat(held)
          .as("fpp %s", fpp)
          .isGreaterThan((long) (0.95 * TRIALS - 4 * Math.sqrt(0.0475 * TRIALS)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 1_000, 2_000})
  void theIntervalIsNoWiderThanItNeedsToBe(int keys) {
    long held =
        estimates(keys, 0.1, 400)
            .filter(count -> count.low() <= keys && keys <= count.high())
            .count();
    assertThat(held).isLessThanOrEqualTo(398);
  }

  @ParameterizedTest
  @ValueSource(ints = {100_000, 300_000})
  void theEstimateOfManyKeysIsClose(int keys) {
    HashedMutableFilter<Long> filter = create(100_000, 0.01);
    Keys.hashes(7, keys).forEach(filter::putHash);
    Estimate count = filter.approximateElementCount();
    assertThat(count.value() / keys).isBetween(0.98, 1.02);
    assertThat(count.high() / keys).isLessThan(1.05);
  }

  @Test
  void aKeyPutTwiceCountsOnce() {
    HashedMutableFilter<Long> filter = create(1_000, 0.01);
    Keys.hashes(8, 500).forEach(filter::putHash);
    Estimate once = filter.approximateElementCount();
    Keys.hashes(8, 500).forEach(filter::putHash);
    assertThat(filter.approximateElementCount()).isEqualTo(once);
  }

  private Stream<Estimate> estimates(int keys, double fpp, int trials) {
    return IntStream.range(0, trials)
        .mapToObj(
            trial -> {
              HashedMutableFilter<Long> filter = create(EXPECTED_KEYS, fpp);
              Keys.hashes(trial, keys).forEach(filter::putHash);
              return filter.approximateElementCount();
            });
  }
}
