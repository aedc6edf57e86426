package dev.tamis.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.internal.bits.Placement;
import dev.tamis.internal.bits.Stripes;
import dev.tamis.internal.bits.WordArrays;
import dev.tamis.internal.bits.Words;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The placements of foreign formats against their definition, {@link Placement#position}. */
class ForeignPlacementTest {

  private static final long[] EXTREMES = {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE};

  @ParameterizedTest
  @MethodSource("specs")
  void putSetsJustTheBitsThatPositionNames(Spec spec) {
    for (long hash : hashes(1).toArray()) {
      Words words = spec.words();
      assertThat(spec.placement.put(words, hash)).isTrue();
      assertThat(spec.placement.put(words, hash)).isFalse();
      assertThat(bitsOf(words)).isEqualTo(spec.bitsOf(hash));
      assertThat(spec.placement.prefetch(words, hash)).isNotZero();
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
    for (long hash : hashes(2).toArray()) {
      for (int bit : spec.bitsOf(hash).stream().toArray()) {
        words.copyFrom(full);
        assertThat(spec.placement.mightContain(words, hash)).isTrue();
        words.set(bit >>> 6, ~(1L << bit));
        assertThat(spec.placement.mightContain(words, hash)).isFalse();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("specs")
  void mergingSetsTheBitsOfBoth(Spec spec) {
    Words words = spec.words();
    Words others = spec.words();
    hashes(3).limit(10).forEach(hash -> spec.placement.put(words, hash));
    hashes(4).limit(9).forEach(hash -> spec.placement.put(others, hash));
    BitSet both = bitsOf(words);
    both.or(bitsOf(others));
    Stripes stripes = Stripes.forWords(words.count());
    spec.placement.merge(words, stripes, 0, others);
    assertThat(bitsOf(words)).isEqualTo(both);
    stripes.lockAll(); // hangs if one was not released
  }

  static Stream<Spec> specs() {
    Stream<Spec> stepped =
        Stream.of(64, 128, 1_024, 100_032)
            .flatMap(
                bits ->
                    Stream.of(1, 7, 30)
                        .flatMap(
                            hashes ->
                                Stream.of(
                                    spec(Stepping.INT, bits, hashes, false),
                                    spec(Stepping.INT, bits, hashes, true),
                                    spec(Stepping.INTS_IN_LONG, bits, hashes, true),
                                    spec(Stepping.PRODUCT, bits, hashes, false))));
    Stream<Spec> others =
        Stream.of(
            spec(Stepping.PRODUCT, 1, 1, false),
            spec(Stepping.PRODUCT, 959, 10, false),
            new Spec("one block", new WordBlocks(1), 256),
            new Spec("two blocks", new WordBlocks(2), 512),
            new Spec("a hundred blocks", new WordBlocks(100), 25_600));
    return Stream.concat(stepped, others);
  }

  private static Spec spec(Stepping stepping, int bits, int hashes, boolean upperFirst) {
    Probes probes = new Probes(stepping, bits, hashes);
    return new Spec(
        probes.toString(),
        upperFirst ? HashedProbes.upperFirst(probes) : HashedProbes.lowerFirst(probes),
        bits);
  }

  private static LongStream hashes(long seed) {
    return LongStream.concat(Arrays.stream(EXTREMES), new SplittableRandom(seed).longs(100));
  }

  private static BitSet bitsOf(Words words) {
    return BitSet.valueOf(WordArrays.of(words));
  }

  record Spec(String name, Placement placement, int bits) {

    BitSet bitsOf(long hash) {
      BitSet set = new BitSet(bits);
      IntStream.range(0, placement.probes())
          .mapToLong(probe -> placement.position(hash, probe))
          .peek(bit -> assertThat(bit).isBetween(0L, bits - 1L))
          .forEach(bit -> set.set((int) bit));
      return set;
    }

    Words words() {
      return Words.allocate((bits + Long.SIZE - 1) / Long.SIZE);
    }

    @Override
    public String toString() {
      return name;
    }
  }
}
