package dev.tamis.sizing;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.Overlapping.Overlap;
import dev.tamis.Thorough;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Union and intersection of two filters, estimated from the set bits of each and of both. */
class OverlapTest {

  private static final int TRIALS = Thorough.or(150, 600);

  /** Four standard deviations below 95 %. */
  private static final double LEAST_COVERAGE = 0.95 - 4 * Math.sqrt(0.0475 / TRIALS);

  @ParameterizedTest
  @CsvSource({
    "CLASSIC, 7, 20000",
    "CLASSIC, 1, 20000",
    "PARTITIONED, 8, 20480",
    "LINE, 6, 20480",
    "LINE, 16, 20480",
    "SPLIT, 8, 20480",
    "SPLIT, 16, 20480",
    "SPLIT_PAIR, 16, 20480",
  })
  void intersectionIsUnbiasedAndItsIntervalHolds(Layout layout, int hashes, long bits) {
    Shape shape = new Shape(layout, bits, hashes);
    long half = shape.halfFullKeys();
    check(shape, half / 2, half / 2, half / 2);
    check(shape, half, half / 4, half / 4);
    check(shape, half / 10, half / 10, half);
    check(shape, half, half / 20, half / 20);
  }

  /** Here the estimate is cut off at 0 half of the time, so it is high by its own spread. */
  @ParameterizedTest
  @EnumSource
  void intersectionOfDisjointSetsIsCloseToNothing(Layout layout) {
    Shape shape = new Shape(layout, 20_480, Math.max(8, layout.minHashes()));
    long keys = shape.halfFullKeys() / 2;
    Trial trial = Trial.of(shape, keys, keys, 0);
    assertThat(trial.mean.value()).as("%s", trial).isBetween(0.0, 0.02 * keys);
    assertThat(trial.coverage).as("%s", trial).isGreaterThan(0.93);
  }

  @ParameterizedTest
  @EnumSource
  void intersectionOfEqualSetsIsTheSet(Layout layout) {
    Shape shape = new Shape(layout, 20_480, Math.max(8, layout.minHashes()));
    Overlap overlap = KeyCounts.overlap(shape, 5_000, 5_000, 5_000);
    Estimate set = overlap.first();
    assertThat(overlap.second()).isEqualTo(set);
    assertThat(overlap.union()).isEqualTo(set);
    assertThat(overlap.intersection().value()).isEqualTo(set.value());
    // that of a set is rounded outwards to whole keys
    assertThat(overlap.intersection().low()).isBetween(set.low() - 1e-9, set.low() + 1);
    assertThat(overlap.intersection().high()).isBetween(set.high() - 1, set.high() + 1e-9);
  }

  @ParameterizedTest
  @EnumSource
  void partOfTheWholeIsThePart(Layout layout) {
    Shape shape = new Shape(layout, 20_480, Math.max(8, layout.minHashes()));
    Overlap overlap = KeyCounts.overlap(shape, 3_000, 9_000, 9_000);
    double part = overlap.first().value();
    assertThat(overlap.intersection().value()).isCloseTo(part, within(part * 1e-12));
    assertThat(overlap.first()).isEqualTo(KeyCounts.keys(shape, 3_000));
    assertThat(overlap.second()).isEqualTo(KeyCounts.keys(shape, 9_000));
    assertThat(overlap.union()).isEqualTo(KeyCounts.keys(shape, 9_000));
  }

  @ParameterizedTest
  @EnumSource
  void emptyFiltersHaveNothingInCommon(Layout layout) {
    Shape shape = new Shape(layout, 20_480, Math.max(8, layout.minHashes()));
    Estimate nothing = new Estimate(0, 0, 0);
    assertThat(KeyCounts.overlap(shape, 0, 0, 0).intersection()).isEqualTo(nothing);
    assertThat(KeyCounts.overlap(shape, 0, 5_000, 5_000).intersection()).isEqualTo(nothing);
  }

  @ParameterizedTest
  @EnumSource
  void fullUnionSaysOnlyThatItIsNoMoreThanEither(Layout layout) {
    Shape shape = new Shape(layout, 20_480, Math.max(8, layout.minHashes()));
    Overlap overlap = KeyCounts.overlap(shape, 12_000, 15_000, 20_480);
    assertThat(overlap.union().isBounded()).isFalse();
    assertThat(overlap.intersection().low()).isZero();
    assertThat(overlap.intersection().high()).isEqualTo(overlap.first().high());

    Overlap one = KeyCounts.overlap(shape, 20_480, 100, 20_480);
    assertThat(one.intersection().high()).isEqualTo(one.second().high());

    Overlap both = KeyCounts.overlap(shape, 20_480, 20_480, 20_480);
    assertThat(both.intersection().isBounded()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "100, 200, 199", "200, 100, 199", "100, 200, 301", "0, 0, 1",
    "-1, 10, 10", "10, -1, 10", "-5, -5, -5", "10, 20, -1",
    "20481, 10, 20481", "20480, 20480, 20481",
  })
  void onesThatCannotBe(long first, long second, long union) {
    Shape shape = new Shape(Layout.SPLIT, 20_480, 8);
    refuses(() -> KeyCounts.overlap(shape, first, second, union));
  }

  @Test
  void messageGivesAllThreeNumbers() {
    Shape shape = new Shape(Layout.SPLIT, 20_480, 8);
    assertThatThrownBy(() -> KeyCounts.overlap(shape, 100, 200, 301))
        .hasMessage("the union of 100 and 200 set bits cannot have 301");
  }

  /** Sets of every likeness, from a tenth of the planned fill to three times: none is the worst. */
  @ParameterizedTest
  @CsvSource({
    "CLASSIC, 7, 5000",
    "CLASSIC, 1, 5000",
    "PARTITIONED, 8, 5120",
    "LINE, 6, 5120",
    "SPLIT, 8, 5120",
  })
  void intervalOfTheJaccardIndexHolds(Layout layout, int hashes, long bits) {
    Shape shape = new Shape(layout, bits, hashes);
    for (double fullness : new double[] {0.3, 1, 3}) {
      long keys = (long) (fullness * shape.halfFullKeys());
      for (long[] parts :
          new long[][] {
            {keys / 2, keys - keys / 2, 0},
            {keys / 10, keys * 9 / 10, 0},
            {keys / 2, keys / 2, 1},
            {keys / 3, keys / 3, keys / 3},
            {keys * 9 / 10, 0, keys / 10},
            {keys / 30, 0, keys},
            {1, 0, keys},
            {3, 3, keys},
            {0, 0, keys},
          }) {
        Trial trial = Trial.of(shape, parts[0], parts[1], parts[2]);
        // whole keys make it more, not less
        assertThat(trial.jaccardCoverage)
            .as("%s of %s at fullness %s", trial, Arrays.toString(parts), fullness)
            .isGreaterThan(LEAST_COVERAGE);
        assertThat(trial.coverage)
            .as("%s of %s at fullness %s", trial, Arrays.toString(parts), fullness)
            .isGreaterThan(LEAST_COVERAGE);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0.5", "0.8", "0.99"})
  void intervalsHoldAsOftenAsTheyAreAskedTo(double probability) {
    Shape shape = new Shape(Layout.SPLIT, 102_400, 8);
    long keys = shape.halfFullKeys() / 3;
    Trial trial = Trial.of(shape, keys, keys, keys, new Confidence(probability));
    double slack = 4 * Math.sqrt(probability * (1 - probability) / TRIALS);
    // whole keys make an interval wider
    assertThat(trial.coverage).isBetween(probability - slack, probability + slack + 0.05);
    assertThat(trial.jaccardCoverage).isBetween(probability - slack, probability + slack + 0.05);
  }

  private static void check(Shape shape, long onlyFirst, long onlySecond, long both) {
    Trial trial = Trial.of(shape, onlyFirst, onlySecond, both);
    // four standard errors, and 0.1 % of all keys for the curve of the logarithm
    double slack = 4 * trial.mean.error() + 1e-3 * (onlyFirst + onlySecond + both);
    assertThat(trial.mean.value()).as("%s", trial).isCloseTo((double) both, within(slack));
    // more where whole keys are wide
    assertThat(trial.coverage).as("%s", trial).isBetween(LEAST_COVERAGE, 1.0);
  }

  /** What many pairs of filters are estimated to have in common. */
  private record Trial(
      Shape shape, long both, Simulation.Mean mean, double coverage, double jaccardCoverage) {

    static Trial of(Shape shape, long onlyFirst, long onlySecond, long both) {
      return of(shape, onlyFirst, onlySecond, both, Confidence.DEFAULT);
    }

    static Trial of(
        Shape shape, long onlyFirst, long onlySecond, long both, Confidence confidence) {
      double share = (double) both / (onlyFirst + onlySecond + both);
      int sharesCovered = 0;
      SplittableRandom random = new SplittableRandom(shape.bits() + both);
      double[] values = new double[TRIALS];
      int covered = 0;
      for (int i = 0; i < TRIALS; i++) {
        long[] first = Simulation.empty(shape);
        Simulation.put(shape, first, both, random);
        long[] second = first.clone();
        Simulation.put(shape, first, onlyFirst, random);
        Simulation.put(shape, second, onlySecond, random);
        Overlap overlap = overlap(shape, first, second, confidence);
        Estimate jaccard = overlap.jaccard().orElseThrow();
        sharesCovered += jaccard.low() <= share && share <= jaccard.high() ? 1 : 0;
        Estimate shared = overlap.intersection();
        values[i] = shared.value();
        covered += shared.low() <= both && both <= shared.high() ? 1 : 0;
      }
      return new Trial(
          shape,
          both,
          Simulation.Mean.of(values),
          (double) covered / TRIALS,
          (double) sharesCovered / TRIALS);
    }

    private static Overlap overlap(
        Shape shape, long[] first, long[] second, Confidence confidence) {
      long[] union = first.clone();
      for (int word = 0; word < union.length; word++) {
        union[word] |= second[word];
      }
      return KeyCounts.overlap(
          shape,
          Simulation.setBits(first),
          Simulation.setBits(second),
          Simulation.setBits(union),
          confidence);
    }
  }
}
