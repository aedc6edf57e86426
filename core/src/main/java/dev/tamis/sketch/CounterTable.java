package dev.tamis.sketch;

import dev.tamis.internal.bits.HeapLimit;
import dev.tamis.internal.bits.Words;
import dev.tamis.internal.counters.CounterRows;
import dev.tamis.sizing.Checks;

/**
 * The size of a count-min sketch: d rows of w counters.
 *
 * @param depth d, rows; 1 to {@link #MAX_DEPTH}
 * @param width w, counters of a row; at least {@link #MIN_WIDTH}
 */
record CounterTable(int depth, long width) {

  /** ⌈e/ε⌉ for the largest ε: with fewer counters the bound would be more than all puts. */
  static final int MIN_WIDTH = 3;

  /** Beyond it δ is less than 2^−64, the probability that two keys have one hash. */
  static final int MAX_DEPTH = 44;

  /** As many words as any filter has. */
  static final long MAX_COUNTERS = Words.MAX_COUNT;

  CounterTable {
    requireDepth(depth);
    requireWidth(depth, width);
  }

  /** Returns the smallest table with these bounds or better, both in (0, 1). */
  static CounterTable forBounds(double epsilon, double delta) {
    int depth = requireDepth((long) Math.ceil(-Math.log(delta)));
    return new CounterTable(depth, requireWidth(depth, (long) Math.ceil(Math.E / epsilon)));
  }

  static int requireDepth(long depth) {
    return (int) Checks.range("depth", depth, 1, MAX_DEPTH);
  }

  static long requireWidth(int depth, long width) {
    return Checks.range("width", width, MIN_WIDTH, MAX_COUNTERS / depth);
  }

  double epsilon() {
    return Math.E / width;
  }

  double delta() {
    return Math.exp(-depth);
  }

  long bytes() {
    return depth * width * Long.BYTES;
  }

  /** Returns zeros; an IllegalArgumentException if this JVM's heap cannot hold them. */
  CounterRows allocate() {
    HeapLimit.check(bytes(), "sketch", "a larger epsilon or delta");
    return new CounterRows(depth, width);
  }
}
