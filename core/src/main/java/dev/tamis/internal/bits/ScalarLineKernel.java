package dev.tamis.internal.bits;

/** The loops over a cache line in plain Java. */
final class ScalarLineKernel implements LineKernel {

  /*
   * 1L << x looks at the low six bits of x only, so shifting a field down is all it takes to use
   * it, and the eight words do the same with different constants: no branch, and the loads overlap.
   *
   * A lookup stops after four words, which even in a filter at capacity are enough for 15 of 16
   * absent keys, so the branch is seldom mispredicted; and fewer instructions for a key mean that
   * the core waits for the memory of more keys at once. That saves a lookup that misses a fifth to
   * a half of its time; three words or five save less, see decision 58.
   */

  @Override
  public boolean put(long[] words, int first, long draw) {
    boolean isNew = !mightContain(words, first, draw); // a fifth less time than with the writes
    for (int i = 0; i < WORDS; i++) {
      words[first + i] |= bit(draw, i);
    }
    return isNew;
  }

  @Override
  public boolean put(long[] words, int first, long draw, long secondDraw) {
    long missing = 0;
    for (int i = 0; i < WORDS; i++) {
      long before = words[first + i];
      long mask = bit(draw, i) | bit(secondDraw, i);
      missing |= ~before & mask;
      words[first + i] = before | mask;
    }
    return missing != 0;
  }

  @Override
  public boolean putConcurrent(
      long[] words, int first, long draw, long secondDraw, Stripes stripes, int stripe) {
    boolean isDouble = secondDraw != draw;
    if (mightContain(words, first, draw) && (!isDouble || mightContain(words, first, secondDraw))) {
      return false;
    }
    stripes.lock(stripe);
    boolean isNew = isDouble ? put(words, first, draw, secondDraw) : put(words, first, draw);
    stripes.unlock(stripe, isNew ? 1 : 0);
    return isNew;
  }

  @Override
  public boolean mightContain(long[] words, int first, long draw) {
    long half =
        atField(words, first, draw, 0)
            & atField(words, first, draw, 1)
            & atField(words, first, draw, 2)
            & atField(words, first, draw, 3);
    if ((half & 1) == 0) {
      return false;
    }
    long otherHalf =
        atField(words, first, draw, 4)
            & atField(words, first, draw, 5)
            & atField(words, first, draw, 6)
            & atField(words, first, draw, 7);
    return (otherHalf & 1) != 0;
  }

  /** Returns a word with the bit that its field names at the low end. */
  private static long atField(long[] words, int first, long draw, int word) {
    return words[first + word] >>> (draw >>> (TOP_FIELD - FIELD * word));
  }

  @Override
  public boolean isShort() {
    return false;
  }

  private static long bit(long draw, int word) {
    return 1L << (draw >>> (TOP_FIELD - FIELD * word));
  }
}
