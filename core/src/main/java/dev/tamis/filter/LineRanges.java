package dev.tamis.filter;

import dev.tamis.sizing.Checks;
import dev.tamis.sizing.Layout;
import java.io.Serializable;

/**
 * The array of a Bloom filter divided into ranges of whole cache lines, one per thread, task or
 * server.
 *
 * <p>All ranges are equal except the last, which may be shorter. A blocked layout keeps a key in
 * one range, or in two if it has two lines.
 *
 * @param bits m, the size of the array
 * @param bitsPerRange the size of each range but the last, a multiple of {@link Layout#LINE_BITS}
 */
public record LineRanges(long bits, long bitsPerRange) implements Serializable {

  /** The bytes of a cache line. */
  public static final int LINE_BYTES = Layout.LINE_BITS / Byte.SIZE;

  public LineRanges {
    Checks.atLeast("bits", bits, 1);
    if (bitsPerRange < Layout.LINE_BITS || bitsPerRange % Layout.LINE_BITS != 0) {
      throw new IllegalArgumentException(
          "bitsPerRange must be a multiple of " + Layout.LINE_BITS + ", got " + bitsPerRange);
    }
    Checks.range("ranges", ceilDiv(bits, bitsPerRange), 1, Integer.MAX_VALUE);
  }

  /** Returns at most {@code most} ranges; fewer where that is as even, or where lines are fewer. */
  public static LineRanges of(long bits, int most) {
    Checks.atLeast("most", most, 1);
    return new LineRanges(bits, ceilDiv(lines(bits), most) * Layout.LINE_BITS);
  }

  /** Returns the number of lines of an array; the last may be shorter if it is not blocked. */
  public static long lines(long bits) {
    return ceilDiv(bits, Layout.LINE_BITS);
  }

  /** Returns whether all bits of a key are in one range, in filters of {@code layout}. */
  public static boolean keepKeysTogether(Layout layout) {
    return layout.isBlocked() && layout.linesPerKey() == 1;
  }

  /** Returns the number of ranges. */
  public int count() {
    return (int) ceilDiv(bits, bitsPerRange);
  }

  /** Returns the index of the range that contains {@code bit}. */
  public int rangeOf(long bit) {
    long line = bit / Layout.LINE_BITS;
    long linesPerRange = bitsPerRange / Layout.LINE_BITS;
    // exact, as lines are far below 2^53, and faster than a division of longs
    return (int) ((double) line / linesPerRange);
  }

  /** Returns the first bit of a range. */
  public long firstBit(int range) {
    return range * bitsPerRange;
  }

  /** Returns the number of bits of a range. */
  public long bits(int range) {
    return Math.min(bitsPerRange, bits - firstBit(range));
  }

  private static long ceilDiv(long dividend, long divisor) {
    return -Math.floorDiv(-dividend, divisor);
  }
}
