package dev.tamis.sizing;

import static dev.tamis.Refusal.refusesSaying;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every limit of a shape, at the limit and one step to either side of it. */
class ShapeLimitsTest {

  @ParameterizedTest
  @CsvSource({
    "CLASSIC, 1, 64",
    "CLASSIC, 32, 64",
    "PARTITIONED, 1, 2",
    "PARTITIONED, 7, 14",
    "PARTITIONED, 32, 64",
    "LINE, 1, 512",
    "LINE, 16, 512",
    "SPLIT, 8, 512",
    "SPLIT, 16, 512",
    "SPLIT_PAIR, 16, 1024",
    "SPLIT_PAIR, 32, 1024",
  })
  void fewestBits(Layout layout, int hashes, long least) {
    assertThat(layout.minBits(hashes)).isEqualTo(least);
    accepts(layout, least, hashes);
    accepts(layout, least + layout.granularity(hashes), hashes);
    refuses(layout, least - 1, hashes, "bits");
    refuses(layout, least - layout.granularity(hashes), hashes, "bits");
    refuses(layout, 0, hashes, "bits");
    refuses(layout, -least, hashes, "bits");
    refuses(layout, Long.MIN_VALUE, hashes, "bits");
  }

  @ParameterizedTest
  @EnumSource
  void mostBits(Layout layout) {
    for (int k = layout.minHashes(); k <= layout.maxHashes(); k += layout.hashStep()) {
      long unit = layout.granularity(k);
      long most = Layout.MAX_BITS / unit * unit;
      accepts(layout, most - unit, k);
      accepts(layout, most, k);
      refuses(layout, most + unit, k, Long.toString(Layout.MAX_BITS));
      refuses(layout, Layout.MAX_BITS + 1, k, Long.toString(Layout.MAX_BITS));
      refuses(layout, Long.MAX_VALUE, k, Long.toString(Layout.MAX_BITS));
    }
  }

  @ParameterizedTest
  @CsvSource({"PARTITIONED, 7", "LINE, 6", "SPLIT, 8", "SPLIT_PAIR, 16"})
  void bitsBetweenTwoSteps(Layout layout, int hashes) {
    long unit = layout.granularity(hashes);
    for (long bits = 100 * unit + 1; bits < 101 * unit; bits++) {
      refuses(layout, bits, hashes, "multiple of " + unit);
    }
    accepts(layout, 100 * unit, hashes);
    accepts(layout, 101 * unit, hashes);
  }

  @ParameterizedTest
  @EnumSource
  void hashes(Layout layout) {
    for (int hashes = -1; hashes <= 40; hashes++) {
      boolean inRange = hashes >= layout.minHashes() && hashes <= layout.maxHashes();
      long bits = 512L * Math.max(1, hashes) * 4; // of lines and of slices a whole number
      if (inRange && (hashes - layout.minHashes()) % layout.hashStep() == 0) {
        accepts(layout, bits, hashes);
      } else {
        refuses(layout, bits, hashes, "hashes of layout " + layout.label() + " must be");
      }
    }
    refuses(layout, 5_120, Integer.MIN_VALUE, "got -2147483648");
    refuses(layout, 5_120, Integer.MAX_VALUE, "got 2147483647");
  }

  @Test
  void messagesGiveTheRuleAndTheValue() {
    assertThatThrownBy(() -> new Shape(Layout.SPLIT, 512, 9))
        .hasMessage("hashes of layout split must be 8 to 16 in steps of 8, got 9");
    assertThatThrownBy(() -> new Shape(Layout.LINE, 512, 17))
        .hasMessage("hashes of layout line must be 1 to 16, got 17");
    assertThatThrownBy(() -> new Shape(Layout.SPLIT_PAIR, 512, 16))
        .hasMessage(
            "bits of layout split-pair with 16 hashes must be a multiple of 512 and at least 1024,"
                + " got 512");
    assertThatThrownBy(() -> new Shape(Layout.CLASSIC, 17_592_186_044_417L, 4))
        .hasMessage("bits must be 1 to 17592186044416, got 17592186044417");
  }

  @Test
  @SuppressWarnings("NullAway") // the point of the test
  void noLayout() {
    assertThatThrownBy(() -> new Shape(null, 512, 8))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("layout");
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE})
  void fewerThanNoKeys(long keys) {
    Shape shape = new Shape(Layout.SPLIT, 512, 8);
    refusesSaying("keys must be at least 0, got " + keys, () -> shape.fpp(keys));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1, -1, Double.NaN, Double.NEGATIVE_INFINITY})
  void keysForWhatIsNoProbability(double fpp) {
    Shape shape = new Shape(Layout.SPLIT, 512, 8);
    refusesSaying("fpp must be in (0, 1), got " + FppText.exact(fpp), () -> shape.keys(fpp));
  }

  @Test
  void notEvenOneKey() {
    // one key in 64 bits, met by one probe: 1.6 %
    assertThat(new Shape(Layout.CLASSIC, 64, 1).keys(0.0156)).isZero();
    assertThat(new Shape(Layout.CLASSIC, 64, 1).keys(0.0157)).isOne();
  }

  @ParameterizedTest
  @EnumSource
  void halfFullIsHalfFull(Layout layout) {
    int hashes = layout.maxHashes();
    Shape shape = new Shape(layout, 512L * hashes * 1000, hashes);
    double share = shape.expectedSetBits(shape.halfFullKeys()) / shape.bits();
    // bits drawn within a line meet now and then, which takes up to 1 % off
    assertThat(share).isBetween(0.49, 0.5 + 1e-6);
    assertThat(new Shape(Layout.PARTITIONED, 64, 32).halfFullKeys()).isOne();
  }

  private static void accepts(Layout layout, long bits, int hashes) {
    assertThatCode(() -> new Shape(layout, bits, hashes)).doesNotThrowAnyException();
  }

  private static void refuses(Layout layout, long bits, int hashes, String message) {
    assertThatThrownBy(() -> new Shape(layout, bits, hashes))
        .as("%s, %d bits, %d hashes", layout, bits, hashes)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
