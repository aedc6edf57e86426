package dev.tamis.internal.bits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.sizing.Layout;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Placements against their definition, which is {@link Placement#position}. A subclass has a static
 * method {@code specs}.
 */
public abstract class PlacementConformance {

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
      assertThat(spec.placement.put(words, hash)).isTrue();
      assertThat(spec.placement.put(words, hash)).isFalse();
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

  protected static long[] hashes(long seed) {
    return LongStream.concat(Arrays.stream(EXTREMES), new SplittableRandom(seed).longs(KEYS))
        .toArray();
  }

  private static boolean isSet(Words words, long bit) {
    return (words.get(bit >>> 6) & (1L << bit)) != 0;
  }

  private static BitSet bitsOf(Words words) {
    return BitSet.valueOf(WordArrays.of(words));
  }

  /** A placement and the bits of its array. */
  public record Spec(String name, Placement placement, int bits) {

    LongStream positions(long hash) {
      return IntStream.range(0, placement.probes())
          .mapToLong(probe -> placement.position(hash, probe));
    }

    BitSet bitsOf(long hash) {
      BitSet set = new BitSet(bits);
      positions(hash).forEach(bit -> set.set((int) bit));
      return set;
    }

    public Words words() {
      return Words.allocate((bits + 63) / 64);
    }

    /** Returns words with about half of the bits set, by keys. */
    public Words filledWords() {
      Words words = words();
      new SplittableRandom(8)
          .longs(Math.max(1, (long) (0.7 * bits / placement.probes())))
          .forEach(hash -> placement.put(words, hash));
      return words;
    }

    @Override
    public String toString() {
      return name;
    }
  }
}
