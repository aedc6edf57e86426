package dev.tamis.internal.bits;

/** Counts the set bits. */
public final class Ones {

  private Ones() {}

  /** Returns the number of set bits in all of {@code words}. */
  public static long count(long[] words) {
    return count(words, 0, words.length);
  }

  /**
   * Returns the number of set bits in the words from {@code start} up to {@code end}, exclusive.
   */
  public static long count(long[] words, int start, int end) {
    long ones = 0;
    for (int i = start; i < end; i++) {
      ones += Long.bitCount(words[i]);
    }
    return ones;
  }

  /**
   * Returns the number of set bits in the bits from {@code start} up to {@code end}, exclusive and
   * above it.
   */
  static long count(long[] words, long start, long end) {
    int first = (int) (start >>> 6);
    int last = (int) ((end - 1) >>> 6);
    long head = -1L << start;
    long tail = -1L >>> -end; // the shift counts modulo 64, so this keeps the bits below end
    if (first == last) {
      return Long.bitCount(words[first] & head & tail);
    }
    return Long.bitCount(words[first] & head)
        + count(words, first + 1, last)
        + Long.bitCount(words[last] & tail);
  }

  /** Does the same for bits in buffers. */
  public static long count(BufferWords words, long start, long end) {
    long first = start >>> 6;
    long last = (end - 1) >>> 6;
    long before = words.get(first) & ~(-1L << start);
    long after = words.get(last) & ~(-1L >>> -end);
    long ones = -((long) Long.bitCount(before) + Long.bitCount(after));
    for (long i = first; i <= last; i++) {
      ones += Long.bitCount(words.get(i));
    }
    return ones;
  }

  /** Returns the number of set bits in the union of two arrays of the same length. */
  public static long countUnion(long[] words, long[] others) {
    long ones = 0;
    for (int i = 0; i < words.length; i++) {
      ones += Long.bitCount(words[i] | others[i]);
    }
    return ones;
  }
}
