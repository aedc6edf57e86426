package dev.tamis.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A few keys in a huge filter, where differences of nearly equal numbers lose all their digits. */
class SparseFilterTest {

  @ParameterizedTest
  @EnumSource
  void fppIsBelowTheShareOfBitsThatCanBeOnes(Layout layout) {
    for (int k = layout.minHashes(); k <= layout.maxHashes(); k += layout.hashStep()) {
      for (Shape shape : hugeShapes(layout, k)) {
        for (long keys = 1; keys < 20_000; keys += 1 + keys / 7) {
          // one probe hits at most n·k ones of m; and two keys may have the same hash
          double most = (double) keys * k / shape.bits() + keys * 0x1p-64;
          assertThat(shape.fpp(keys))
              .as("%s, %d keys", shape, keys)
              .isBetween(0.0, most * 1.000001);
        }
      }
    }
  }

  @Test
  void fppOfTheClassicLayoutIsAtMostThatOfBitsThatNeverMeet() {
    for (int k = 1; k <= 32; k++) {
      for (Shape shape : hugeShapes(Layout.CLASSIC, k)) {
        for (long keys = 1; keys < 20_000; keys += 1 + keys / 7) {
          double most = Math.pow((double) keys * k / shape.bits(), k) + keys * 0x1p-64;
          assertThat(shape.fpp(keys)).as("%s, %d keys", shape, keys).isBetween(0.0, most * 1.001);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void fppRisesWithKeys(Layout layout) {
    for (int k = layout.minHashes(); k <= layout.maxHashes(); k += layout.hashStep()) {
      for (Shape shape : hugeShapes(layout, k)) {
        double before = 0;
        for (long keys = 1; keys < 1_000_000_000; keys += 1 + keys / 3) {
          double fpp = shape.fpp(keys);
          assertThat(fpp).as("%s, %d keys", shape, keys).isGreaterThanOrEqualTo(before);
          before = fpp;
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void firstKeysOfAHugeFilterDropNone(Layout layout) {
    for (int k = layout.minHashes(); k <= layout.maxHashes(); k += layout.hashStep()) {
      for (Shape shape : hugeShapes(layout, k)) {
        assertThat(WrongDrops.expected(shape::fpp, 0, 100, 0)).as("%s", shape).isLessThan(2e-4);
        assertThat(WrongDrops.expected(shape::fpp, 0, 1_000, 0)).as("%s", shape).isLessThan(2e-2);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void onesAreThoseOfTheKeys(Layout layout) {
    for (int k = layout.minHashes(); k <= layout.maxHashes(); k += layout.hashStep()) {
      for (Shape shape : hugeShapes(layout, k)) {
        // two bits of a key meet within a line or a word, at most once in 64 pairs
        double least = k * (1 - (k - 1) / 2.0 / 64);
        assertThat(shape.expectedSetBits(1)).as("%s", shape).isBetween(least, k * (1 + 1e-9));
        assertThat(KeyCounts.keys(shape, k).value()).isBetween(1 - 1e-9, k / least + 1e-9);
      }
    }
  }

  private static Shape[] hugeShapes(Layout layout, int hashes) {
    long unit = layout.granularity(hashes);
    return new Shape[] {
      new Shape(layout, 1_000_000_000 / unit * unit, hashes),
      new Shape(layout, 10_000_000_000L / unit * unit, hashes),
      new Shape(layout, Layout.MAX_BITS / unit * unit, hashes),
    };
  }
}
