package dev.tamis.internal.bits;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Words in segments of one gigabyte, in which blocks of eight are aligned to cache lines.
 *
 * <p>Word i is element {@link #at} of array {@link #segment}, and a block of {@value #BLOCK} that
 * begins at a multiple of {@value #BLOCK} is in one array. Which thread may write a word is up to
 * the owner.
 */
public final class Words {

  /*
   * An array has 2^31 elements, a filter may have more words. Where one segment is enough, `only` is
   * it: one field to load and a branch that is always predicted, in place of a second load that
   * depends on the first, and of a mask. That adds 1 to 3 % to a lookup or put in the cache.
   *
   * The data of an array begins 16 bytes into its object. A large object begins at a multiple of 64
   * bytes in collectors that give it its own regions (G1, ZGC, Shenandoah), so 48 unused bytes put
   * every block in one cache line instead of two. Measured: a quarter to a third less time for
   * batches of lookups, a tenth for single ones, see decision 14. Where the object begins elsewhere,
   * nothing is lost but the 48 bytes.
   */

  /** The index of the first word of a segment; what is before it is always zero. */
  public static final int FIRST = 6;

  /** The most words: 2 TiB. */
  public static final long MAX_COUNT = 1L << 38;

  /** Two cache lines. */
  private static final int BLOCK = 16;

  private static final int MAX_SHIFT = 27;

  /** The log2 of the words of a segment. */
  private static final int SHIFT = shift();

  private static final int MASK = (1 << SHIFT) - 1;

  private final long count;
  private final long[][] segments;
  private final long @Nullable [] only;

  private Words(long count, long[][] segments) {
    this.count = count;
    this.segments = segments;
    this.only = segments.length == 1 ? segments[0] : null;
  }

  /** Returns the default, or a test's setting, for which a gigabyte would be too much. */
  private static int shift() {
    int shift = Integer.getInteger("dev.tamis.segmentShift", MAX_SHIFT);
    int least = Integer.numberOfTrailingZeros(BLOCK);
    if (shift < least || shift > MAX_SHIFT) {
      throw new IllegalStateException(
          "dev.tamis.segmentShift must be " + least + " to " + MAX_SHIFT + ", got " + shift);
    }
    return shift;
  }

  /** Returns {@code count} zeros, at most {@link #MAX_COUNT}; throws if the heap has no room. */
  public static Words allocate(long count) {
    HeapLimit.check(count * Long.BYTES);
    return new Words(count, HeapLimit.allocate(count * Long.BYTES, () -> zeros(count)));
  }

  private static long[][] zeros(long count) {
    long[][] segments = new long[Math.max(1, (int) ((count + MASK) >>> SHIFT))][];
    for (int i = 0; i < segments.length; i++) {
      long left = count - ((long) i << SHIFT);
      segments[i] = new long[FIRST + (int) Math.min(left, MASK + 1L)];
    }
    return segments;
  }

  public long count() {
    return count;
  }

  public long bytes() {
    return count * Long.BYTES;
  }

  /** Returns the array that contains a word. */
  public long[] segment(long word) {
    long[] single = only;
    return single != null ? single : segments[(int) (word >>> SHIFT)];
  }

  /** Returns the index of a word in its array. */
  public int at(long word) {
    return FIRST + (only != null ? (int) word : (int) word & MASK);
  }

  /** Returns all arrays: the words in order, in each from {@link #FIRST} to its end. */
  public long[][] segments() {
    return segments;
  }

  /** Returns how many words from {@code word} up to {@code end} are in the same array. */
  public int run(long word, long end) {
    return (int) Math.min(end - word, MASK + 1L - (word & MASK));
  }

  public long get(long word) {
    return segment(word)[at(word)];
  }

  public void set(long word, long value) {
    segment(word)[at(word)] = value;
  }

  /** Returns the last of at least one word. */
  public long last() {
    return get(count - 1);
  }

  public void clear() {
    clear(0, count);
  }

  /** Sets the words from {@code start} up to {@code end}, exclusive, to zero. */
  public void clear(long start, long end) {
    int run;
    for (long word = start; word < end; word += run) {
      run = run(word, end);
      Arrays.fill(segment(word), at(word), at(word) + run, 0);
    }
  }

  /** Copies all words of an array of the same length. */
  public void copyFrom(Words other) {
    for (int i = 0; i < segments.length; i++) {
      System.arraycopy(other.segments[i], FIRST, segments[i], FIRST, segments[i].length - FIRST);
    }
  }

  public Words copy() {
    Words copy = allocate(count);
    copy.copyFrom(this);
    return copy;
  }

  /** Sets all bits that are set in {@code others}, the words from {@code start} on. */
  public void or(long start, Words others) {
    int run;
    for (long done = 0; done < others.count; done += run) {
      run = run(start + done, start + done + others.run(done, others.count));
      long[] mine = segment(start + done);
      long[] theirs = others.segment(done);
      int to = at(start + done);
      int from = others.at(done);
      for (int i = 0; i < run; i++) {
        mine[to + i] |= theirs[from + i];
      }
    }
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof Words other
        && count == other.count
        && Arrays.deepEquals(segments, other.segments);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(segments);
  }
}
