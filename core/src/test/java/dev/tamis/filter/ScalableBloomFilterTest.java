package dev.tamis.filter;

import static dev.tamis.Refusal.refuses;
import static dev.tamis.Refusal.refusesSaying;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.Estimate;
import dev.tamis.Keys;
import dev.tamis.MergeableConformance;
import dev.tamis.Thorough;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.FppText;
import dev.tamis.sizing.Layout;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What growth adds to the suites. */
class ScalableBloomFilterTest {

  private static final int THOUSANDFOLD = 1_000_000;

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.01, 1e-4})
  void keepsItsFppAfterGrowingAThousandfold(double fpp) {
    ScalableBloomFilter<Long> filter = grown(1_000, fpp, THOUSANDFOLD);
    long queries = Math.min(10_000_000, (long) (2_000 / fpp));

    long wrong = Keys.hashes(2, queries).filter(filter::mightContainHash).count();

    assertThat(filter.expectedFpp()).isLessThanOrEqualTo(fpp);
    assertThat((double) wrong).isLessThan(fpp * queries + 5 * Math.sqrt(fpp * queries));
    double expected = filter.expectedFpp() * queries;
    assertThat((double) wrong).isCloseTo(expected, within(5 * Math.sqrt(expected)));
  }

  @Test
  void sharesWhatIsKnownUntilItGrows() {
    ScalableBloomFilter<Long> first = ScalableBloomFilter.create(KeyHasher.longs(), 1_000, 0.01);
    ScalableBloomFilter<Long> second = ScalableBloomFilter.create(KeyHasher.longs(), 1_000, 0.01);
    Keys.hashes(1, 500).forEach(first::putHash);
    Keys.hashes(1, 250).forEach(second::putHash);
    Keys.hashes(2, 250).forEach(second::putHash);
    assertThat(first.estimateOverlap(second))
        .isEqualTo(first.stages().get(0).estimateOverlap(second.stages().get(0)));
    assertThat(first.estimateOverlap(second).intersection().value()).isBetween(230.0, 270.0);
    Keys.hashes(3, 2_000).forEach(second::putHash);
    refusesSaying(
        "the number of stages must be 1 in both filters, got 1 and " + second.stages().size(),
        () -> first.estimateOverlap(second));
  }

  @Test
  void holdsEveryKeyAfterGrowingAThousandfold() {
    ScalableBloomFilter<Long> filter = grown(1_000, 0.01, THOUSANDFOLD);
    assertThat(Keys.hashes(1, THOUSANDFOLD).allMatch(filter::mightContainHash)).isTrue();
    assertThat(Keys.hashes(1, THOUSANDFOLD).noneMatch(filter::putHash)).isTrue();
  }

  /** Full after growing 1023-fold; classic stages take 16.4 bits and twice the time. */
  @Test
  void takesSeventeenPointSixBitsPerKeyAtMost() {
    ScalableBloomFilter<Long> filter = grown(1_000, 0.01, fullAfter(1_000, 10));
    assertThat(filter.stages()).hasSize(10);
    assertThat((double) filter.bitSize() / filter.acceptedKeys()).isLessThanOrEqualTo(17.6);
  }

  @Test
  void theLayoutIsTheCallersOrFollowsFromTheFpp() {
    assertThat(layoutAt(0.3)).isEqualTo(Layout.LINE);
    assertThat(layoutAt(0.02)).isEqualTo(Layout.SPLIT);
    assertThat(layoutAt(0.01)).isEqualTo(Layout.SPLIT_PAIR);
    assertThat(layoutAt(1e-6)).isEqualTo(Layout.SPLIT_PAIR);
    ScalableBloomFilter<Long> filter =
        ScalableBloomFilter.<Long>builder(KeyHasher.longs())
            .initialKeys(10)
            .fpp(0.01)
            .layout(Layout.CLASSIC)
            .build();
    Keys.hashes(1, 1_000).forEach(filter::putHash);
    assertThat(filter.stages()).allMatch(stage -> stage.shape().layout() == Layout.CLASSIC);
  }

  private static Layout layoutAt(double fpp) {
    return ScalableBloomFilter.create(KeyHasher.longs(), 1_000, fpp)
        .stages()
        .get(0)
        .shape()
        .layout();
  }

  @Test
  void mergedFiltersHoldTheKeysOfBothWithinTheFppTheySay() {
    ScalableBloomFilter<Long> merged = grown(1, 1_000, 0.01, 30_000);
    ScalableBloomFilter<Long> other = grown(2, 1_000, 0.01, 20_000);
    merged.putAll(other);

    assertThat(Keys.hashes(1, 30_000).allMatch(merged::mightContainHash)).isTrue();
    assertThat(Keys.hashes(2, 20_000).allMatch(merged::mightContainHash)).isTrue();
    assertThat(merged.fpp()).isBetween(0.01, 0.02);
    assertThat((double) merged.acceptedKeys()).isBetween(49_000.0, 51_000.0);
    Keys.hashes(3, 1_000_000).forEach(merged::putHash);
    assertThat(merged.expectedFpp()).isLessThanOrEqualTo(merged.fpp());
    long wrong = Keys.hashes(4, 300_000).filter(merged::mightContainHash).count();
    assertThat((double) wrong).isLessThan(merged.fpp() * 300_000 + 5 * Math.sqrt(6_000));
    assertThat(other).isEqualTo(grown(2, 1_000, 0.01, 20_000));
  }

  @Test
  void stagesWithRoomForBothBecomeOneAndTheFppStays() {
    ScalableBloomFilter<Long> merged = grown(1, 1_000, 0.01, 400);
    merged.putAll(grown(2, 1_000, 0.01, 500));
    ScalableBloomFilter<Long> both = grown(1, 1_000, 0.01, 400);
    Keys.hashes(2, 500).forEach(both::putHash);
    assertThat(merged).isEqualTo(both);
    assertThat(merged.fpp()).isEqualTo(0.01);

    merged.putAll(grown(3, 1_000, 0.01, 500));
    assertThat(merged.stages()).hasSize(2);
    assertThat(merged.fpp()).isGreaterThan(0.01);
  }

  @Test
  void mergingIsRefusedAndChangesNothingWhereItCannotBe() {
    ScalableBloomFilter<Long> filter = grown(1, 1_000, 0.01, 2_000);
    refuses(() -> filter.putAll(seeded(1)), "seed differs: 0 and 1");
    refuses(
        () -> {
          for (int i = 0; i < 100; i++) {
            filter.putAll(grown(i, 100, 0.001, 5_000));
          }
        },
        "stages of at most 64");
    assertThat(filter.stages()).hasSizeLessThanOrEqualTo(64);
    assertThat(Keys.hashes(1, 2_000).allMatch(filter::mightContainHash)).isTrue();
    ScalableBloomFilter<Long> coarse = grown(1, 1_000, 0.6, 200_000);
    refuses(() -> coarse.putAll(grown(1, 700, 0.6, 200_000)), "an fpp of 1.");
    assertThat(coarse).isEqualTo(grown(1, 1_000, 0.6, 200_000));
  }

  @Test
  void mergingWithItselfOrTwiceChangesNothing() {
    ScalableBloomFilter<Long> filter = grown(1, 1_000, 0.01, 30_000);
    filter.putAll(filter);
    assertThat(filter).isEqualTo(grown(1, 1_000, 0.01, 30_000));
    filter.putAll(grown(2, 1_000, 0.01, 20_000));
    ScalableBloomFilter<Long> once = filter.copy();
    filter.putAll(grown(2, 1_000, 0.01, 20_000));
    assertThat(filter).isEqualTo(once);
    assertThat(filter.fpp()).isEqualTo(once.fpp());
  }

  @Test
  void mergedFiltersAreWrittenAndRead() throws IOException {
    ScalableBloomFilter<Long> merged = grown(1, 1_000, 0.01, 30_000);
    merged.putAll(grown(2, 700, 0.02, 9_000));
    assertThat(readBack(merged)).isEqualTo(merged);
  }

  @Test
  void aCopyGoesItsOwnWay() {
    ScalableBloomFilter<Long> filter = grown(1, 100, 0.01, 1_000);
    ScalableBloomFilter<Long> copy = filter.copy();
    assertThat(copy).isEqualTo(filter);
    assertThat(copy.acceptedKeys()).isEqualTo(filter.acceptedKeys());
    Keys.hashes(2, 1_000).forEach(copy::putHash);
    assertThat(filter).isEqualTo(grown(1, 100, 0.01, 1_000)).isNotEqualTo(copy);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 0.01, 1e-6})
  void theStagesShareTheFpp(double fpp) {
    ScalableBloomFilter<Long> filter = grown(10, fpp, 100_000);
    List<BloomFilter<Long>> stages = filter.stages();

    assertThat(stages).hasSizeGreaterThan(10);
    assertThat(stages.stream().mapToDouble(BloomFilter::fpp).sum()).isLessThanOrEqualTo(fpp);
    for (int i = 1; i < stages.size(); i++) {
      BloomFilter<Long> before = stages.get(i - 1);
      assertThat(stages.get(i).expectedKeys()).isEqualTo(2 * before.expectedKeys());
      assertThat(stages.get(i).fpp()).isEqualTo(0.85 * before.fpp());
      assertThat(stages.get(i).hashId()).isEqualTo(before.hashId());
    }
  }

  @Test
  void aStageTakesItsKeysAndNoMore() {
    ScalableBloomFilter<Long> filter = grown(100, 0.01, 100_000);
    List<BloomFilter<Long>> full = filter.stages().subList(0, filter.stages().size() - 1);
    assertThat(full).allMatch(stage -> stage.acceptedKeys() == stage.expectedKeys());
  }

  @Test
  void growsWithTheFirstKeyTooManyAndNotBefore() {
    ScalableBloomFilter<Long> filter = ScalableBloomFilter.create(KeyHasher.longs(), 100, 0.01);
    long key = 0;
    while (filter.acceptedKeys() < 100) {
      filter.put(key++);
    }
    assertThat(filter.stages()).hasSize(1);
    for (long known = 0; known < key; known++) {
      assertThat(filter.put(known)).isFalse();
    }
    assertThat(filter.stages()).hasSize(1);
    while (!filter.put(key)) {
      key++;
    }
    assertThat(filter.stages()).hasSize(2);
  }

  @Test
  void aKeyIsInOneStageOnly() {
    ScalableBloomFilter<Long> filter = grown(100, 0.01, 10_000);
    ScalableBloomFilter<Long> again = grown(100, 0.01, 10_000);
    Keys.hashes(1, 10_000).forEach(again::putHash);
    assertThat(again).isEqualTo(filter);
    assertThat(again.acceptedKeys()).isEqualTo(filter.acceptedKeys());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.01})
  void expectsTheWrongDropsThereAreWhileGrowing(double fpp) {
    long dropped = 0;
    double expected = 0;
    for (int i = 0; i < 10; i++) {
      ScalableBloomFilter<Long> filter = ScalableBloomFilter.create(KeyHasher.longs(), 100, fpp);
      dropped += Keys.hashes(i, 100_000).filter(hash -> !filter.putHash(hash)).count();
      expected += filter.expectedWrongDrops();
    }
    assertThat((double) dropped)
        .isCloseTo(expected, within(5 * Math.sqrt(expected) + 0.03 * expected));
  }

  @Test
  void keepsItsFppWhenWrittenAndReadAgainAndAgain() throws IOException {
    double fpp = 0.01;
    ScalableBloomFilter<Long> filter = ScalableBloomFilter.create(KeyHasher.longs(), 1_000, fpp);
    for (int round = 0; round < 100; round++) {
      Keys.hashes(round, 1_000).forEach(filter::putHash);
      filter = readBack(filter);
    }
    for (int round = 0; round < 100; round++) {
      assertThat(Keys.hashes(round, 1_000).allMatch(filter::mightContainHash)).isTrue();
    }
    assertThat(filter.expectedFpp()).isLessThanOrEqualTo(fpp);
    assertThat((double) filter.acceptedKeys()).isBetween(97_000.0, 101_000.0);
  }

  @Test
  void seedsMakeDifferentFilters() {
    ScalableBloomFilter<Long> one = seeded(1);
    ScalableBloomFilter<Long> two = seeded(2);
    assertThat(one.hashOf(7L)).isNotEqualTo(two.hashOf(7L));
    one.put(7L);
    two.put(7L);
    assertThat(one).isNotEqualTo(two);
    assertThat(one.hashId().number()).isEqualTo(1);
    assertThat(one.fpp()).isEqualTo(0.01);
  }

  @Test
  void equalityIsTheFppAndTheStages() {
    ScalableBloomFilter<Long> filter = grown(100, 0.01, 500);
    assertThat(filter)
        .isEqualTo(grown(100, 0.01, 500))
        .hasSameHashCodeAs(grown(100, 0.01, 500))
        .isNotEqualTo(grown(100, 0.01, 501))
        .isNotEqualTo(grown(100, 0.02, 500))
        .isNotEqualTo("a filter");
  }

  @Test
  void theStagesAreForReadingOnly() {
    List<BloomFilter<Long>> stages = grown(100, 0.01, 500).stages();
    refuses(UnsupportedOperationException.class, stages::clear);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1, -0.1, 1.5, Double.NaN, Double.POSITIVE_INFINITY})
  void anFppThatIsNoProbabilityIsRefused(double fpp) {
    refusesSaying(
        "fpp must be in (0, 1), got " + FppText.exact(fpp),
        () -> ScalableBloomFilter.create(KeyHasher.longs(), 100, fpp));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void aFirstStageWithoutKeysIsRefused(long keys) {
    refuses(
        () -> ScalableBloomFilter.create(KeyHasher.longs(), keys, 0.01),
        "eys must be at least 1, got " + keys);
  }

  private static ScalableBloomFilter<Long> seeded(long seed) {
    return ScalableBloomFilter.<Long>builder(KeyHasher.longs()).fpp(0.01).seed(seed).build();
  }

  private static ScalableBloomFilter<Long> grown(long initialKeys, double fpp, long keys) {
    return grown(1, initialKeys, fpp, keys);
  }

  private static ScalableBloomFilter<Long> grown(
      long stream, long initialKeys, double fpp, long keys) {
    ScalableBloomFilter<Long> filter =
        ScalableBloomFilter.create(KeyHasher.longs(), initialKeys, fpp);
    Keys.hashes(stream, keys).forEach(filter::putHash);
    return filter;
  }

  private static long fullAfter(long initialKeys, int stages) {
    return initialKeys * ((1L << stages) - 1);
  }

  private static ScalableBloomFilter<Long> readBack(ScalableBloomFilter<Long> filter)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return ScalableBloomFilter.readFrom(
        new ByteArrayInputStream(out.toByteArray()), KeyHasher.longs(), Long.MAX_VALUE);
  }

  @ParameterizedTest
  @EnumSource
  void theIntervalHoldsTheTruthHavingGrown(Layout layout) {
    for (double fpp : new double[] {0.7, 0.5, 0.1, 0.01}) {
      int trials = Thorough.or(40, 200);
      int keys = Thorough.or(10_000, 30_000);
      int held = 0;
      for (int trial = 0; trial < trials; trial++) {
        ScalableBloomFilter<Long> filter =
            ScalableBloomFilter.<Long>builder(KeyHasher.longs())
                .initialKeys(1_000)
                .fpp(fpp)
                .layout(layout)
                .build();
        Keys.hashes(trial, keys).forEach(filter::putHash);
        Estimate count = filter.approximateElementCount();
        held += count.low() <= keys && keys <= count.high() ? 1 : 0;
      }
      double slack = 3 * Math.sqrt(0.0475 * trials);
      assertThat((double) held).as("fpp %s", fpp).isGreaterThan(0.95 * trials - slack);
    }
  }

  @Test
  void mergingBesidePutsLosesNoCount() {
    MergeableConformance.assertMergingLosesNoCount(
        ScalableBloomFilter.create(KeyHasher.longs(), 1_000_000, 0.01),
        () -> ScalableBloomFilter.create(KeyHasher.longs(), 1_000_000, 0.01));
  }
}
