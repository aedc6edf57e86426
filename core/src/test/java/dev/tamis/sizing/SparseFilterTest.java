package dev.tamis.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A few keys in a huge filter, where differences of nearly equal numbers lose all their digits. */
class SparseFilterTest {

  @ParameterizedTest
  @EnumSource
  void fppIsBelowTheShareOfBitsThatCanBeOnes(Layout layout) {
    for (Shape shape : hugeShapes(layout)) {
      for (long keys = 1; keys < 20_000; keys += 1 + keys / 7) {
        // one probe hits at most n·k ones of m; and two keys may have the same hash
        double most = (double) keys * shape.hashes() / shape.bits() + keys * 0x1p-64;
        assertThat(shape.fpp(keys)).as("%s, %d keys", shape, keys).isBetween(0.0, most * 1.000001);
      }
    }
  }

  @Test
  void fppOfTheClassicLayoutIsAtMostThatOfBitsThatNeverMeet() {
    for (Shape shape : hugeShapes(Layout.CLASSIC)) {
      for (long keys = 1; keys < 20_000; keys += 1 + keys / 7) {
        double most =
            Math.pow((double) keys * shape.hashes() / shape.bits(), shape.hashes())
                + keys * 0x1p-64;
        assertThat(shape.fpp(keys)).as("%s, %d keys", shape, keys).isBetween(0.0, most * 1.001);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void fppRisesWithKeys(Layout layout) {
    for (Shape shape : hugeShapes(layout)) {
      double before = 0;
      for (long keys = 1; keys < 1_000_000_000; keys += 1 + keys / 3) {
        double fpp = shape.fpp(keys);
        assertThat(fpp).as("%s, %d keys", shape, keys).isGreaterThanOrEqualTo(before);
        before = fpp;
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void firstKeysOfAHugeFilterDropNone(Layout layout) {
    for (Shape shape : hugeShapes(layout)) {
      assertThat(WrongDrops.expected(shape::fpp, 0, 100, 0)).as("%s", shape).isLessThan(2e-4);
      assertThat(WrongDrops.expected(shape::fpp, 0, 1_000, 0)).as("%s", shape).isLessThan(2e-2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void onesAreThoseOfTheKeys(Layout layout) {
    for (Shape shape : hugeShapes(layout)) {
      int k = shape.hashes();
      // two bits of a key meet within a line or a word, at most once in 64 pairs
      double least = k * (1 - (k - 1) / 2.0 / 64);
      assertThat(shape.expectedSetBits(1)).as("%s", shape).isBetween(least, k * (1 + 1e-9));
      assertThat(KeyCounts.keys(shape, k).value()).isBetween(1 - 1e-9, k / least + 1e-9);
    }
  }

  private static List<Shape> hugeShapes(Layout layout) {
    List<Shape> shapes = new ArrayList<>();
    for (int k = layout.minHashes(); k <= layout.maxHashes(); k += layout.hashStep()) {
      for (long bits : new long[] {1_000_000_000, 10_000_000_000L, Layout.MAX_BITS}) {
        shapes.add(new Shape(layout, bits - bits % layout.granularity(k), k));
      }
    }
    return shapes;
  }
}
