package dev.tamis.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.sizing.OracleTable.Row;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks of freely drawn bits have the fpp of the exact occupancy, not of the usual shortcut. */
class BlockedOracleTest {

  /**
   * Keys enough that a binomial load is Poisson to 1e-6, and few enough that equal hashes, 6e-12,
   * do not show. A multiple of 512, so that whole bits per key make whole lines.
   */
  private static final long KEYS = 512 * 200_000;

  /** Six digits are printed: half a unit of the last is up to 5e-6. The rest is for KEYS. */
  private static final double SIX_DIGITS = 1e-5;

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

  @ParameterizedTest
  @ValueSource(strings = {"64", "256", "512"})
  void shortcutIsTooLowWhereverTheGridSaysSo(String blockBits) throws IOException {
    for (Row row : OracleTable.read("blocked-fpp.csv").rows("block_bits", blockBits::equals)) {
      double exact = row.number("fpp_exact_occupancy");
      double naive = row.number("fpp_poisson_naive");
      if (row.integer("k") == 1) {
        assertThat(naive).as("%s: one bit cannot meet itself", row).isEqualTo(exact);
      } else {
        // closer to the exact column than to the other, by far
        assertThat(naive).as("%s", row).isLessThan(exact * (1 - 2e-5));
        assertThat(block(row)).as("%s", row).isGreaterThan(naive + 0.9 * (exact - naive));
      }
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
}
