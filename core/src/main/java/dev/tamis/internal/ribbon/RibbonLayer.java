package dev.tamis.internal.ribbon;

import static dev.tamis.sizing.RibbonSizing.BLOCK_SLOTS;

import dev.tamis.internal.bits.Mixing;
import dev.tamis.internal.bits.Words;

/** One layer of a ribbon filter, immutable as long as its words are. */
final class RibbonLayer {

  /*
   * Words: the number of blocks; the number of narrow blocks; the thresholds, 32 to a word; then
   * block after block its columns, each a word with one bit for each of the block's 64 slots. So
   * the words that a query reads are contiguous. It stops when a column differs, but tests four at
   * a time: one in 16 absent keys passes them, which branch prediction handles better than a 50/50
   * test (14 ns per query, not 21).
   *
   * Narrow blocks come first and have one column fewer. A key has the columns of the block that it
   * starts in; the block after, which it reaches over into, has at least as many.
   */

  static final int HEADER_WORDS = 2;

  private static final int BLOCK_SHIFT = 6;

  private final Words words;
  private final long blocks;
  private final long narrow;
  private final int columns;
  private final RibbonThresholds thresholds;
  private final long columnsAt;
  private final long starts;

  /** Creates a view of the layer whose words begin at {@code at}. */
  RibbonLayer(Words words, long at, int columns) {
    this.words = words;
    this.blocks = words.get(at);
    this.narrow = words.get(at + 1);
    this.columns = columns;
    this.thresholds = new RibbonThresholds(words, at + HEADER_WORDS, blocks);
    this.columnsAt = at + HEADER_WORDS + RibbonThresholds.words(blocks);
    this.starts = starts(blocks);
  }

  static long words(long blocks, long narrow, int columns) {
    return HEADER_WORDS + RibbonThresholds.words(blocks) + blocks * columns - narrow;
  }

  /** Returns the number of slots where a key can start: all but those of the last block. */
  static long starts(long blocks) {
    return (blocks - 1) * BLOCK_SLOTS;
  }

  static long start(long hash, long starts) {
    return Mixing.reduce(hash, starts);
  }

  /** Returns which slots, from the start on, a key's equation adds; always the first. */
  static long coefficients(long hash) {
    return Mixing.draw(hash, 1) | 1;
  }

  /** Returns the required sum of the slots, modulo 2, a bit for each column. */
  static int results(long hash) {
    return (int) Mixing.draw(hash, 2);
  }

  /** Returns the hash that a bumped key has in the layer below; distinct hashes stay distinct. */
  static long below(long hash) {
    return Mixing.draw(hash, 3);
  }

  long start(long hash) {
    return start(hash, starts);
  }

  /** Returns whether the keys that start there are in a layer below. */
  boolean isBumped(long start) {
    return thresholds.isBumped(start);
  }

  /** Returns whether a key that starts there and is not bumped may be in the filter. */
  boolean matches(long hash, long start) {
    long coefficients = coefficients(hash);
    int results = results(hash);
    long here = coefficients << start;
    long beyond =
        coefficients >>> 1 >>> ~start; // by 64 in total where the start is a block's first
    long block = start >>> BLOCK_SHIFT;
    int count = columns(block);
    long first = columnAt(block);
    if (words.run(first, first + 2L * count) < 2 * count) {
      return matchesAcross(first, count, here, beyond, results);
    }
    long[] segment = words.segment(first);
    int at = words.at(first);
    int i = 0;
    for (; i < count - 3; i += 4) {
      int wrong =
          (sum(segment, at + i, count, here, beyond) ^ (results >>> i))
              | (sum(segment, at + i + 1, count, here, beyond) ^ (results >>> (i + 1)))
              | (sum(segment, at + i + 2, count, here, beyond) ^ (results >>> (i + 2)))
              | (sum(segment, at + i + 3, count, here, beyond) ^ (results >>> (i + 3)));
      if ((wrong & 1) != 0) {
        return false;
      }
    }
    for (; i < count; i++) {
      if (((sum(segment, at + i, count, here, beyond) ^ (results >>> i)) & 1) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns the sum of a key's slots in one column over two blocks. */
  private static int sum(long[] segment, int at, int columns, long here, long beyond) {
    return Long.bitCount((segment[at] & here) ^ (segment[at + columns] & beyond));
  }

  /** As {@link #matches} where the two blocks are in two segments of {@link Words}. */
  private boolean matchesAcross(long first, int count, long here, long beyond, int results) {
    for (int i = 0; i < count; i++) {
      long slots = (words.get(first + i) & here) ^ (words.get(first + i + count) & beyond);
      if (((Long.bitCount(slots) ^ (results >>> i)) & 1) != 0) {
        return false;
      }
    }
    return true;
  }

  double fpp(double below) {
    return thresholds.fpp(narrow, columns, below);
  }

  RibbonThresholds thresholds() {
    return thresholds;
  }

  long blocks() {
    return blocks;
  }

  int columns(long block) {
    return block < narrow ? columns - 1 : columns;
  }

  /** Returns the index of a block's first column among the words. */
  long columnAt(long block) {
    return columnsAt + block * columns - Math.min(block, narrow);
  }

  long end() {
    return columnAt(blocks);
  }
}
