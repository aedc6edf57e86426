package dev.tamis.sizing;

import static dev.tamis.Refusal.refusesSaying;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.Estimate;
import dev.tamis.Thorough;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys estimated from set bits: right on average, and within the interval 95 times in 100. */
class KeyCountsTest {

  private static final int TRIALS = Thorough.or(250, 1_000);
  private static final double[] FULLNESS = {0.1, 0.5, 1, 2, 3};

  /** Large enough that the logarithm of a mean is the mean of the logarithm. */
  @ParameterizedTest
  @CsvSource({
    "CLASSIC, 1, 10000",
    "CLASSIC, 7, 20000",
    "PARTITIONED, 7, 7000",
    "LINE, 1, 20480",
    "LINE, 6, 20480",
    "LINE, 16, 20480",
    "SPLIT, 8, 20480",
    "SPLIT, 16, 20480",
    "SPLIT_PAIR, 16, 20480",
    "SPLIT_PAIR, 32, 20480",
  })
  void estimateIsUnbiasedAndItsIntervalHolds(Layout layout, int hashes, long bits) {
    Shape shape = new Shape(layout, bits, hashes);
    for (double fullness : FULLNESS) {
      Trial trial = Trial.of(shape, (long) (fullness * shape.halfFullKeys()), TRIALS);
      // four standard errors, and 0.05 % for the curve of the logarithm
      assertThat(trial.mean.value())
          .as("%s", trial)
          .isCloseTo((double) trial.keys, within(4 * trial.mean.error() + 5e-4 * trial.keys));
      // four standard deviations below 95 %; more where whole keys are wide
      assertThat(trial.coverage)
          .as("%s", trial)
          .isGreaterThan(0.95 - 4 * Math.sqrt(0.0475 / TRIALS));
      // not wider than it takes: 1.96 standard deviations of the trial, a whole key, both ways
      double deviation = trial.mean.error() * Math.sqrt(TRIALS);
      assertThat(trial.width).as("%s", trial).isLessThan(2 * (1.96 * 1.12 * deviation + 1));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "CLASSIC, 7, 64",
    "CLASSIC, 1, 100",
    "CLASSIC, 7, 1000",
    "PARTITIONED, 7, 70",
    "LINE, 6, 512",
    "LINE, 6, 1024",
    "SPLIT, 8, 512",
    "SPLIT, 16, 1024",
    "SPLIT_PAIR, 16, 1024",
    "SPLIT_PAIR, 32, 1536",
  })
  void estimateIsGoodInATinyFilterToo(Layout layout, int hashes, long bits) {
    Shape shape = new Shape(layout, bits, hashes);
    for (double fullness : FULLNESS) {
      Trial trial = Trial.of(shape, Math.max(1, (long) (fullness * shape.halfFullKeys())), 2_000);
      // the logarithm of 64 bits is curved: up to 2 % at three times half full
      assertThat(trial.mean.value())
          .as("%s", trial)
          .isCloseTo((double) trial.keys, within(4 * trial.mean.error() + 0.02 * trial.keys));
      // 95 % of 2000 with four standard deviations of 0.5 %
      assertThat(trial.coverage).as("%s", trial).isGreaterThan(0.93);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "CLASSIC, 7, 1000",
    "CLASSIC, 1, 64",
    "PARTITIONED, 8, 1024",
    "LINE, 6, 2048",
    "SPLIT, 8, 2048",
    "SPLIT, 16, 512",
    "SPLIT_PAIR, 16, 1024",
    "SPLIT_PAIR, 32, 2048",
  })
  void expectedSetBitsAreThoseOfTheSimulation(Layout layout, int hashes, long bits) {
    Shape shape = new Shape(layout, bits, hashes);
    SplittableRandom random = new SplittableRandom(bits);
    for (double fullness : FULLNESS) {
      long keys = Math.max(1, (long) (fullness * shape.halfFullKeys()));
      double[] ones = new double[2_000];
      for (int i = 0; i < ones.length; i++) {
        ones[i] = ones(shape, keys, random);
      }
      Simulation.Mean mean = Simulation.Mean.of(ones);
      assertThat(shape.expectedSetBits(keys))
          .as("%s, %d keys", shape, keys)
          .isCloseTo(mean.value(), within(4 * mean.error() + 1e-9 * mean.value()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void onesExpectedOfKeysGiveTheKeysBack(Layout layout) {
    for (int k = layout.minHashes(); k <= layout.maxHashes(); k += layout.hashStep()) {
      Shape shape = new Shape(layout, 512_000L * k, k);
      for (double fullness : FULLNESS) {
        long keys = (long) (fullness * shape.halfFullKeys());
        long ones = Math.round(shape.expectedSetBits(keys));
        assertThat(KeyCounts.keys(shape, ones).value())
            .isCloseTo((double) keys, within(1.0 + keys * 1e-5));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void noOnesAreNoKeys(Layout layout) {
    assertThat(KeyCounts.keys(shape(layout), 0)).isEqualTo(new Estimate(0, 0, 0));
  }

  @ParameterizedTest
  @EnumSource
  void fullFilterHasNoUpperEnd(Layout layout) {
    Shape shape = shape(layout);
    Estimate full = KeyCounts.keys(shape, shape.bits());
    Estimate almost = KeyCounts.keys(shape, shape.bits() - 1);
    assertThat(full.isBounded()).isFalse();
    assertThat(full.value()).isInfinite();
    assertThat(full.low()).isEqualTo(almost.value());
    assertThat(almost.isBounded()).isTrue();
    assertThat(almost.value()).isGreaterThan((double) shape.halfFullKeys());
  }

  @ParameterizedTest
  @EnumSource
  void estimateRisesWithTheOnes(Layout layout) {
    Shape shape = shape(layout);
    double before = -1;
    for (long ones = 0; ones <= shape.bits(); ones++) {
      double value = KeyCounts.keys(shape, ones).value();
      assertThat(value).isGreaterThan(before);
      before = value;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 1025, Long.MIN_VALUE, Long.MAX_VALUE})
  void onesThatCannotBe(long ones) {
    Shape shape = new Shape(Layout.LINE, 1024, 6);
    refusesSaying("setBits must be 0 to 1024, got " + ones, () -> KeyCounts.keys(shape, ones));
  }

  /** Freely drawn bits of a line meet, so that the formula of the classic filter is 1 % low. */
  @Test
  void linesAreNotCountedAsIfClassic() {
    Shape line = new Shape(Layout.LINE, 512_000, 16);
    Shape classic = new Shape(Layout.CLASSIC, 512_000, 16);
    double ratio = KeyCounts.keys(classic, 256_000).value() / KeyCounts.keys(line, 256_000).value();
    assertThat(ratio).isBetween(0.98, 0.99);
  }

  private static Shape shape(Layout layout) {
    return new Shape(layout, 2048, Math.max(8, layout.minHashes()));
  }

  private static long ones(Shape shape, long keys, SplittableRandom random) {
    long[] words = Simulation.empty(shape);
    Simulation.put(shape, words, keys, random);
    return Simulation.setBits(words);
  }

  /** What many filters with the same number of keys are estimated to hold. */
  private record Trial(
      Shape shape, long keys, Simulation.Mean mean, double width, double coverage) {

    static Trial of(Shape shape, long keys, int filters) {
      SplittableRandom random = new SplittableRandom(shape.bits() * 1_000_003 + keys);
      double[] values = new double[filters];
      double width = 0;
      int covered = 0;
      for (int i = 0; i < filters; i++) {
        Estimate estimate = KeyCounts.keys(shape, ones(shape, keys, random));
        values[i] = estimate.value();
        width += (estimate.high() - estimate.low()) / filters;
        covered += estimate.low() <= keys && keys <= estimate.high() ? 1 : 0;
      }
      return new Trial(shape, keys, Simulation.Mean.of(values), width, (double) covered / filters);
    }
  }
}
