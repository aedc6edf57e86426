package dev.tamis.sizing;

import static dev.tamis.Refusal.refusesSaying;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong drops while a filter fills: the number in the summary of de-duplication. */
class ExpectedWrongDropsTest {

  @ParameterizedTest
  @CsvSource({
    "CLASSIC, 9593, 7",
    "CLASSIC, 1500, 32",
    "CLASSIC, 6400, 1",
    "PARTITIONED, 20000, 10",
    "LINE, 10240, 5",
    "SPLIT, 102400, 8",
    "SPLIT, 102400, 16",
    "SPLIT_PAIR, 204800, 16",
  })
  void isTheSumOverTheKeysThatCome(Layout layout, long bits, int hashes) {
    Shape shape = new Shape(layout, bits, hashes);
    long half = shape.halfFullKeys();
    long[][] ranges = {
      {0, 1},
      {0, 2},
      {0, half / 2},
      {0, half},
      {0, 5 * half / 4},
      {half / 2, half / 2},
      {3, 1},
      {0, 255},
      {0, 256},
      {0, 257},
      {0, 300},
      {half, 129},
      {half / 3, half / 2},
      {77, 0},
      {100, 29},
    };
    for (long[] keys : ranges) {
      if (keys[0] + keys[1] > 5 * half / 4) {
        continue; // a small filter would hardly take so many
      }
      for (double otherFpp : new double[] {0, 0.005}) {
        double sum = sum(shape, keys[0], keys[1], otherFpp);
        assertThat(WrongDrops.expected(shape::fpp, keys[0], keys[1], otherFpp))
            .as("%s, %d keys after %d, other fpp %s", shape, keys[1], keys[0], otherFpp)
            .isCloseTo(sum, within(sum * 2e-3 + 1e-9));
      }
    }
  }

  /** The integral over n keys of a share that goes with nearly the seventh power of the keys. */
  @ParameterizedTest
  @ValueSource(longs = {1_000, 100_000, 10_000_000})
  void isAboutASixthOfKeysTimesFppAtOnePerCent(long keys) {
    Sizing sizing = Sizing.builder().layout(Layout.CLASSIC).expectedKeys(keys).fpp(0.01).solve();
    double drops = WrongDrops.expected(sizing.shape()::fpp, 0, keys, 0);
    assertThat(drops / keys / 0.01).isCloseTo(0.165, within(0.003));
  }

  @Test
  void growsWithEveryKey() {
    Shape shape = new Shape(Layout.CLASSIC, 2_000, 7);
    double before = 0;
    for (long keys = 1; keys < 600; keys++) {
      double drops = WrongDrops.expected(shape::fpp, 0, keys, 0);
      assertThat(drops).as("%d keys", keys).isGreaterThanOrEqualTo(before);
      before = drops;
    }
  }

  @Test
  void isFiniteEvenWhereEverythingIsDropped() {
    Shape shape = new Shape(Layout.LINE, 512, 4);
    assertThat(WrongDrops.expected(shape::fpp, 1_000_000, 1, 0)).isBetween(1e3, 1e10);
    assertThat(WrongDrops.expected(shape::fpp, 0, 1_000_000_000, 0)).isBetween(1e9, 1e18);
    assertThat(WrongDrops.expected(shape::fpp, 0, Long.MAX_VALUE / 2, 0)).isFinite();
    assertThat(WrongDrops.expected(shape::fpp, Long.MAX_VALUE / 2, 0, 0)).isZero();
    assertThat(WrongDrops.expected(shape::fpp, Long.MAX_VALUE, 1, 0)).isFinite();
  }

  @ParameterizedTest
  @CsvSource({"-1, 5", "5, -1", "-3, -2"})
  void numbersOfKeysThatAreNone(long before, long accepted) {
    Shape shape = new Shape(Layout.LINE, 512, 4);
    refusesSaying(
        "keys must be at least 0, got " + before + " and " + accepted,
        () -> WrongDrops.expected(shape::fpp, before, accepted, 0));
  }

  /** Lets keys come one by one, each dropped by the share that p says, until enough are taken. */
  private static double sum(Shape shape, long before, long accepted, double otherFpp) {
    double taken = 0;
    double came = 0;
    while (accepted - taken > 1e-9) { // what rounding leaves
      double take = 1 - shape.fpp(before + (long) came);
      double part = Math.min(1, (accepted - taken) / take); // of the last one
      taken += part * take;
      came += part;
    }
    return came / (1 - otherFpp) - accepted;
  }
}
