package dev.tamis.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.sizing.OracleTable.Row;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Blocks with one bit in each word have the fpp of the computed grid, Parquet's among them. */
class SplitOracleTest {

  /** Enough that a binomial load is Poisson to 1e-6, few enough that equal hashes do not show. */
  private static final long KEYS = 512 * 200_000;

  /** Six digits are printed: half a unit of the last is up to 5e-6. The rest is for KEYS. */
  private static final double SIX_DIGITS = 1e-5;

  @Test
  void splitIsEightWordsOf64() throws IOException {
    for (Row row : OracleTable.read("split-fpp.csv").rows("layout", "8x64"::equals)) {
      long lines = Math.round(row.number("bits_per_key") * KEYS / Layout.LINE_BITS);
      double printed = row.number("fpp_exact");
      // the lowest is 4e-6, to which equal hashes add another 1.4e-6 of it
      assertThat(new Shape(Layout.SPLIT, lines * Layout.LINE_BITS, 8).fpp(KEYS))
          .as("%s", row)
          .isCloseTo(printed, within(printed * SIX_DIGITS));
    }
  }

  @ParameterizedTest
  @CsvSource({"8x32 (Parquet SBBF), 8, 32", "16x32, 16, 32", "4x64, 4, 64", "8x64, 8, 64"})
  void wordsOfOtherSizesAreBuiltFromTheSameParts(String layout, int words, int wordBits)
      throws IOException {
    for (Row row : OracleTable.read("split-fpp.csv").rows("layout", layout::equals)) {
      double printed = row.number("fpp_exact");
      assertThat(SplitBlocks.fpp(words, wordBits, KEYS, row.number("bits_per_key")))
          .as("%s", row)
          .isCloseTo(printed, within(printed * SIX_DIGITS));
    }
  }

  @Test
  void oneBitAWordNeedsNoCorrection() {
    Occupancy word = Occupancy.of(64, 1);
    for (int load = 0; load < 500; load++) {
      assertThat(word.hit(load)).isCloseTo(1 - Math.pow(1 - 1.0 / 64, load), within(1e-13));
    }
  }
}
