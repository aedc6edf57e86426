package dev.tamis.sizing;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys, fpp, bits and hashes, each from the others, lead back to where they came from. */
class SizingInversesTest {

  /** Sums of thousands of terms that are one in all but rounding. */
  private static final double ROUNDING = 1e-14;

  private static final long[] KEYS = {
    1, 2, 3, 7, 10, 50, 100, 1_000, 12_345, 1_000_000, 100_000_000, 1_000_000_000, 10_000_000_000L
  };
  private static final double[] FPPS = {0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-6, 1e-9};

  @ParameterizedTest
  @EnumSource
  void bitsAreEnoughAndOneStepLessIsNot(Layout layout) {
    for (Sizing sizing : grid(layout)) {
      Shape shape = sizing.shape();
      long less = shape.bits() - layout.granularity(shape.hashes());
      assertThat(shape.fpp(sizing.expectedKeys()))
          .as("%s", sizing)
          .isLessThanOrEqualTo(sizing.fpp());
      if (less >= layout.minBits(shape.hashes())) {
        assertThat(new Shape(layout, less, shape.hashes()).fpp(sizing.expectedKeys()))
            .as("%s", sizing)
            .isGreaterThan(sizing.fpp());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void keysOfTheShapeAreAtLeastThoseAskedForAndNotOneMoreFits(Layout layout) {
    for (Sizing sizing : grid(layout)) {
      long keys = sizing.shape().keys(sizing.fpp());
      assertThat(keys).as("%s", sizing).isGreaterThanOrEqualTo(sizing.expectedKeys());
      assertThat(sizing.shape().fpp(keys)).as("%s", sizing).isLessThanOrEqualTo(sizing.fpp());
      assertThat(sizing.shape().fpp(keys + 1)).as("%s", sizing).isGreaterThan(sizing.fpp());
    }
  }

  @ParameterizedTest
  @EnumSource
  void hashesAreThoseThatNeedTheFewestBits(Layout layout) {
    for (Sizing sizing : grid(layout)) {
      long fewest =
          hashes(layout)
              .mapToLong(k -> bits(layout, sizing.expectedKeys(), sizing.fpp(), k))
              .min()
              .orElseThrow();
      assertThat(sizing.shape().bits()).as("%s", sizing).isEqualTo(fewest);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatNeedsMoreBitsThanThereAreIsRefused(Layout layout) {
    for (long keys : KEYS) {
      for (double fpp : FPPS) {
        if (!possible(layout, keys, fpp)) {
          refuses(
              () -> size(layout, keys, fpp), Long.toString(keys), Long.toString(Layout.MAX_BITS));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void bitsAndKeysGiveTheLowestFppThereIs(Layout layout) {
    for (long keys : KEYS) {
      for (double bitsPerKey : new double[] {1, 3, 8, 10, 14.5, 20, 30}) {
        long bits = (long) Math.ceil(bitsPerKey * keys);
        if (bits >= 1024 && bits <= Layout.MAX_BITS) {
          Sizing sizing = Sizing.builder().layout(layout).bits(bits).expectedKeys(keys).solve();
          double lowest =
              hashes(layout)
                  .mapToDouble(k -> largest(layout, bits, k).fpp(keys))
                  .min()
                  .orElseThrow();
          assertThat(sizing.fpp()).as("%s", sizing).isEqualTo(lowest);
          assertThat(sizing.fpp()).isEqualTo(sizing.shape().fpp(keys));
          assertThat(sizing.expectedKeys()).isEqualTo(keys);
          assertThat(sizing.shape().bits())
              .isBetween(bits - layout.granularity(sizing.shape().hashes()) + 1, bits);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void bitsAndFppGiveTheMostKeysThereAre(Layout layout) {
    for (long bits : new long[] {1_024, 5_120, 1_000_000, 10_000_000_000L, Layout.MAX_BITS}) {
      for (double fpp : FPPS) {
        long most =
            hashes(layout).mapToLong(k -> largest(layout, bits, k).keys(fpp)).max().orElseThrow();
        if (most > 0) {
          Sizing sizing = Sizing.builder().layout(layout).bits(bits).fpp(fpp).solve();
          assertThat(sizing.expectedKeys()).as("%s", sizing).isEqualTo(most);
          assertThat(sizing.shape().fpp(most)).isLessThanOrEqualTo(fpp);
          assertThat(sizing.fpp()).isEqualTo(fpp);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void bitsAndKeysToFppAndBack(Layout layout) {
    for (long keys : KEYS) {
      for (double bitsPerKey : new double[] {3, 8, 10, 14.5, 20}) {
        long bits = (long) Math.ceil(bitsPerKey * keys) / 512 * 512;
        if (bits < 1024 || bits > Layout.MAX_BITS) {
          continue;
        }
        Sizing there = Sizing.builder().layout(layout).bits(bits).expectedKeys(keys).solve();

        assertThat(Sizing.builder().layout(layout).bits(bits).fpp(there.fpp()).solve())
            .as("back to the keys")
            .isEqualTo(there);
        assertThat(size(layout, keys, there.fpp())).as("back to the bits").isEqualTo(there);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void bitsRiseWithKeysAndFallWithFpp(Layout layout) {
    for (double fpp : FPPS) {
      long before = 0;
      for (long keys = 1; keys < 2_000_000_000; keys += 1 + keys / 3) {
        long bits = size(layout, keys, fpp).shape().bits();
        assertThat(bits).as("%d keys at %s", keys, fpp).isGreaterThanOrEqualTo(before);
        before = bits;
      }
    }
    for (long keys : new long[] {1, 10, 1_000, 1_000_000}) {
      long before = Long.MAX_VALUE;
      for (double fpp = 1e-9; fpp < 0.5; fpp *= 1.3) {
        long bits = size(layout, keys, fpp).shape().bits();
        assertThat(bits).as("%d keys at %s", keys, fpp).isLessThanOrEqualTo(before);
        before = bits;
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void fppRisesWithKeysAndFallsWithBits(Layout layout) {
    for (int hashes : hashes(layout).toArray()) {
      long unit = layout.granularity(hashes);
      Shape shape = largest(layout, 1_000_000, hashes);
      double before = 0;
      for (long keys = 1; keys < 2_000_000; keys += 1 + keys / 4) {
        double fpp = shape.fpp(keys);
        assertThat(fpp).as("%s, %d keys", shape, keys).isBetween(before - ROUNDING, 1.0);
        before = fpp;
      }
      before = 1;
      long bits = (layout.minBits(hashes) + unit - 1) / unit * unit;
      while (bits < 1_000_000) {
        double fpp = new Shape(layout, bits, hashes).fpp(1_000);
        assertThat(fpp).as("%s, %d bits", layout, bits).isBetween(0.0, before);
        before = fpp;
        bits += unit * (1 + bits / unit / 4);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void noKeysNoFpp(Layout layout) {
    assertThat(largest(layout, 10_000, layout.minHashes()).fpp(0)).isZero();
    assertThat(largest(layout, 10_000, layout.minHashes()).expectedSetBits(0)).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void overfullIsCertain(Layout layout) {
    Shape shape = largest(layout, 10_240, layout.maxHashes());
    assertThat(shape.fpp(1_000_000_000)).isCloseTo(1, within(1e-9));
    assertThat(shape.fpp(Long.MAX_VALUE)).isCloseTo(1, within(1e-9));
    assertThat(shape.keys(Math.nextDown(1.0))).isPositive();
  }

  private static List<Sizing> grid(Layout layout) {
    List<Sizing> sizings = new ArrayList<>();
    for (long keys : KEYS) {
      for (double fpp : FPPS) {
        if (possible(layout, keys, fpp)) {
          sizings.add(size(layout, keys, fpp));
        }
      }
    }
    assertThat(sizings).hasSizeGreaterThan(90);
    return sizings;
  }

  private static boolean possible(Layout layout, long keys, double fpp) {
    return hashes(layout).anyMatch(k -> bits(layout, keys, fpp, k) < Long.MAX_VALUE);
  }

  /** Returns the bits with {@code hashes}, or the largest long if there are not enough. */
  private static long bits(Layout layout, long keys, double fpp, int hashes) {
    return largest(layout, Layout.MAX_BITS, hashes).fpp(keys) > fpp
        ? Long.MAX_VALUE
        : Sizing.builder()
            .layout(layout)
            .expectedKeys(keys)
            .fpp(fpp)
            .hashes(hashes)
            .solve()
            .shape()
            .bits();
  }

  private static Sizing size(Layout layout, long keys, double fpp) {
    return Sizing.builder().layout(layout).expectedKeys(keys).fpp(fpp).solve();
  }

  private static Shape largest(Layout layout, long bits, int hashes) {
    return new Shape(layout, bits - bits % layout.granularity(hashes), hashes);
  }

  private static IntStream hashes(Layout layout) {
    return IntStream.iterate(
        layout.minHashes(), k -> k <= layout.maxHashes(), k -> k + layout.hashStep());
  }
}
