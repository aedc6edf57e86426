package dev.tamis.internal.bits;

/**
 * The inner loops of {@link SplitPlacement} over one cache line: eight words, in each of which a
 * draw names a bit.
 *
 * <p>A draw holds eight fields of six bits, from the top; field i is the bit of word i. There are
 * two implementations, which set and test the same bits: {@link ScalarLineKernel} for any JVM, and
 * a vectorized one.
 */
interface LineKernel {

  /** Words of a cache line. */
  int WORDS = Placement.WORDS_PER_LINE;

  /** Bits of a field. */
  int FIELD = 6;

  /** How far to shift a draw so that its first field comes to the low end. */
  int TOP_FIELD = Long.SIZE - FIELD;

  /** Sets a bit in each of the words from {@code first} on, and returns whether any was zero. */
  boolean put(long[] words, int first, long draw);

  /** Sets two bits in each of the words, which may coincide, and returns whether any was zero. */
  boolean put(long[] words, int first, long draw, long secondDraw);

  /**
   * Does what {@link #put(long[], int, long, long)} does among other threads, with the stripe held
   * where a bit is missing, and counts the put there.
   */
  boolean putConcurrent(
      long[] words, int first, long draw, long secondDraw, Stripes stripes, int stripe);

  /** Returns whether in each of the words the bit is set. */
  boolean mightContain(long[] words, int first, long draw);

  /**
   * Returns whether a lookup is short enough for out-of-order execution to overlap several, so that
   * prefetching costs more than it saves.
   */
  boolean isShort();
}
