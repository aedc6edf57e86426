package dev.tamis.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.internal.bits.PlacementConformance;
import dev.tamis.internal.bits.Words;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The placements of all layouts: their positions are even and their fpp is the measured one. */
class PlacementTest extends PlacementConformance {

  @ParameterizedTest
  @MethodSource("specs")
  void allBitsAreEquallyLikely(Spec spec) {
    int cells = Math.min(spec.bits(), 512);
    long[] counts = new long[cells];
    int keys = 200_000;
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < keys; i++) {
      long bit = spec.placement().position(random.nextLong(), i % spec.placement().probes());
      counts[(int) (bit * cells / spec.bits())]++;
    }

    double chiSquare = 0;
    for (int cell = 0; cell < cells; cell++) {
      double expected = (double) keys * bitsInCell(spec.bits(), cell, cells) / spec.bits();
      chiSquare += (counts[cell] - expected) * (counts[cell] - expected) / expected;
    }

    // six standard deviations; less is no fault, since words and slices alternate
    assertThat(chiSquare).isLessThan(cells - 1 + 6 * Math.sqrt(2.0 * cells));
  }

  @ParameterizedTest
  @MethodSource("specs")
  void fppIsTheShareOfRandomKeysThatFindAllBitsSet(Spec spec) {
    Words words = spec.filledWords();
    double fpp = spec.placement().fpp(words);
    int queries = 200_000;

    long hits =
        new SplittableRandom(9)
            .longs(queries)
            .filter(hash -> spec.placement().mightContain(words, hash))
            .count();

    assertThat((double) hits)
        .isCloseTo(queries * fpp, within(5 * Math.sqrt(queries * fpp * (1 - fpp)) + 1));
  }

  @ParameterizedTest
  @MethodSource("specs")
  void fppIsZeroWithoutOnesAndOneWithoutZeros(Spec spec) {
    Words words = spec.words();
    assertThat(spec.placement().fpp(words)).isZero();
    for (int bit = 0; bit < spec.bits(); bit++) {
      words.set(bit / 64, words.get(bit / 64) | 1L << bit);
    }
    assertThat(spec.placement().fpp(words)).isCloseTo(1, within(1e-12));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void theTwoLinesOfAKeyDiffer(Spec spec) {
    for (long hash : hashes(10)) {
      assertThat(spec.placement().position(hash, 0) / 512)
          .isNotEqualTo(spec.placement().position(hash, spec.placement().probes() - 1) / 512);
    }
  }

  /** Small arrays and a larger one, with the fewest, the most and some hashes in between. */
  static Stream<Spec> specs() {
    return Stream.of(Layout.values()).flatMap(PlacementTest::specs);
  }

  static Stream<Spec> pairs() {
    return Stream.of(Layout.values())
        .filter(layout -> layout.linesPerKey() == 2)
        .flatMap(PlacementTest::specs);
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
                    .mapToObj(bits -> spec(layout, (int) bits, hashes)));
  }

  private static Spec spec(Layout layout, int bits, int hashes) {
    String name = layout.label() + " of " + bits + " bits, " + hashes + " probes";
    return new Spec(name, BitPositions.placement(new Shape(layout, bits, hashes)), bits);
  }

  /** Returns how many bits the mapping bit → bit · cells / bits puts into a cell. */
  private static long bitsInCell(long bits, long cell, long cells) {
    return ((cell + 1) * bits + cells - 1) / cells - (cell * bits + cells - 1) / cells;
  }
}
