package dev.tamis.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.sizing.OracleTable.Row;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The layouts have the fpp of tables that were computed or published elsewhere. */
class LayoutOracleTest {

  /**
   * Keys enough that a binomial load is Poisson to 1e-6, and few enough that equal hashes, 6e-12,
   * do not show. A multiple of 512, so that whole bits per key make whole lines.
   */
  private static final long KEYS = 512 * 200_000;

  /** Six digits are printed: half a unit of the last is up to 5e-6. The rest is for KEYS. */
  private static final double SIX_DIGITS = 1e-5;

  /**
   * Enough that the textbook's limit of many keys holds to 3e-6, and few enough that two keys with
   * the same 64 bits of hash, 5e-13 here, add less than that to the lowest fpp of the tables, 2e-7.
   */
  private static final long CLASSIC_KEYS = 10_000_000;

  @Test
  void fppIsThatOfTheComputedGrid() throws IOException {
    for (Row row : OracleTable.read("classic-fpp.csv").rows()) {
      double printed = row.number("fpp");
      assertThat(classic(row.integer("bits_per_key"), row.integer("k")).fpp(CLASSIC_KEYS))
          .as("%s", row)
          .isCloseTo(printed, within(printed * SIX_DIGITS));
    }
  }

  @Test
  void fppIsThatOfPeiCaosTable() throws IOException {
    for (Row row : OracleTable.read("pei-cao.csv").rows()) {
      double printed = row.number("fpp");
      // three digits, but .0918 at m/n = 5, k = 3 is printed as .092
      int digits = row.text("fpp").equals(".092") ? 2 : 3;
      assertThat(classic(row.integer("bits_per_key"), row.integer("k")).fpp(CLASSIC_KEYS))
          .as("%s", row)
          .isCloseTo(printed, within(Digits.half(printed, digits)));
    }
  }

  @Test
  void partitionedIsAtTheSameLimit() throws IOException {
    for (Row row : OracleTable.read("classic-fpp.csv").rows()) {
      int hashes = row.integer("k");
      long slice = Math.round((double) row.integer("bits_per_key") * CLASSIC_KEYS / hashes);
      double printed = row.number("fpp");
      assertThat(new Shape(Layout.PARTITIONED, slice * hashes, hashes).fpp(CLASSIC_KEYS))
          .as("%s", row)
          .isCloseTo(printed, within(printed * 2 * SIX_DIGITS)); // the slices are rounded too
    }
  }

  private static Shape classic(int bitsPerKey, int hashes) {
    return new Shape(Layout.CLASSIC, bitsPerKey * CLASSIC_KEYS, hashes);
  }

  @Test
  void lineHasTheFppOfExactOccupancy() throws IOException {
    for (Row row : OracleTable.read("blocked-fpp.csv").rows("block_bits", "512"::equals)) {
      double printed = row.number("fpp_exact_occupancy");
      assertThat(line(row).fpp(KEYS))
          .as("%s", row)
          .isCloseTo(printed, within(printed * SIX_DIGITS));
    }
  }

  @Test
  void lineHasTheBestHashesOfTheGrid() throws IOException {
    for (Row row : OracleTable.read("blocked-fpp.csv").rows("best_k_for_this_size", "1"::equals)) {
      if (row.integer("block_bits") == Layout.LINE_BITS) {
        Sizing sizing =
            Sizing.builder().layout(Layout.LINE).bits(line(row).bits()).expectedKeys(KEYS).solve();
        assertThat(sizing.shape().hashes()).as("%s", row).isEqualTo(row.integer("k"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"64", "256", "512"})
  void blocksOfOtherSizesAreBuiltFromTheSameParts(String blockBits) throws IOException {
    for (Row row : OracleTable.read("blocked-fpp.csv").rows("block_bits", blockBits::equals)) {
      double printed = row.number("fpp_exact_occupancy");
      assertThat(block(row)).as("%s", row).isCloseTo(printed, within(printed * SIX_DIGITS));
    }
  }

  private static Shape line(Row row) {
    return new Shape(Layout.LINE, row.integer("bits_per_key") * KEYS, row.integer("k"));
  }

  private static double block(Row row) {
    int cells = row.integer("block_bits");
    return BlockLoad.mean(
        KEYS,
        cells / ((double) row.integer("bits_per_key") * KEYS),
        Occupancy.of(cells, row.integer("k"))::hit);
  }

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
