package dev.tamis.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.internal.bits.PlacementConformance;
import dev.tamis.internal.bits.Words;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The placements of foreign formats. */
class ForeignPlacementTest extends PlacementConformance {

  @ParameterizedTest
  @MethodSource("specs")
  void aWordOfTheKeyIsPrefetched(Spec spec) {
    for (long hash : hashes(2)) {
      Words words = spec.words();
      assertThat(spec.placement().put(words, hash)).isTrue();
      assertThat(spec.placement().prefetch(words, hash)).isNotZero();
    }
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
}
