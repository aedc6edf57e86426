package dev.tamis.internal.bits;

/**
 * Columns of counters with a row for each stripe; only the holder of the stripe adds to its row.
 *
 * <p>A sum is exact while all stripes are held, and otherwise at least what was added before.
 */
public final class StripeCounts {

  /*
   * Rows are padded so that no two share a cache line: the data of an array begins 16
   * bytes into its object, so two unused words at the end of a row are enough.
   */

  private static final int WORDS_PER_LINE = 8;
  private static final int UNUSED = 2;

  private final int rows;
  private final int stride;
  private final long[] counts;

  public StripeCounts(int rows, int columns) {
    this.rows = rows;
    this.stride = (columns + UNUSED + WORDS_PER_LINE - 1) / WORDS_PER_LINE * WORDS_PER_LINE;
    this.counts = new long[Math.multiplyExact(rows, stride)];
  }

  public long get(int row, int column) {
    return counts[row * stride + column];
  }

  public long add(int row, int column, long amount) {
    return counts[row * stride + column] += amount;
  }

  public long sum(int column) {
    long sum = 0;
    for (int row = 0; row < rows; row++) {
      sum += counts[row * stride + column];
    }
    return sum;
  }

  /** Sets a column to zero and returns its sum. */
  public long drain(int column) {
    long sum = 0;
    for (int row = 0; row < rows; row++) {
      sum += counts[row * stride + column];
      counts[row * stride + column] = 0;
    }
    return sum;
  }
}
