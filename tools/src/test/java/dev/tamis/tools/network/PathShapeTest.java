package dev.tamis.tools.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.tools.network.PathShape.Odds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathShapeTest {

  @Test
  void withOneBitPerNodeFalseLoopsAreSharedBirthdays() {
    double distinct = 1;
    for (int hops = 0; hops <= 24; hops++) {
      assertThat(new PathShape(64, 1, 63).odds(hops).falseLoop())
          .isCloseTo(1 - distinct, within(1e-12));
      distinct *= (64.0 - hops) / 64;
    }
  }

  @Test
  void theFirstNodeIsNeverALoopAndTheSecondOnlyWithAllItsBits() {
    PathShape shape = new PathShape(64, 2, 32);
    assertThat(shape.odds(1).falseLoop()).isZero();
    assertThat(shape.odds(2).falseLoop()).isCloseTo(2.0 / (64 * 63), within(1e-15));
  }

  @Test
  void aPathIsTooLongWhenTheOnesHaveNoRoom() {
    PathShape shape = new PathShape(64, 4, 7);
    assertThat(shape.odds(1).tooLong()).isZero();
    // the second node fits only if it shares a bit with the first
    double shareNone = 60.0 * 59 * 58 * 57 / (64.0 * 63 * 62 * 61);
    assertThat(shape.odds(2).tooLong()).isCloseTo(shareNone, within(1e-12));
  }

  @Test
  void everyPacketEndsSomehowWhenThePathIsEndless() {
    Odds odds = new PathShape(64, 3, 32).odds(1_000);
    assertThat(odds.dropped()).isCloseTo(1, within(1e-9));
  }

  @Test
  void theFppIsThatOfDrawingWithoutReplacement() {
    assertThat(new PathShape(64, 2, 32).fpp(32)).isCloseTo(32.0 * 31 / (64 * 63), within(1e-12));
    assertThat(new PathShape(64, 2, 32).fpp(1)).isZero();
  }

  @ParameterizedTest
  @CsvSource({"64, 4", "128, 8", "248, 16", "256, 32", "1024, 64"})
  void noOtherNumberOfHashesDropsFewer(int bits, int hops) {
    PathShape best = PathShape.forHops(bits, bits / 2, hops);
    for (int hashes = 1; hashes <= PathShape.MAX_HASHES; hashes++) {
      assertThat(best.odds(hops).dropped())
          .isLessThanOrEqualTo(new PathShape(bits, hashes, bits / 2).odds(hops).dropped());
    }
  }

  @Test
  void refusesNumbersThatAreNoFilter() {
    for (int bits : new int[] {0, 56, 63, 65, 1023, 1025, 1032}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new PathShape(bits, 1, 1))
          .withMessage("bits must be a multiple of 8 from 64 to 1024, got " + bits);
    }
    assertThat(new PathShape(64, 1, 1).bits()).isEqualTo(64);
    assertThat(new PathShape(1024, 16, 1023).bits()).isEqualTo(1024);
    assertThatIllegalArgumentException().isThrownBy(() -> new PathShape(64, 0, 32));
    assertThatIllegalArgumentException().isThrownBy(() -> new PathShape(64, 17, 32));
    assertThatIllegalArgumentException().isThrownBy(() -> new PathShape(64, 4, 3));
    assertThatIllegalArgumentException().isThrownBy(() -> new PathShape(64, 4, 64));
    assertThatIllegalArgumentException().isThrownBy(() -> new PathShape(64, 4, 32).odds(-1));
  }
}
