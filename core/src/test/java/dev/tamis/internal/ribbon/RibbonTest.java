package dev.tamis.internal.ribbon;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.tamis.Keys;
import dev.tamis.internal.bits.Mixing;
import dev.tamis.internal.bits.WordArrays;
import dev.tamis.internal.hashes.HashCollector;
import dev.tamis.internal.hashes.SortedHashes;
import dev.tamis.sizing.RibbonSizing;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RibbonTest {

  private static final double[] FPPS = {
    0.9, 0.5, 0.3, 0.25, 0.01, 1e-3, 1e-6, RibbonSizing.MIN_FPP
  };

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 10, 66, 67, 68, 134, 135, 1_000, 30_000})
  void holdsAllHashesAtEveryFpp(int keys) {
    for (double fpp : FPPS) {
      Ribbon ribbon = build(sorted(Keys.hashes(1, keys)), fpp);
      assertThat(Keys.hashes(1, keys).allMatch(ribbon::mightContain)).isTrue();
      assertThat(ribbon.fpp()).isLessThanOrEqualTo(fpp);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.9, 0.5, 0.3, 0.25, 0.1, 0.03, 0.01, 1e-3, 1e-4})
  void itsFppIsTheOneMeasured(double fpp) {
    Ribbon ribbon = build(sorted(Keys.hashes(4, 30_000)), fpp);
    long queries = 2_000_000;

    long found = Keys.hashes(5, queries).filter(ribbon::mightContain).count();

    double expected = ribbon.fpp() * queries;
    assertThat((double) found).isCloseTo(expected, within(5 * Math.sqrt(expected)));
    assertThat(ribbon.fpp()).isBetween(0.99 * fpp, fpp);
  }

  /** The golden file has one layer; this has thresholds and layers that may not change either. */
  @Test
  void theWordsNeverChange() {
    Ribbon ribbon = build(sorted(Keys.hashes(13, 100_000)), 0.01);
    assertThat(ribbon.layers()).isEqualTo(3);
    assertThat(Arrays.hashCode(WordArrays.of(ribbon.words()))).isEqualTo(482479768);
  }

  @Test
  void isTheSameByHoweverManyThreads() {
    int keys = (int) (4 * RibbonElimination.MIN_SECTION_KEYS) + 1;
    SortedHashes hashes = sorted(Keys.hashes(14, keys));
    Ribbon byOne = Ribbon.build(hashes, 0.01, 1);
    assertThat(Keys.hashes(14, keys).allMatch(byOne::mightContain)).isTrue();
    double bits = byOne.words().count() * 64.0;
    assertThat(bits).isCloseTo(RibbonSizing.bits(keys, 0.01), withinPercentage(0.1));
    for (int threads : new int[] {2, 3, 8}) {
      assertThat(Ribbon.build(hashes, 0.01, threads).words()).isEqualTo(byOne.words());
    }
  }

  @Test
  void theFppOfSectionsIsTheOneMeasured() {
    int keys = (int) (2 * RibbonElimination.MIN_SECTION_KEYS);
    Ribbon ribbon = build(sorted(Keys.hashes(15, keys)), 0.03);
    long found = Keys.hashes(16, 2_000_000).filter(ribbon::mightContain).count();
    double expected = ribbon.fpp() * 2_000_000;
    assertThat((double) found).isCloseTo(expected, within(5 * Math.sqrt(expected)));
    assertThat(ribbon.fpp()).isBetween(0.99 * 0.03, 0.03);
  }

  @Test
  void aLayerOfFewKeysHardlyEverBumpsAny() {
    for (int keys = 1; keys <= 67; keys++) {
      for (int stream = 0; stream < 200; stream++) {
        assertThat(build(sorted(Keys.hashes(stream, keys)), 0.01).layers()).isEqualTo(1);
      }
    }
  }

  @Test
  void layersAreFew() {
    for (int keys = 68; keys < 20_000; keys += keys / 5) {
      for (int stream = 0; stream < 20; stream++) {
        Ribbon ribbon = build(sorted(Keys.hashes(stream, keys)), 0.25);
        assertThat(ribbon.layers()).isBetween(1, 4);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {63, 64, 65, 1_023, 1_024, 1_025, 100_000})
  void hashesThatAreNotMixedCostALayer(int keys) {
    Ribbon ribbon = build(sorted(LongStream.range(0, keys)), 0.01);
    assertThat(LongStream.range(0, keys).allMatch(ribbon::mightContain)).isTrue();
    assertThat(ribbon.layers()).isLessThanOrEqualTo(6);
    assertThat((double) Keys.hashes(6, 100_000).filter(ribbon::mightContain).count())
        .isLessThan(100_000 * 0.01 + 5 * Math.sqrt(1_000));
  }

  @Test
  void hashesWithGapsAreHeld() {
    long[] hashes =
        LongStream.concat(
                LongStream.range(-70, 70), Keys.hashes(6, 50_000).map(hash -> hash | 7L << 61))
            .toArray();
    Ribbon ribbon = build(sorted(Arrays.stream(hashes)), 0.01);
    assertThat(Arrays.stream(hashes).allMatch(ribbon::mightContain)).isTrue();
    assertThat(ribbon.fpp()).isLessThanOrEqualTo(0.01);
  }

  @Test
  void hashesChosenToMeetInEveryLayerComeToAnEnd() {
    // 100 keys have 128 starts: these are all at the first of them in the first three layers
    long[] hashes =
        LongStream.iterate(0, hash -> hash + 1)
            .filter(hash -> RibbonLayer.below(hash) >>> 57 == 0)
            .filter(hash -> RibbonLayer.below(RibbonLayer.below(hash)) >>> 57 == 0)
            .limit(100)
            .toArray();

    Ribbon ribbon = build(sorted(Arrays.stream(hashes)), 1e-6);

    assertThat(ribbon.layers()).isBetween(4, 5);
    assertThat(Arrays.stream(hashes).allMatch(ribbon::mightContain)).isTrue();
    assertThat(Keys.hashes(7, 1_000_000).filter(ribbon::mightContain).count()).isLessThan(10);
  }

  @Test
  void equationsThatDifferOnlyInResultsEndInDifferentLayersOrPlaces() {
    // the first coefficient is always one, so that two hashes share each value of the others
    long even = Keys.hashes(8, 1).map(RibbonTest::undraw).findFirst().orElseThrow();
    long odd = undraw(RibbonLayer.coefficients(even) ^ (RibbonLayer.coefficients(even) & 1));
    long one = undraw(RibbonLayer.coefficients(even));
    assertThat(RibbonLayer.coefficients(odd)).isEqualTo(RibbonLayer.coefficients(one));
    Ribbon ribbon = build(sorted(LongStream.of(one, odd)), 1e-9);
    assertThat(ribbon.mightContain(one) && ribbon.mightContain(odd)).isTrue();
  }

  @Test
  void whatIsReadIsChecked() {
    Ribbon ribbon = build(sorted(Keys.hashes(9, 10_000)), 0.01);
    long[] words = WordArrays.of(ribbon.words());
    int layers = ribbon.layers();
    assertThat(Ribbon.of(ribbon.words(), 7, layers).fpp()).isEqualTo(ribbon.fpp());

    assertRefused(words, 7, layers + 1, "the words end before layer");
    assertRefused(words, 7, layers - 1, "the layers must end at word");
    assertRefused(new long[] {1}, 7, 1, "the words end before layer");
    assertRefused(Arrays.copyOf(words, words.length - 1), 7, layers, "a layer must end by word");
    assertRefused(Arrays.copyOf(words, words.length + 1), 7, layers, "layers must end at word");
    for (long blocks : new long[] {Long.MIN_VALUE, -1, 0, 1, Ribbon.MAX_BLOCKS + 1, 1L << 62}) {
      assertRefused(with(words, 0, blocks), 7, layers, "blocks must be 2 to 274877906944, got");
    }
    assertRefused(with(words, 0, Ribbon.MAX_BLOCKS), 32, layers, "a layer must end by word");
    for (long narrow : new long[] {Long.MIN_VALUE, -1, words[0] + 1, Long.MAX_VALUE}) {
      assertRefused(with(words, 1, narrow), 7, layers, "narrow blocks must be 0 to");
    }
    int thresholds = (int) RibbonThresholds.words(words[0]);
    assertRefused(
        with(words, 1 + thresholds, words[1 + thresholds] | 1L << 63), 7, layers, "zeros must");
  }

  @Test
  void theLastLayerBumpsNothing() {
    Ribbon ribbon = build(sorted(Keys.hashes(10, 10)), 0.01);
    assertThat(ribbon.layers()).isEqualTo(1);
    assertRefused(
        with(WordArrays.of(ribbon.words()), 2, 1), 7, 1, "thresholds must be 0 in the last layer");
  }

  @Test
  void hostileThresholdsAndColumnsAreOnlyWrong() {
    Ribbon ribbon = build(sorted(Keys.hashes(11, 10_000)), 0.01);
    long[] words = WordArrays.of(ribbon.words());
    Arrays.fill(words, 2, 2 + (int) RibbonThresholds.words(words[0]) - 1, -1);
    Ribbon hostile = Ribbon.of(WordArrays.of(words), 7, ribbon.layers());
    Keys.hashes(12, 100_000).forEach(hostile::mightContain);
    assertThat(hostile.fpp()).isBetween(0.0, 0.02);
  }

  private static void assertRefused(long[] words, int columns, int layers, String message) {
    refuses(() -> Ribbon.of(WordArrays.of(words), columns, layers), message);
  }

  private static long[] with(long[] words, int index, long word) {
    long[] copy = words.clone();
    copy[index] = word;
    return copy;
  }

  private static long undraw(long draw) {
    long z = draw ^ draw >>> 31 ^ draw >>> 62;
    z *= 0x319642B2D24D8EC3L;
    z ^= z >>> 27 ^ z >>> 54;
    z *= 0x96DE1B173F119089L;
    z ^= z >>> 30 ^ z >>> 60;
    return z - Mixing.GOLDEN;
  }

  private static Ribbon build(SortedHashes hashes, double fpp) {
    return Ribbon.build(hashes, fpp, 1);
  }

  private static SortedHashes sorted(LongStream hashes) {
    HashCollector collector = new HashCollector();
    hashes.forEach(collector::put);
    return collector.sorted(1);
  }
}
