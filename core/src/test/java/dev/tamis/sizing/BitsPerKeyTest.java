package dev.tamis.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.sizing.OracleTable.Row;
import java.io.IOException;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The tables by which the layouts are chosen: bits a key for an fpp, and fpp for bits a key. */
class BitsPerKeyTest {

  /** Large enough for the limit of many keys, and a multiple of 512. */
  private static final long KEYS = 512 * 200_000;

  @Test
  void eachLayoutNeedsTheBitsOfTheTable() throws IOException {
    for (Row row : OracleTable.read("bits-per-key.csv").rows()) {
      Layout layout = layout(row);
      Sizing.Builder builder =
          Sizing.builder().layout(layout).expectedKeys(KEYS).fpp(row.number("fpp"));
      if (layout == Layout.SPLIT) { // a column of the table for each number of its hashes
        builder.hashes(row.integer("best_k"));
      }
      Sizing sizing = builder.solve();
      String printed = row.text("bits_per_key");
      assertThat(sizing.shape().hashes()).as("%s", row).isEqualTo(row.integer("best_k"));
      assertThat(sizing.bitsPerKey())
          .as("%s", row)
          .isCloseTo(Double.parseDouble(printed), within(Digits.halfOfLast(printed)));
    }
  }

  @Test
  void eachLayoutHasTheFppOfTheTable() throws IOException {
    for (Row row : OracleTable.read("fpp-by-bits-per-key.csv").rows()) {
      Layout layout = layout(row);
      Sizing.Builder builder =
          Sizing.builder()
              .layout(layout)
              .bits(row.integer("bits_per_key") * KEYS)
              .expectedKeys(KEYS);
      if (layout == Layout.SPLIT) {
        builder.hashes(row.integer("best_k"));
      }
      Sizing sizing = builder.solve();
      String printed = row.text("percent");
      assertThat(sizing.shape().hashes()).as("%s", row).isEqualTo(row.integer("best_k"));
      assertThat(100 * sizing.fpp())
          .as("%s", row)
          .isCloseTo(Double.parseDouble(printed), within(Digits.halfOfLast(printed)));
    }
  }

  /**
   * An article says that a billion keys at 0.01 % fit in 18 MB. The least that any structure can do
   * with is 1.661 GB, and the classic filter takes 2.396 GB.
   */
  @Test
  void billionKeysAtATenThousandthTakeGigabytes() {
    Sizing sizing =
        Sizing.builder().layout(Layout.CLASSIC).expectedKeys(1_000_000_000).fpp(1e-4).solve();
    double informationBound = 1e9 * Math.log(1e4) / Math.log(2);

    // 19,170,116,755 bits would do with 13.29 hashes; a whole number costs 0.015 % more
    assertThat(sizing.shape().bits()).isBetween(19_170_116_755L, 19_173_000_000L);
    assertThat(sizing.shape().hashes()).isEqualTo(13);
    assertThat(sizing.shape().bits() / 8e9).isCloseTo(2.396, within(0.001));
    assertThat(informationBound / 8e9).isCloseTo(1.661, within(0.0005));
    assertThat(sizing.shape().bits() / informationBound).isCloseTo(1 / Math.log(2), within(1e-3));
  }

  /** The same article's size, the other way round: nearly every answer would be wrong. */
  @Test
  void eighteenMegabytesForABillionKeysSayNothing() {
    Sizing sizing =
        Sizing.builder()
            .layout(Layout.CLASSIC)
            .bits(18_000_000L * 8)
            .expectedKeys(1_000_000_000)
            .solve();
    assertThat(sizing.shape().hashes()).isEqualTo(1);
    assertThat(sizing.fpp()).isCloseTo(0.999, within(0.0005));
  }

  private static Layout layout(Row row) {
    return Layout.valueOf(row.text("layout").toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
