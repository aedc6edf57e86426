package dev.tamis.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.sizing.OracleTable.Row;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The classic layout gives the numbers that everybody's textbook gives. */
class ClassicOracleTest {

  /**
   * Enough that the textbook's limit of many keys holds to 3e-6, and few enough that two keys with
   * the same 64 bits of hash, 5e-13 here, add less than that to the lowest fpp of the tables, 2e-7.
   */
  private static final long KEYS = 10_000_000;

  /** Six digits are printed: half a unit of the last is up to 5e-6. The rest is for KEYS. */
  private static final double SIX_DIGITS = 1e-5;

  @Test
  void fppIsThatOfTheComputedGrid() throws IOException {
    for (Row row : OracleTable.read("classic-fpp.csv").rows()) {
      double printed = row.number("fpp");
      assertThat(classic(row.integer("bits_per_key"), row.integer("k")).fpp(KEYS))
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
      assertThat(classic(row.integer("bits_per_key"), row.integer("k")).fpp(KEYS))
          .as("%s", row)
          .isCloseTo(printed, within(Digits.half(printed, digits)));
    }
  }

  @Test
  void partitionedIsAtTheSameLimit() throws IOException {
    for (Row row : OracleTable.read("classic-fpp.csv").rows()) {
      int hashes = row.integer("k");
      long slice = Math.round((double) row.integer("bits_per_key") * KEYS / hashes);
      double printed = row.number("fpp");
      assertThat(new Shape(Layout.PARTITIONED, slice * hashes, hashes).fpp(KEYS))
          .as("%s", row)
          .isCloseTo(printed, within(printed * 2 * SIX_DIGITS)); // the slices are rounded too
    }
  }

  private static Shape classic(int bitsPerKey, int hashes) {
    return new Shape(Layout.CLASSIC, bitsPerKey * KEYS, hashes);
  }
}
