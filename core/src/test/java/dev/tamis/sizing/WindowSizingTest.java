package dev.tamis.sizing;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.Confidence;
import java.util.SplittableRandom;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The dimensions of windows: fpp and bits, the guarantee, and the limits of the parameters. */
class WindowSizingTest {

  private static final long[] WINDOWS = {
    1, 2, 3, 6, 7, 8, 13, 14, 15, 64, 100, 1_000, 1_025, 99_999, 1_000_000, 1_000_000_007
  };

  @ParameterizedTest
  @ValueSource(doubles = {0.9, 0.3, 0.1, 0.01, 1e-3, 1e-6, 1e-9})
  void keepsTheFppWithTheFewestBlocks(double fpp) {
    for (long window : WINDOWS) {
      WindowSizing sizing = sized(window, fpp);
      assertThat(sizing.worstFpp()).isLessThanOrEqualTo(fpp);
      assertThat(sizing.fpp()).isEqualTo(fpp);
      if (sizing.blocks() > 1) {
        assertThat(withBlocks(sizing, sizing.blocks() - 1).worstFpp()).isGreaterThan(fpp);
      }
    }
  }

  private static WindowSizing withBlocks(WindowSizing sizing, long blocks) {
    return new WindowSizing(sizing.blocksPerKey(), blocks, sizing.generationKeys(), sizing.fpp());
  }

  @Test
  void aWindowIsRoundedUpToSevenGenerations() {
    for (long window : WINDOWS) {
      WindowSizing sizing = sized(window, 0.01);
      assertThat(sizing.expectedKeys()).isBetween(window, window + 6);
      assertThat(sizing.expectedKeys()).isEqualTo(7 * sizing.generationKeys());
    }
  }

  /** Those of docs/math.md. */
  @ParameterizedTest
  @CsvSource({
    "0.1, 1, 12.24",
    "0.01, 1, 21.07",
    "0.001, 2, 25.43",
    "0.0001, 2, 33.32",
    "0.00001, 2, 43.24",
    "0.000001, 3, 46.14"
  })
  void takesFewBits(double fpp, int blocksPerKey, double bitsPerKey) {
    WindowSizing sizing = sized(10_000_000, fpp);
    assertThat(sizing.blocksPerKey()).isEqualTo(blocksPerKey);
    assertThat(sizing.bitsPerKey()).isCloseTo(bitsPerKey, within(0.0051));
  }

  @Test
  void noOtherNumberOfBlocksTakesAFifthFewerBits() {
    for (double fpp = 0.5; fpp > 1e-10; fpp /= 1.3) {
      WindowSizing sizing = sized(1_000_000, fpp);
      for (int perKey = 1; perKey <= WindowSizing.MAX_BLOCKS_PER_KEY; perKey++) {
        long fewer = (long) (sizing.bits() / 1.2 / WindowSizing.BLOCK_BITS / perKey) - 1;
        WindowSizing other = new WindowSizing(perKey, fewer, sizing.generationKeys(), fpp);
        assertThat(other.worstFpp()).isGreaterThan(fpp);
      }
    }
  }

  /** The sum of nine terms, and what stands in for it where its digits cancel, against the mean. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 10, 1_000, 1_000_000})
  void generationFppIsTheMeanOverTheLoads(long blocks) {
    for (long keys : new long[] {0, 1, 2, 3, 7, 50, blocks, 6 * blocks, 60 * blocks}) {
      double mean = BlockLoad.mean(keys, 1.0 / blocks, WindowSizingTest::hit);
      for (int perKey = 1; perKey <= 4; perKey++) {
        WindowSizing sizing = new WindowSizing(perKey, blocks, 1, 0.5);
        assertThat(sizing.generationFpp((double) keys))
            .isCloseTo(Math.pow(mean, perKey), Percentage.withPercentage(0.1));
      }
    }
  }

  private static double hit(long load) {
    return Math.pow(1 - Math.pow(15.0 / 16, (double) load), 8);
  }

  /** Throws keys into blocks as docs/format.md has it, and queries as many others. */
  @ParameterizedTest
  @CsvSource({"1, 5", "1, 40", "2, 12", "3, 30"})
  void generationFppIsThatOfRandomKeys(int perKey, int load) {
    int blocks = 20;
    SplittableRandom random = new SplittableRandom(load);
    long found = 0;
    int rounds = 2_000;
    for (int round = 0; round < rounds; round++) {
      boolean[][][] cells = new boolean[perKey * blocks][8][16];
      for (int key = 0; key < load * blocks; key++) {
        for (int section = 0; section < perKey; section++) {
          for (boolean[] row : cells[section * blocks + random.nextInt(blocks)]) {
            row[random.nextInt(16)] = true;
          }
        }
      }
      for (int query = 0; query < 500; query++) {
        boolean isFound = true;
        for (int section = 0; section < perKey; section++) {
          for (boolean[] row : cells[section * blocks + random.nextInt(blocks)]) {
            isFound &= row[random.nextInt(16)];
          }
        }
        found += isFound ? 1 : 0;
      }
    }
    double queries = 500.0 * rounds;
    double fpp = new WindowSizing(perKey, blocks, 1, 0.5).generationFpp((double) load * blocks);
    assertThat(found / queries).isCloseTo(fpp, within(10 * Math.sqrt(fpp / queries) + 0.02 * fpp));
  }

  @Test
  void countsTheKeysOfAGeneration() {
    WindowSizing sizing = new WindowSizing(1, 100, 1_000, 0.01);
    double empty = Math.pow(1 - 1.0 / 1600, 600);
    long bits = Math.round(12_800 * (1 - empty));
    assertThat(sizing.generationKeys(bits, Confidence.DEFAULT).value()).isCloseTo(600, within(1.0));
    assertThat(sizing.generationKeys(0, Confidence.DEFAULT).value()).isZero();
    assertThat(sizing.generationKeys(12_800, Confidence.DEFAULT).value()).isInfinite();
  }

  @Test
  void limitsHoldOnBothSides() {
    long most = (1L << 44) / 1_024;
    accepts(() -> new WindowSizing(1, most, 1, 0.5));
    assertRefused("blocks", most + 1, () -> new WindowSizing(1, most + 1, 1, 0.5));
    accepts(() -> new WindowSizing(3, most / 3, 1, 0.5));
    assertRefused("blocks", most / 3 + 1, () -> new WindowSizing(3, most / 3 + 1, 1, 0.5));
    assertRefused("blocks", 0, () -> new WindowSizing(1, 0, 1, 0.5));
    accepts(() -> new WindowSizing(4, 1, 1, 0.5));
    assertRefused("blocksPerKey", 5, () -> new WindowSizing(5, 1, 1, 0.5));
    assertRefused("blocksPerKey", 0, () -> new WindowSizing(0, 1, 1, 0.5));
    accepts(() -> new WindowSizing(1, 1, Long.MAX_VALUE / 8, 0.5));
    assertRefused("generationKeys", 1L << 60, () -> new WindowSizing(1, 1, 1L << 60, 0.5));
    assertRefused("generationKeys", 0, () -> new WindowSizing(1, 1, 0, 0.5));
    assertRefused("fpp", "0", () -> new WindowSizing(1, 1, 1, 0));
    assertRefused("fpp", "1", () -> new WindowSizing(1, 1, 1, 1));
    assertRefused("fpp", "NaN", () -> new WindowSizing(1, 1, 1, Double.NaN));
  }

  @Test
  void buildersCheckEachValue() {
    accepts(() -> WindowSizing.builder().window(1).fpp(0.1));
    assertRefused("window", 0, () -> WindowSizing.builder().window(0));
    assertRefused("fpp", "1.5", () -> WindowSizing.builder().fpp(1.5));
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
    assertThatThrownBy(() -> sized(window, Double.parseDouble(fpp)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "no window of " + window + " keys has an fpp of " + fpp + " or less: " + reason);
  }

  private static WindowSizing sized(long window, double fpp) {
    return WindowSizing.builder().window(window).fpp(fpp).solve();
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
