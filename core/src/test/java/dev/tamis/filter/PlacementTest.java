package dev.tamis.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.internal.bits.Placement;
import dev.tamis.internal.bits.Stripes;
import dev.tamis.internal.bits.WordArrays;
import dev.tamis.internal.bits.Words;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every placement against its definition, which is {@link Placement#position}. */
class PlacementTest {

  private static final int KEYS = 500;
  private static final int WORDS_PER_LINE = Layout.LINE_BITS / Long.SIZE;
  private static final long[] EXTREMES = {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE};

  @ParameterizedTest
  @MethodSource("specs")
  void positionsLieWithinTheBits(Spec spec) {
    for (long hash : hashes(1)) {
      assertThat(spec.positions(hash)).allMatch(bit -> bit >= 0 && bit < spec.bits);
    }
  }

  @ParameterizedTest
  @MethodSource("specs")
  void putSetsJustTheBitsThatPositionNames(Spec spec) {
    for (long hash : hashes(2)) {
      Words words = spec.words();
      spec.placement.put(words, hash);
      assertThat(bitsOf(words)).isEqualTo(spec.bitsOf(hash));
    }
  }

  @ParameterizedTest
  @MethodSource("specs")
  void putIsTrueIfAnyBitWasZero(Spec spec) {
    Words words = spec.words();
    for (long hash : hashes(3)) {
      boolean anyZero = spec.positions(hash).anyMatch(bit -> !isSet(words, bit));
      assertThat(spec.placement.put(words, hash)).isEqualTo(anyZero);
    }
  }

  /** A peek, which may skip some of the bits, never denies what might be there. */
  @ParameterizedTest
  @MethodSource("specs")
  void mightContainIsTrueIfAllBitsAreSet(Spec spec) {
    Words words = spec.filledWords();
    for (long hash : hashes(4)) {
      boolean allSet = spec.positions(hash).allMatch(bit -> isSet(words, bit));
      assertThat(spec.placement.mightContain(words, hash)).isEqualTo(allSet);
      assertThat(spec.placement.mightContainBranchless(words, hash)).isEqualTo(allSet);
      assertThat(spec.placement.peek(words, hash)).isBetween(allSet ? 1L : 0L, 1L);
    }
  }

  @ParameterizedTest
  @MethodSource("specs")
  void missesAKeyOnceAnyOneOfItsBitsIsZero(Spec spec) {
    Words words = spec.words();
    Words full = spec.words();
    for (long word = 0; word < full.count(); word++) {
      full.set(word, -1);
    }
    for (long hash : Arrays.copyOf(hashes(5), 100)) {
      for (long bit : spec.positions(hash).toArray()) {
        words.copyFrom(full);
        words.set(bit >>> 6, ~(1L << bit));
        assertThat(spec.placement.mightContain(words, hash)).isFalse();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("specs")
  void puttingWithTheStripesOfTheKeyDoesWhatPutDoes(Spec spec) {
    Words plain = spec.words();
    Words locked = spec.words();
    Stripes stripes = Stripes.forWords(plain.count());
    for (long hash : hashes(6)) {
      long held = spec.placement.lock(stripes, hash);
      assertThat(spec.placement.putLocked(locked, hash)).isEqualTo(spec.placement.put(plain, hash));
      spec.placement.unlock(stripes, held);
      assertThat(locked).isEqualTo(plain);
    }
    stripes.lockAll(); // hangs if one was not released
  }

  @ParameterizedTest
  @MethodSource("specs")
  void mergingSetsTheBitsOfBoth(Spec spec) {
    Words words = spec.words();
    Words others = spec.words();
    Words both = spec.words();
    Arrays.stream(hashes(11)).forEach(hash -> spec.placement.put(words, hash));
    Arrays.stream(hashes(12)).limit(40).forEach(hash -> spec.placement.put(others, hash));
    both.or(0, words);
    both.or(0, others);
    Stripes stripes = Stripes.forWords(words.count());
    Words inParts = words.copy();
    spec.placement.merge(words, stripes, 0, others);
    assertThat(words).isEqualTo(both);
    for (long start = 0; start < others.count(); start += WORDS_PER_LINE) {
      spec.placement.merge(inParts, stripes, start, lineOf(others, start));
    }
    assertThat(inParts).isEqualTo(both);
    stripes.lockAll();
  }

  private static Words lineOf(Words words, long start) {
    Words line = Words.allocate(Math.min(WORDS_PER_LINE, words.count() - start));
    for (long i = 0; i < line.count(); i++) {
      line.set(i, words.get(start + i));
    }
    return line;
  }

  @ParameterizedTest
  @MethodSource("specs")
  void allBitsAreEquallyLikely(Spec spec) {
    int cells = Math.min(spec.bits, 512);
    long[] counts = new long[cells];
    int keys = 200_000;
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < keys; i++) {
      long bit = spec.placement.position(random.nextLong(), i % spec.placement.probes());
      counts[(int) (bit * cells / spec.bits)]++;
    }

    double chiSquare = 0;
    for (int cell = 0; cell < cells; cell++) {
      double expected = (double) keys * spec.bitsInCell(cell, cells) / spec.bits;
      chiSquare += (counts[cell] - expected) * (counts[cell] - expected) / expected;
    }

    // six standard deviations; less is no fault, since words and slices alternate
    assertThat(chiSquare).isLessThan(cells - 1 + 6 * Math.sqrt(2.0 * cells));
  }

  @ParameterizedTest
  @MethodSource("specs")
  void fppIsTheShareOfRandomKeysThatFindAllBitsSet(Spec spec) {
    Words words = spec.filledWords();
    double fpp = spec.placement.fpp(words);
    int queries = 200_000;

    long hits =
        new SplittableRandom(9)
            .longs(queries)
            .filter(hash -> spec.placement.mightContain(words, hash))
            .count();

    assertThat((double) hits)
        .isCloseTo(queries * fpp, within(5 * Math.sqrt(queries * fpp * (1 - fpp)) + 1));
  }

  @ParameterizedTest
  @MethodSource("specs")
  void fppIsZeroWithoutOnesAndOneWithoutZeros(Spec spec) {
    Words words = spec.words();
    assertThat(spec.placement.fpp(words)).isZero();
    for (int bit = 0; bit < spec.bits; bit++) {
      words.set(bit / 64, words.get(bit / 64) | 1L << bit);
    }
    assertThat(spec.placement.fpp(words)).isCloseTo(1, within(1e-12));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void theTwoLinesOfAKeyDiffer(Spec spec) {
    for (long hash : hashes(10)) {
      assertThat(spec.placement.position(hash, 0) / 512)
          .isNotEqualTo(spec.placement.position(hash, spec.placement.probes() - 1) / 512);
    }
  }

  /** Small arrays and a larger one, with the fewest, the most and some hashes in between. */
  static Stream<Spec> specs() {
    return Stream.of(Layout.values()).flatMap(PlacementTest::specs);
  }

  static Stream<Spec> pairs() {
    return specs().filter(spec -> spec.layout.linesPerKey() == 2);
  }

  private static Stream<Spec> specs(Layout layout) {
    int step = layout.hashStep();
    return IntStream.of(step, 7 * step, 8 * step, layout.maxHashes())
        .filter(hashes -> hashes <= layout.maxHashes())
        .distinct()
        .boxed()
        .flatMap(
            hashes ->
                LongStream.of(64, 65, 512, 1_000, 1_024, 1_536, 51_200, 100_003)
                    .map(bits -> bits * (layout == Layout.PARTITIONED ? hashes : 1))
                    .filter(bits -> bits % layout.granularity(hashes) == 0)
                    .filter(bits -> bits >= (long) layout.linesPerKey() * Layout.LINE_BITS)
                    .mapToObj(bits -> Spec.of(layout, (int) bits, hashes)));
  }

  private static long[] hashes(long seed) {
    return LongStream.concat(Arrays.stream(EXTREMES), new SplittableRandom(seed).longs(KEYS))
        .toArray();
  }

  private static boolean isSet(Words words, long bit) {
    return (words.get(bit >>> 6) & (1L << bit)) != 0;
  }

  private static BitSet bitsOf(Words words) {
    return BitSet.valueOf(WordArrays.of(words));
  }

  record Spec(Layout layout, Placement placement, int bits) {

    static Spec of(Layout layout, int bits, int hashes) {
      Placement placement = BitPositions.placement(new Shape(layout, bits, hashes));
      return new Spec(layout, placement, bits);
    }

    LongStream positions(long hash) {
      return IntStream.range(0, placement.probes())
          .mapToLong(probe -> placement.position(hash, probe));
    }

    BitSet bitsOf(long hash) {
      BitSet set = new BitSet(bits);
      positions(hash).forEach(bit -> set.set((int) bit));
      return set;
    }

    Words words() {
      return Words.allocate((bits + 63) / 64);
    }

    /** Returns words with about half of the bits set, by keys. */
    Words filledWords() {
      Words words = words();
      new SplittableRandom(8)
          .longs(Math.max(1, (long) (0.7 * bits / placement.probes())))
          .forEach(hash -> placement.put(words, hash));
      return words;
    }

    /** Returns how many bits the mapping bit → bit · cells / bits puts into a cell. */
    long bitsInCell(long cell, long cells) {
      return ((cell + 1) * bits + cells - 1) / cells - (cell * bits + cells - 1) / cells;
    }

    @Override
    public String toString() {
      return layout.label() + " of " + bits + " bits, " + placement.probes() + " probes";
    }
  }
}
