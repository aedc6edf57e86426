package dev.tamis.sizing;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.sizing.OracleTable.Row;
import java.io.IOException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The dimensions of windows: the paper's table, the guarantee, and the limits of the parameters.
 */
class WindowSizingTest {

  private static final long[] WINDOWS = {
    1, 2, 3, 7, 10, 11, 64, 99, 100, 101, 1_000, 1_025, 1_500, 99_999, 1_000_000, 1_000_000_007
  };

  @Test
  void halfFullFppIsThatOfTheComputedTable() throws IOException {
    for (Row row : OracleTable.read("window-fpp.csv").rows()) {
      double printed = row.number("fpp_worst_phase");
      assertThat(WindowSizing.halfFullFpp(row.integer("k"), row.integer("l")))
          .as("%s", row)
          .isCloseTo(printed, within(Digits.half(printed, 6)));
    }
  }

  @Test
  void bitsOfHalfFullSlicesAreThoseOfTheComputedTable() throws IOException {
    long window = 840_000_000; // a multiple of most l
    for (Row row : OracleTable.read("window-fpp.csv").rows()) {
      int k = row.integer("k");
      int l = row.integer("l");
      long generation = window / l;
      long slice = Math.round(generation * k / Math.log(2) / 64) * 64;
      if (slice <= Layout.MAX_BITS / (k + l)) {
        WindowSizing sizing = new WindowSizing(k, l, slice, generation, 0.5);
        assertThat(sizing.bitsPerKey())
            .as("%s", row)
            .isCloseTo(row.number("bits_per_window_element"), within(0.0006));
        double printed = row.number("fpp_worst_phase");
        double sameHash = 2e-10; // of so many keys, at most
        assertThat(sizing.worstFpp())
            .as("%s", row)
            .isCloseTo(printed, within(1e-5 * printed + sameHash));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.9, 0.3, 0.1, 0.01, 1e-3, 1e-6, 1e-9})
  void keepsTheFppWithTheFewestWords(double fpp) {
    for (long window : WINDOWS) {
      WindowSizing sizing = counted(window, fpp, 0.1);
      assertThat(sizing.worstFpp()).isLessThanOrEqualTo(fpp);
      assertThat(sizing.fpp()).isEqualTo(fpp);
      if (sizing.sliceBits() > 64) {
        WindowSizing smaller =
            new WindowSizing(
                sizing.hashes(),
                sizing.generations(),
                sizing.sliceBits() - 64,
                sizing.generationKeys(),
                fpp);
        assertThat(smaller.worstFpp()).isGreaterThan(fpp);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 0.5, 1.0 / 3, 0.1, 1.0 / 49, 0.01})
  void aWindowOfPutsIsCoveredAndTheSlackHolds(double slack) {
    for (long window : WINDOWS) {
      WindowSizing sizing = counted(window, 0.01, slack);
      long longest = sizing.expectedKeys() + sizing.generationKeys();
      assertThat(sizing.expectedKeys()).isGreaterThanOrEqualTo(window);
      assertThat(longest).isLessThanOrEqualTo(Math.max(window + 1, (long) (window * (1 + slack))));
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 0.5, 1.0 / 3, 0.1, 1.0 / 49, 0.01})
  void otherWindowsHaveGenerationsEnoughForTheSlack(double slack) {
    for (long keys : WINDOWS) {
      WindowSizing sizing =
          WindowSizing.builder().expectedKeys(keys).fpp(0.01).slack(slack).solve();
      assertThat(sizing.generations()).isGreaterThanOrEqualTo((int) Math.round(1 / slack));
      assertThat(sizing.expectedKeys()).isGreaterThanOrEqualTo(keys);
    }
  }

  @ParameterizedTest
  @CsvSource({"0.1, 13.1", "0.01, 20.5", "0.001, 26.8", "0.0001, 32.6"})
  void takesFewBits(double fpp, double bitsPerKey) {
    assertThat(counted(1_000_000, fpp, 0.1).bitsPerKey()).isLessThan(bitsPerKey);
  }

  @Test
  void noPairTakesMuchFewerBits() {
    for (double fpp : new double[] {0.1, 0.01, 1e-3}) {
      double taken = counted(100_000_000, fpp, 0.1).bitsPerKey();
      for (int k = 1; k <= 24; k++) {
        for (int l = 10; l <= 200; l++) {
          if (WindowSizing.halfFullFpp(k, l) <= fpp) {
            assertThat(taken).isLessThan(1.055 * k * (k + l) / (l * Math.log(2)));
          }
        }
      }
    }
  }

  /** The programme over runs against trying out every pattern of hits. */
  @Test
  void chanceOfARunIsTheSumOverAllPatterns() {
    SplittableRandom random = new SplittableRandom(1);
    for (int slices = 1; slices <= 10; slices++) {
      double[] fills = random.doubles(slices).toArray();
      for (int k = 1; k <= slices + 1; k++) {
        double sum = 0;
        for (int pattern = 0; pattern < 1 << slices; pattern++) {
          sum += hasRun(pattern, k) ? chance(pattern, fills) : 0;
        }
        assertThat(WindowSizing.fpp(k, fills)).isCloseTo(sum, within(1e-12));
      }
    }
  }

  @Test
  void chanceOfARunAtTheEnds() {
    assertThat(WindowSizing.fpp(3)).isZero();
    assertThat(WindowSizing.fpp(3, 1, 1)).isZero();
    assertThat(WindowSizing.fpp(3, 1, 1, 1)).isEqualTo(1);
    assertThat(WindowSizing.fpp(2, 0, 0, 0)).isZero();
    assertThat(WindowSizing.fpp(1, 0.25)).isEqualTo(0.25);
  }

  @Test
  void limitsHoldOnBothSides() {
    long most = Layout.MAX_BITS / 2 / 64 * 64;
    accepts(() -> new WindowSizing(1, 1, most, 1, 0.5));
    assertRefused("sliceBits", most + 64, () -> new WindowSizing(1, 1, most + 64, 1, 0.5));
    accepts(() -> new WindowSizing(1, 1, 64, 1, 0.5));
    assertRefused("sliceBits", 0, () -> new WindowSizing(1, 1, 0, 1, 0.5));
    assertRefused("sliceBits", 65, () -> new WindowSizing(1, 1, 65, 1, 0.5));
    assertRefused("sliceBits", -64, () -> new WindowSizing(1, 1, -64, 1, 0.5));
    accepts(() -> new WindowSizing(64, 1_024, 64, 1, 0.5));
    assertRefused("hashes", 65, () -> new WindowSizing(65, 1, 64, 1, 0.5));
    assertRefused("hashes", 0, () -> new WindowSizing(0, 1, 64, 1, 0.5));
    assertRefused("generations", 1_025, () -> new WindowSizing(1, 1_025, 64, 1, 0.5));
    assertRefused("generations", 0, () -> new WindowSizing(1, 0, 64, 1, 0.5));
    accepts(() -> new WindowSizing(1, 2, 64, Long.MAX_VALUE / 2, 0.5));
    assertRefused("generationKeys", 1L << 62, () -> new WindowSizing(1, 2, 64, 1L << 62, 0.5));
    assertRefused("generationKeys", 0, () -> new WindowSizing(1, 2, 64, 0, 0.5));
    assertRefused("fpp", "0", () -> new WindowSizing(1, 1, 64, 1, 0));
    assertRefused("fpp", "1", () -> new WindowSizing(1, 1, 64, 1, 1));
    assertRefused("fpp", "NaN", () -> new WindowSizing(1, 1, 64, 1, Double.NaN));
    assertThat(WindowSizing.requireHashes(64)).isEqualTo(64);
    assertThat(WindowSizing.requireGenerations(1_024)).isEqualTo(1_024);
  }

  @Test
  void buildersCheckEachValue() {
    accepts(() -> WindowSizing.builder().window(1).fpp(0.1).slack(0.01).slack(1));
    assertRefused("window", 0, () -> WindowSizing.builder().window(0));
    assertRefused("expectedKeys", -1, () -> WindowSizing.builder().expectedKeys(-1));
    assertRefused("fpp", "1.5", () -> WindowSizing.builder().fpp(1.5));
    assertRefused(
        "slack", Math.nextDown(0.01), () -> WindowSizing.builder().slack(Math.nextDown(0.01)));
    assertRefused("slack", Math.nextUp(1.0), () -> WindowSizing.builder().slack(Math.nextUp(1.0)));
    assertRefused("slack", "NaN", () -> WindowSizing.builder().slack(Double.NaN));
  }

  @Test
  void solvingNeedsKeysAndAnFpp() {
    refuses(IllegalStateException.class, () -> WindowSizing.builder().window(10).solve());
    refuses(IllegalStateException.class, () -> WindowSizing.builder().fpp(0.1).solve());
  }

  @ParameterizedTest
  @CsvSource({
    "1099511627776, 0.01, a filter has at most 17592186044416 bits",
    "9223372036854775807, 0.5, a filter has at most 17592186044416 bits",
    "1000000, 1e-14, the chance to share a 64-bit hash alone is 5.42",
    "10, 1e-300, the chance to share a 64-bit hash alone is 5.42"
  })
  void whatCannotBeIsRefused(long window, String fpp, String reason) {
    assertThatThrownBy(() -> counted(window, Double.parseDouble(fpp), 0.1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "no window of " + window + " keys has an fpp of " + fpp + " or less: " + reason);
  }

  private static WindowSizing counted(long window, double fpp, double slack) {
    return WindowSizing.builder().window(window).fpp(fpp).slack(slack).solve();
  }

  private static boolean hasRun(int pattern, int length) {
    int runs = pattern;
    for (int i = 1; i < length; i++) {
      runs &= runs >>> 1;
    }
    return runs != 0;
  }

  private static double chance(int pattern, double[] fills) {
    double chance = 1;
    for (int i = 0; i < fills.length; i++) {
      chance *= (pattern >>> i & 1) == 1 ? fills[i] : 1 - fills[i];
    }
    return chance;
  }

  private static void accepts(Runnable made) {
    made.run();
  }

  private static void assertRefused(String field, Object value, Runnable made) {
    assertThatThrownBy(() -> made.run())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(field + " must be")
        .hasMessageContaining("got " + value);
  }
}
