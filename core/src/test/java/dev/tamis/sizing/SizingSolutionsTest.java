package dev.tamis.sizing;

import static dev.tamis.Refusal.refuses;
import static dev.tamis.Refusal.refusesSaying;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which sizings have a solution, which layout it has, and the messages for the others. */
class SizingSolutionsTest {

  @ParameterizedTest
  @CsvSource({"0.3, LINE", "0.03, LINE", "0.029, SPLIT", "1e-4, SPLIT", "9.9e-5, SPLIT_PAIR"})
  void keysAndFppPickTheLayout(double fpp, Layout layout) {
    assertThat(Sizing.builder().expectedKeys(1_000).fpp(fpp).solve().shape().layout())
        .isSameAs(layout);
    assertThat(Sizing.builder().bits(1_000_000).fpp(fpp).solve().shape().layout()).isSameAs(layout);
  }

  @ParameterizedTest
  @CsvSource({"5, LINE", "8.5, SPLIT", "20, SPLIT", "30, SPLIT_PAIR", "0.01, LINE"})
  void bitsAndKeysPickTheLayoutByTheFppTheyGive(double bitsPerKey, Layout layout) {
    long bits = (long) (bitsPerKey * 1_000_000);
    assertThat(Sizing.builder().bits(bits).expectedKeys(1_000_000).solve().shape().layout())
        .isSameAs(layout);
  }

  @Test
  void oneLineIsEnoughWhereTwoWouldNotFit() {
    assertThat(Sizing.builder().bits(1_023).expectedKeys(1).solve().shape())
        .isEqualTo(new Shape(Layout.SPLIT, 512, 16));
    assertThat(Sizing.builder().bits(1_024).expectedKeys(1).solve().shape().layout())
        .isSameAs(Layout.SPLIT_PAIR);
  }

  @ParameterizedTest
  @EnumSource
  void hashesGivenAreHashesHad(Layout layout) {
    for (int k = layout.minHashes(); k <= layout.maxHashes(); k += layout.hashStep()) {
      assertThat(builder(layout, k).expectedKeys(1_000).fpp(0.2).solve().shape().hashes())
          .isEqualTo(k);
      assertThat(builder(layout, k).bits(100_000).fpp(0.2).solve().shape().hashes()).isEqualTo(k);
      assertThat(builder(layout, k).bits(100_000).expectedKeys(500).solve().shape().hashes())
          .isEqualTo(k);
      assertThat(builder(layout, k).bits(100_000).solve().shape().hashes()).isEqualTo(k);
      assertThat(builder(layout, k).expectedKeys(1_000).solve().shape().hashes()).isEqualTo(k);
    }
  }

  @ParameterizedTest
  @EnumSource
  void hashesAndOneMoreGiveAHalfFullFilter(Layout layout) {
    for (int k = layout.minHashes(); k <= layout.maxHashes(); k += layout.hashStep()) {
      Sizing byBits = builder(layout, k).bits(1_000_000).solve();
      assertThat(byBits.expectedKeys()).isEqualTo(byBits.shape().halfFullKeys());
      assertThat(byBits.fpp()).isEqualTo(byBits.shape().fpp(byBits.expectedKeys()));

      Sizing byKeys = builder(layout, k).expectedKeys(10_000).solve();
      double oneStepLess = byKeys.shape().bits() - (double) layout.granularity(k);
      assertThat(byKeys.shape().halfFullKeys()).isGreaterThanOrEqualTo(10_000);
      assertThat(oneStepLess).isLessThan(10_000 * k / Math.log(2));
      assertThat(byKeys.fpp()).isEqualTo(byKeys.shape().fpp(10_000));
    }
  }

  @Test
  void oneKeyFitsInTheSmallestFilterThereIs() {
    assertThat(Sizing.builder().layout(Layout.CLASSIC).hashes(1).expectedKeys(1).solve().shape())
        .isEqualTo(new Shape(Layout.CLASSIC, 64, 1));
    assertThat(
            Sizing.builder().layout(Layout.SPLIT_PAIR).hashes(16).expectedKeys(1).solve().shape())
        .isEqualTo(new Shape(Layout.SPLIT_PAIR, 1_024, 16));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -0.0, 1, -0.01, 1.01, Double.NaN, Double.POSITIVE_INFINITY})
  void fppOutsideItsRange(double fpp) {
    refusesSaying(
        "fpp must be in (0, 1), got " + FppText.exact(fpp), () -> Sizing.builder().fpp(fpp));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void keysOutsideTheirRange(long keys) {
    refusesSaying(
        "expectedKeys must be at least 1, got " + keys, () -> Sizing.builder().expectedKeys(keys));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Layout.MAX_BITS + 1, Long.MAX_VALUE, Long.MIN_VALUE})
  void bitsOutsideTheirRange(long bits) {
    refusesSaying(
        "bits must be 1 to 17592186044416, got " + bits, () -> Sizing.builder().bits(bits));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 33, Integer.MAX_VALUE})
  void hashesOutsideTheirRange(int hashes) {
    refusesSaying("hashes must be 1 to 32, got " + hashes, () -> Sizing.builder().hashes(hashes));
  }

  @Test
  void hashesOutsideTheRangeOfTheLayout() {
    refuses(
        () -> builder(Layout.SPLIT, 7).expectedKeys(100).fpp(0.01).solve(),
        "8 to 16 in steps of 8, got 7");
    refuses(() -> builder(Layout.LINE, 17).bits(5_120).solve(), "1 to 16, got 17");
    refuses(
        () -> builder(Layout.SPLIT_PAIR, 24).expectedKeys(100).solve(),
        "16 to 32 in steps of 16, got 24");
  }

  @Test
  @SuppressWarnings("NullAway") // the point of the test
  void noLayoutIsNoAnswer() {
    refuses(NullPointerException.class, () -> Sizing.builder().layout(null));
    refuses(NullPointerException.class, () -> new Sizing(null, 1, 0.5));
  }

  @Test
  void tooLittleIsKnown() {
    String need = "need two of expectedKeys, fpp, bits and hashes";
    unsolved(Sizing.builder(), need);
    unsolved(Sizing.builder().layout(Layout.LINE), need);
    unsolved(Sizing.builder().expectedKeys(1), need);
    unsolved(Sizing.builder().fpp(0.01), need);
    unsolved(Sizing.builder().bits(1_024), need);
    unsolved(Sizing.builder().hashes(8), need);
    unsolved(builder(Layout.SPLIT, 8).fpp(0.01), need);
  }

  @Test
  void hashesAloneDoNotTellTheLayout() {
    String need = "hashes without expectedKeys and fpp need a layout";
    unsolved(Sizing.builder().hashes(8).bits(1_024), need);
    unsolved(Sizing.builder().hashes(8).expectedKeys(10), need);
    unsolved(Sizing.builder().hashes(8).expectedKeys(10).bits(1_024), need);
  }

  @Test
  void keysFppAndBitsContradictEachOther() {
    unsolved(Sizing.builder().expectedKeys(10).fpp(0.01).bits(1_024), "give two of the three");
    unsolved(
        builder(Layout.LINE, 8).expectedKeys(10).fpp(0.01).bits(1_024), "give two of the three");
  }

  @Test
  void tooManyKeysAreRefusedWithTheNumberAndTheLimit() {
    assertThatThrownBy(() -> Sizing.builder().expectedKeys(10_000_000_000_000L).fpp(0.01).solve())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "10000000000000 keys at fpp 0.01 need more than the 17592186044416 bits that a filter"
                + " can");
    refuses(
        () -> Sizing.builder().expectedKeys(Long.MAX_VALUE).fpp(0.9).solve(),
        "9223372036854775807 keys",
        "17592186044416");
    refuses(
        () -> builder(Layout.CLASSIC, 32).expectedKeys(Long.MAX_VALUE).solve(), "17592186044416");
  }

  /**
   * Two keys with the same 64 bits of hash cannot be distinguished, however many bits there are.
   */
  @Test
  void fppBelowThatOfTheHashIsRefusedForWhatItIs() {
    refuses(() -> Sizing.builder().expectedKeys(1_000_000).fpp(1e-14).solve(), "hash");
    refuses(() -> Sizing.builder().bits(1_000_000).fpp(1e-20).solve(), "hash");
  }

  @Test
  void tooFewBitsAreRefusedWithTheNumber() {
    refuses(
        () -> Sizing.builder().bits(511).fpp(0.01).solve(),
        "a filter of layout split,",
        "needs more than 511 bits; layout classic takes any number");
    refuses(() -> Sizing.builder().bits(511).expectedKeys(3).solve(), "more than 511 bits");
    refuses(
        () -> builder(Layout.PARTITIONED, 32).bits(63).solve(),
        "a filter of layout partitioned,",
        "needs more than 63 bits; layout classic takes any number");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -0.5, 1.5, Double.NaN})
  void sizingWithAnFppOutOfRange(double fpp) {
    Shape shape = new Shape(Layout.LINE, 512, 3);
    refusesSaying(
        "fpp must be in (0, 1], got " + FppText.exact(fpp), () -> new Sizing(shape, 1, fpp));
    assertThat(new Sizing(shape, 1, 1).fpp()).isOne();
  }

  @Test
  void sizingWithoutKeys() {
    Shape shape = new Shape(Layout.LINE, 512, 3);
    refusesSaying("expectedKeys must be at least 1, got 0", () -> new Sizing(shape, 0, 0.5));
    assertThat(new Sizing(shape, 256, 0.5).bitsPerKey()).isEqualTo(2);
  }

  private static Sizing.Builder builder(Layout layout, int hashes) {
    return Sizing.builder().layout(layout).hashes(hashes);
  }

  private static void unsolved(Sizing.Builder builder, String message) {
    refuses(IllegalStateException.class, builder::solve, message);
  }
}
