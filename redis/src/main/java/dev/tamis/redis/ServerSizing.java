package dev.tamis.redis;

import dev.tamis.filter.LineRanges;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.Sizing;
import java.util.function.Predicate;

/** Sizes a filter for the server's time, which grows with the number of hashes. */
final class ServerSizing {

  /*
   * A put is one command with some words for each bit it sets, and reading those words is what the
   * server spends its time on; in memory all bits of a line cost little more than one. So here
   * fewer hashes are worth a little memory, and where they are in the line does not matter. At 1 %
   * there are 4 in place of 8, for 6.7 % more bits, see decision 49. Below 1e-4 a key has two lines,
   * which takes 16 hashes or more in every blocked layout.
   */

  /** How many times the bits of a file may be taken for fewer hashes. */
  private static final double MOST_BITS = 1.1;

  private ServerSizing() {}

  /**
   * Returns the sizing with the fewest hashes that has hardly more bits.
   *
   * @param file what a filter in memory or in a file would have
   * @param isPossible whether a filter of this shape can be on a server
   */
  static Sizing fewestHashes(Sizing file, Predicate<Shape> isPossible) {
    if (file.shape().layout().linesPerKey() != 1) {
      return file;
    }
    Layout layout = Layout.LINE;
    long lines = (long) (MOST_BITS * file.shape().bits()) / LineRanges.LINE_BITS;
    long mostBits = Math.min(Layout.MAX_BITS, lines * LineRanges.LINE_BITS);
    for (int k = layout.minHashes(); k < file.shape().hashes(); k += layout.hashStep()) {
      if (new Shape(layout, mostBits, k).fpp(file.expectedKeys()) <= file.fpp()) {
        Sizing fewer =
            Sizing.builder()
                .layout(layout)
                .hashes(k)
                .expectedKeys(file.expectedKeys())
                .fpp(file.fpp())
                .solve();
        if (isPossible.test(fewer.shape())) {
          return fewer;
        }
      }
    }
    return file;
  }
}
