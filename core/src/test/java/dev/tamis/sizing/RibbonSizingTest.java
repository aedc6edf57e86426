package dev.tamis.sizing;

import static dev.tamis.Refusal.refusesSaying;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RibbonSizingTest {

  @ParameterizedTest
  @CsvSource({
    "0.99, 1",
    "0.5, 1",
    "0.4999, 2",
    "0.25, 2",
    "0.01, 7",
    "0.001, 10",
    "1e-6, 20",
    "0x1p-31, 31"
  })
  void columnsAreAsFewAsKeepTheFpp(double fpp, int columns) {
    assertThat(RibbonSizing.columns(0, fpp)).isEqualTo(columns);
  }

  @Test
  void equalHashesTakeTheirShareOfTheFpp() {
    assertThat(RibbonSizing.columns(1, 0.25)).isEqualTo(2); // 5e-20 is lost in a double at 0.25
    assertThat(RibbonSizing.columns(1_000_000, 0.25)).isEqualTo(3);
    assertThat(RibbonSizing.columnsFpp(1L << 30, 0x1p-31))
        .isCloseTo(0x1p-31 - 0x1p-34, within(0x1p-68));
  }

  @Test
  void theLeastFppCanBeKeptUntilEqualHashesTakeHalfOfIt() {
    for (long keys : new long[] {(1L << 32) - 1, 1L << 32}) {
      assertThat(RibbonSizing.columns(keys, RibbonSizing.MIN_FPP))
          .isEqualTo(RibbonSizing.MAX_COLUMNS);
      assertThat(RibbonSizing.columnsFpp(keys, RibbonSizing.MIN_FPP))
          .isGreaterThan(Math.scalb(1.0, -RibbonSizing.MAX_COLUMNS));
    }
    refusesSaying(
        "fpp must be at least 4.66e-10 for 4294967297 keys, of which 2.33e-10 is the chance to"
            + " share a 64-bit hash, got "
            + FppText.exact(RibbonSizing.MIN_FPP),
        () ->
            RibbonSizing.bits(
                (1L << 32) + 1, RibbonSizing.MIN_FPP)); // another digit from JDK 19 on
    assertThat(RibbonSizing.columns(RibbonSizing.MAX_KEYS, 1e-6)).isEqualTo(21);
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "67, 2", "68, 3", "134, 3", "135, 4", "1000000, 14882"})
  void blocksGrowWithKeys(long keys, int blocks) {
    assertThat(RibbonSizing.blocks(keys)).isEqualTo(blocks);
  }

  @Test
  void theSlotsOfTheMostKeysAreFewerThanTheMostBits() {
    long slots = RibbonSizing.blocks(RibbonSizing.MAX_KEYS) * RibbonSizing.BLOCK_SLOTS;
    assertThat(slots).isBetween(2L * Integer.MAX_VALUE, Layout.MAX_BITS);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.25, 0.2, 0.1, 0.05, 0.03, 0.01, 0.005, 1e-3, 1e-4, 1e-6, 1e-9})
  void bitsPerKeyAreNearTheBound(double fpp) {
    double bound = -Math.log(fpp) / Math.log(2);
    assertThat(RibbonSizing.bitsPerKey(fpp)).isBetween(bound, 1.045 * bound);
  }

  @ParameterizedTest
  @CsvSource({"0.333, 1.07", "0.5, 1.02", "0.75, 1.30", "0.9, 1.45"})
  void aHighFppTakesMoreBecauseColumnsAreWhole(double fpp, double most) {
    double bound = -Math.log(fpp) / Math.log(2);
    assertThat(RibbonSizing.bitsPerKey(fpp)).isBetween(bound, most * bound);
  }

  @Test
  void theWorstMixtureOfColumnsUpToOneQuarterIsWithinFivePercent() {
    double most = 0;
    for (double fpp = 1e-9; fpp <= 0.25; fpp *= 1.001) {
      most = Math.max(most, RibbonSizing.bitsPerKey(fpp) * Math.log(2) / -Math.log(fpp));
    }
    assertThat(most).isBetween(1.03, 1.05);
  }

  @Test
  void bitsOfManyKeysAreBitsPerKeyTimesKeys() {
    assertThat(RibbonSizing.bits(100_000_000, 0.01) / 1e8)
        .isCloseTo(RibbonSizing.bitsPerKey(0.01), within(0.001));
    assertThat(RibbonSizing.bits(0, 0.01)).isZero();
  }

  @Test
  void limitsAreKept() {
    for (long keys : new long[] {-1, RibbonSizing.MAX_KEYS + 1, Long.MAX_VALUE}) {
      refusesSaying(
          "keys must be 0 to 2199023255552, got " + keys, () -> RibbonSizing.requireKeys(keys));
    }
    assertThat(RibbonSizing.requireKeys(RibbonSizing.MAX_KEYS)).isEqualTo(RibbonSizing.MAX_KEYS);
    for (double fpp : new double[] {0, -1, 1, Double.NaN, 1e300}) {
      refusesSaying(
          "fpp must be in (0, 1), got " + FppText.exact(fpp), () -> RibbonSizing.requireFpp(fpp));
    }
    refusesSaying(
        "fpp must be at least 2^-31, got 4.656612873077392e-10",
        () -> RibbonSizing.requireFpp(Math.nextDown(0x1p-31)));
    assertThat(RibbonSizing.requireFpp(0x1p-31)).isEqualTo(0x1p-31);
    assertThatThrownBy(() -> RibbonSizing.blocks(0)).hasMessageContaining("got 0");
  }
}
