package dev.tamis.internal.bits;

/** The loops over a cache line in plain Java. */
final class ScalarLineKernel implements LineKernel {

  /*
   * 1L << x looks at the low six bits of x only, so shifting a field down is all it takes to use
   * it, and the eight words do the same with different constants: the loops unroll without a
   * branch, and the eight loads overlap.
   */

  private static final int WORDS_TO_TELL = 4;

  @Override
  public boolean put(long[] words, int first, long draw) {
    long missing = 0;
    for (int i = 0; i < WORDS; i++) {
      long before = words[first + i];
      long mask = bit(draw, i);
      missing |= ~before & mask;
      words[first + i] = before | mask;
    }
    return missing != 0;
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
  public boolean putAmongOthers(
      long[] words, int first, long draw, long secondDraw, Stripes stripes, int stripe) {
    boolean isDouble = secondDraw != draw;
    if (!isMissing(words, first, draw) && !(isDouble && isMissing(words, first, secondDraw))) {
      return false;
    }
    stripes.lock(stripe);
    boolean isNew = isDouble ? put(words, first, draw, secondDraw) : put(words, first, draw);
    stripes.unlock(stripe, isNew ? 1 : 0);
    return isNew;
  }

  @Override
  public boolean mightContain(long[] words, int first, long draw) {
    long all = 1;
    for (int i = 0; i < WORDS; i++) {
      all &= words[first + i] >>> (draw >>> (TOP_FIELD - FIELD * i));
    }
    return all != 0;
  }

  /*
   * Four words, since even in a filter at capacity they suffice for 15 of 16 new keys, and the
   * branch is seldom mispredicted. Testing all eight makes a put a quarter slower.
   */
  private boolean isMissing(long[] words, int first, long draw) {
    long all = 1;
    for (int i = 0; i < WORDS_TO_TELL; i++) {
      all &= words[first + i] >>> (draw >>> (TOP_FIELD - FIELD * i));
    }
    return all == 0 || !mightContain(words, first, draw);
  }

  @Override
  public boolean isShort() {
    return false;
  }

  private static long bit(long draw, int word) {
    return 1L << (draw >>> (TOP_FIELD - FIELD * word));
  }
}
