package dev.tamis.examples.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.examples.network.PathFilter.PathShape;
import dev.tamis.examples.network.PathFilter.Visit;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathFilterTest {

  @Test
  void noLoopIsEverMissedOnRandomWalksAndOnlyAFirstVisitMarks() {
    PathFilter<Long> path = filter(PathShape.forHops(248, 16));
    SplittableRandom random = new SplittableRandom(1);
    int loops = 0;
    for (int walk = 0; walk < 2_000; walk++) {
      byte[] carried = path.empty();
      Set<Long> visited = new HashSet<>();
      Visit answer = Visit.FIRST;
      for (int hop = 0; hop < 30 && answer == Visit.FIRST; hop++) {
        byte[] before = carried.clone();
        long node = random.nextLong(50);
        answer = path.visit(carried, node);
        if (!visited.add(node)) {
          assertThat(answer).isEqualTo(Visit.POSSIBLE_LOOP);
          loops++;
        }
        assertThat(Arrays.equals(carried, before)).isEqualTo(answer != Visit.FIRST);
      }
    }
    assertThat(loops).isGreaterThan(1_500);
  }

  @ParameterizedTest
  @CsvSource({"64, 1, 8", "64, 2, 8", "128, 3, 12", "248, 4, 20", "248, 8, 14", "1024, 8, 60"})
  void falseLoopsAndTooLongPathsAreAsFrequentAsTheFormulaSays(int bits, int hashes, int hops) {
    PathShape shape = new PathShape(bits, hashes, bits / 2);
    PathFilter<Long> path = filter(shape);
    int paths = 20_000;
    int loops = 0;
    int tooLong = 0;
    long node = 0;
    for (int i = 0; i < paths; i++) {
      byte[] carried = path.empty();
      Visit answer = Visit.FIRST;
      for (int hop = 0; hop < hops && answer == Visit.FIRST; hop++) {
        answer = path.visit(carried, node++); // each node once: every loop is a false one
      }
      loops += answer == Visit.POSSIBLE_LOOP ? 1 : 0;
      tooLong += answer == Visit.TOO_LONG ? 1 : 0;
    }
    PathShape.Odds odds = shape.odds(hops);
    assertBinomial(loops, paths, odds.falseLoop());
    assertBinomial(tooLong, paths, odds.tooLong());
  }

  @ParameterizedTest
  @ValueSource(ints = {64, 72, 248, 1024})
  void packetsOfTheWrongLengthOrFillAreRejected(int bits) {
    PathFilter<Long> path = filter(new PathShape(bits, 4, bits / 2));
    byte[] carried = path.empty();
    Arrays.fill(carried, (byte) 0xFF);
    assertThat(path.visit(carried, 1L)).isEqualTo(Visit.MALFORMED);
    assertThat(carried).containsOnly(0xFF);
    Arrays.fill(carried, (byte) 0x0F); // the most bits that may be set
    assertThat(path.visit(carried, 1L)).isNotEqualTo(Visit.MALFORMED);
    Arrays.fill(carried, (byte) 0x0F);
    carried[0] = 0x1F;
    assertThat(path.visit(carried, 1L)).isEqualTo(Visit.MALFORMED);
    assertThat(path.visit(new byte[carried.length + 1], 1L)).isEqualTo(Visit.MALFORMED);
    assertThat(path.visit(new byte[0], 1L)).isEqualTo(Visit.MALFORMED);
  }

  @Test
  void aSecretKeyMakesOtherMarks() {
    PathShape shape = new PathShape(248, 5, 124);
    byte[] known = filter(shape).empty();
    byte[] secret = known.clone();
    filter(shape).visit(known, 1L);
    new PathFilter<>(KeyHasher.longs().keyedBy(HashKey.of(new byte[16])), shape).visit(secret, 1L);
    assertThat(secret).isNotEqualTo(known);
  }

  @Test
  void aPathIsTooLongWhenTheOnesHaveNoRoom() {
    PathShape shape = new PathShape(64, 4, 7);
    assertThat(shape.odds(1).tooLong()).isZero();
    // the second node fits only if it shares a bit with the first
    double shareNone = 60.0 * 59 * 58 * 57 / (64.0 * 63 * 62 * 61);
    assertThat(shape.odds(2).tooLong()).isCloseTo(shareNone, within(1e-12));
    assertThat(shape.odds(1_000).dropped()).isCloseTo(1, within(1e-9));
  }

  @ParameterizedTest
  @CsvSource({"64, 4", "128, 8", "248, 16", "256, 32", "1024, 64"})
  void noOtherNumberOfHashesDropsFewer(int bits, int hops) {
    PathShape best = PathShape.forHops(bits, hops);
    for (int hashes = 1; hashes <= PathShape.MAX_HASHES; hashes++) {
      assertThat(best.odds(hops).dropped())
          .isLessThanOrEqualTo(new PathShape(bits, hashes, bits / 2).odds(hops).dropped());
    }
  }

  @ParameterizedTest
  @CsvSource({"56, 1, 1", "65, 1, 1", "1032, 1, 1", "64, 0, 32", "64, 17, 32", "64, 4, 3"})
  void rejectsImpossibleShapes(int bits, int hashes, int maxOnes) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PathShape(bits, hashes, maxOnes))
        .withMessageContaining("must be");
  }

  /** Five standard deviations, and some more for what is too rare to have any. */
  private static void assertBinomial(long found, int trials, double chance) {
    double expected = trials * chance;
    double slack = 5 * Math.sqrt(expected * (1 - chance)) + 3;
    assertThat((double) found).isBetween(expected - slack, expected + slack);
  }

  private static PathFilter<Long> filter(PathShape shape) {
    return new PathFilter<>(KeyHasher.longs(), shape);
  }
}
