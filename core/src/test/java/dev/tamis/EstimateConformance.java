package dev.tamis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.hash.KeyHasher;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The promise of a filter that counts: its estimate is right, and its interval is honest. */
public abstract class EstimateConformance {

  private static final int EXPECTED_KEYS = 1_000;
  private static final int TRIALS = 400;

  /** Returns an empty filter that hashes its keys by {@link KeyHasher#longs}. */
  protected abstract HashedMutableFilter<Long> create(long expectedKeys, double fpp);

  /** Of 400 intervals 380 hold the truth, give or take 4.4. */
  @ParameterizedTest
  @ValueSource(ints = {1, 10, 200, 1_000, 2_000})
  void theIntervalHoldsTheTruthNineteenTimesInTwenty(int keys) {
    for (double fpp : new double[] {0.1, 1e-4}) {
      long held =
          estimates(keys, fpp).filter(count -> count.low() <= keys && keys <= count.high()).count();
      assertThat(held).as("fpp %s", fpp).isGreaterThanOrEqualTo(362);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 1_000, 2_000})
  void theIntervalIsNoWiderThanItNeedsToBe(int keys) {
    long held =
        estimates(keys, 0.1).filter(count -> count.low() <= keys && keys <= count.high()).count();
    assertThat(held).isLessThanOrEqualTo(398);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 200, 1_000, 2_000})
  void theEstimateIsRightInTheMean(int keys) {
    for (double fpp : new double[] {0.1, 1e-4}) {
      double mean = estimates(keys, fpp).mapToDouble(Estimate::value).average().orElseThrow();
      assertThat(mean / keys).as("fpp %s", fpp).isBetween(0.995, 1.005);
    }
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

  private Stream<Estimate> estimates(int keys, double fpp) {
    return IntStream.range(0, TRIALS)
        .mapToObj(
            trial -> {
              HashedMutableFilter<Long> filter = create(EXPECTED_KEYS, fpp);
              Keys.hashes(trial, keys).forEach(filter::putHash);
              return filter.approximateElementCount();
            });
  }
}
