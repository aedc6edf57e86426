package dev.tamis.sketch;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.Overlapping.Overlap;
import dev.tamis.hash.KeyHasher;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How many keys two distinct counters share. */
class DistinctOverlapTest {

  private static final int TRIALS = 400;
  private static final int PRECISION = 8;

  /** Of 400 intervals 380 hold the truth; four standard deviations of 4.4 less are 362. */
  @ParameterizedTest
  @CsvSource({
    "1000, 1000, 1000",
    "1500, 1500, 0",
    "100, 2900, 0",
    "900, 900, 200",
    "0, 2500, 500",
    "0, 1, 3000",
    "10, 0, 3000",
    "30, 30, 3000",
    "0, 0, 3000",
    "2900, 0, 100",
    "2900, 50, 50",
    "20, 20, 20",
    "5, 0, 0",
    "1, 1, 1",
    "0, 0, 5",
  })
  void theIntervalsHoldTheTruthNineteenTimesInTwenty(int onlyFirst, int onlySecond, int both) {
    SplittableRandom random = new SplittableRandom(onlyFirst + 31L * onlySecond + 37L * both);
    double union = onlyFirst + onlySecond + both;
    int unions = 0;
    int intersections = 0;
    int shares = 0;
    for (int i = 0; i < TRIALS; i++) {
      Overlap overlap = overlap(random, onlyFirst, onlySecond, both, Confidence.DEFAULT);
      unions += holds(overlap.union(), union) ? 1 : 0;
      intersections += holds(overlap.intersection(), both) ? 1 : 0;
      shares += holds(overlap.jaccard().orElseThrow(), both / union) ? 1 : 0;
    }
    assertThat(unions).as("union").isGreaterThanOrEqualTo(362);
    assertThat(intersections).as("intersection").isGreaterThanOrEqualTo(362);
    assertThat(shares).as("jaccard").isGreaterThanOrEqualTo(362);
  }

  /** Where sets are alike the interval is far from the sum of the errors of three counts. */
  @Test
  void theIntervalIsNoWiderThanItNeedsToBe() {
    SplittableRandom random = new SplittableRandom(5);
    int intersections = 0;
    int shares = 0;
    for (int i = 0; i < TRIALS; i++) {
      Overlap overlap = overlap(random, 1_000, 1_000, 1_000, new Confidence(0.8));
      intersections += holds(overlap.intersection(), 1_000) ? 1 : 0;
      shares += holds(overlap.jaccard().orElseThrow(), 1 / 3.0) ? 1 : 0;
    }
    // 80 % of 400 and five standard deviations of 8
    assertThat(intersections).isBetween(280, 360);
    assertThat(shares).isBetween(280, 360);
  }

  /** The premise of the formulas: the errors of two counts correlate by the Jaccard index. */
  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.5, 0.9})
  void errorsOfTwoCountsCorrelateAsTheirSetsAreAlike(double jaccard) {
    int keys = 10_000;
    int trials = 600;
    SplittableRandom random = new SplittableRandom(11);
    int both = (int) (2 * jaccard * keys / (1 + jaccard));
    double[] sums = new double[5];
    for (int i = 0; i < trials; i++) {
      DistinctCounter<Long> first = counter(PRECISION);
      put(first, random, both);
      DistinctCounter<Long> second = first.copy();
      put(first, random, keys - both);
      put(second, random, keys - both);
      double x = first.approximateElementCount().value() / keys - 1;
      double y = second.approximateElementCount().value() / keys - 1;
      double[] terms = {x, y, x * x, y * y, x * y};
      for (int j = 0; j < terms.length; j++) {
        sums[j] += terms[j] / trials;
      }
    }
    double covariance = sums[4] - sums[0] * sums[1];
    double variances = (sums[2] - sums[0] * sums[0]) * (sums[3] - sums[1] * sums[1]);
    // four standard errors of a correlation at most
    assertThat(covariance / Math.sqrt(variances)).isCloseTo(jaccard, within(4 / Math.sqrt(trials)));
  }

  @Test
  void equalCountersHaveAllInCommonAsFarAsTheyTell() {
    DistinctCounter<Long> counter = counter(12);
    put(counter, new SplittableRandom(1), 50_000);
    Overlap overlap = counter.estimateOverlap(counter.copy());
    assertThat(overlap.intersection().value()).isEqualTo(overlap.first().value());
    Estimate jaccard = overlap.jaccard().orElseThrow();
    assertThat(jaccard.value()).isEqualTo(1);
    assertThat(jaccard.high()).isEqualTo(1);
    assertThat(jaccard.low()).isBetween(0.99, 0.9999);
  }

  @Test
  void emptyCountersShareNothingAndHaveNoJaccardIndex() {
    Overlap overlap = counter(12).estimateOverlap(counter(12));
    assertThat(overlap.union()).isEqualTo(new Estimate(0, 0, 0));
    assertThat(overlap.intersection()).isEqualTo(new Estimate(0, 0, 0));
    assertThat(overlap.jaccard()).isEmpty();
  }

  @Test
  void theCoarserOfTwoDecidesWhicheverComesFirst() {
    SplittableRandom random = new SplittableRandom(2);
    DistinctCounter<Long> fine = counter(12);
    DistinctCounter<Long> coarse = counter(8);
    random.longs(2_000).forEach(fine::putHash);
    random.longs(500).forEach(coarse::putHash);
    Overlap overlap = fine.estimateOverlap(coarse);
    assertThat(overlap).isEqualTo(coarse.estimateOverlap(fine).swapped());
    assertThat(overlap.second()).isEqualTo(coarse.approximateElementCount());
    assertThat(holds(fine.estimateOverlap(coarse, new Confidence(0.9999)).union(), 2_500)).isTrue();
    assertThat(fine.precision()).isEqualTo(12);
  }

  @Test
  void countersOfTwoSeedsAreRefused() {
    DistinctCounter<Long> other =
        DistinctCounter.<Long>builder(KeyHasher.longs()).precision(8).seed(5).build();
    refuses(() -> counter(8).estimateOverlap(other), "seed differs: 0 and 5");
  }

  @Test
  void aWiderIntervalThanTheRegistersCanGiveHasNoEnd() {
    DistinctCounter<Long> counter = counter(3);
    put(counter, new SplittableRandom(3), 100);
    Estimate sure = counter.approximateElementCount(new Confidence(0.9999));
    assertThat(sure.isBounded()).isFalse();
    assertThat(sure.value()).isFinite();
    assertThat(counter(3).approximateElementCount(new Confidence(0.9999)).high()).isZero();
  }

  private static Overlap overlap(
      SplittableRandom random, int onlyFirst, int onlySecond, int both, Confidence confidence) {
    DistinctCounter<Long> first = counter(PRECISION);
    put(first, random, both);
    DistinctCounter<Long> second = first.copy();
    put(first, random, onlyFirst);
    put(second, random, onlySecond);
    return first.estimateOverlap(second, confidence);
  }

  private static DistinctCounter<Long> counter(int precision) {
    return DistinctCounter.create(KeyHasher.longs(), precision);
  }

  private static void put(DistinctCounter<Long> counter, SplittableRandom random, int keys) {
    for (int i = 0; i < keys; i++) {
      counter.putHash(random.nextLong());
    }
  }

  private static boolean holds(Estimate estimate, double truth) {
    return estimate.low() <= truth && truth <= estimate.high();
  }
}
