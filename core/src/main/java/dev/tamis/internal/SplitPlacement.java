package dev.tamis.internal;

/**
 * One cache line a key, and in each of its eight words one or two bits: the placement that costs
 * least where it fits.
 */
public final class SplitPlacement extends Placement {

  /*
   * The line comes from the high bits of the hash. The bits within it come from a draw, because the
   * keys of one line share those high bits. A draw holds eight fields of six bits, from the top;
   * 1L << x looks at the low six bits of x only, so shifting a field down is all it takes to use it,
   * and the eight lanes do the same with different constants: the loops unroll without a branch.
   */

  static final int WORDS_PER_LINE = 8;

  private static final int FIELD = 6;
  private static final int TOP_FIELD = Long.SIZE - FIELD;

  private final long lines;
  private final int bitsPerWord;

  /**
   * Creates the placement over {@code bits}, a multiple of 512.
   *
   * @param bitsPerWord 1 or 2
   */
  public SplitPlacement(long bits, int bitsPerWord) {
    this.lines = bits / (WORDS_PER_LINE * Long.SIZE);
    this.bitsPerWord = bitsPerWord;
  }

  @Override
  public int probes() {
    return WORDS_PER_LINE * bitsPerWord;
  }

  @Override
  public long position(long hash, int probe) {
    int word = probe & (WORDS_PER_LINE - 1);
    long draw = Mixing.draw(hash, 1 + probe / WORDS_PER_LINE);
    return ((firstWord(hash) + (long) word) << 6) + (field(draw, word) & 63);
  }

  @Override
  public boolean put(long[] words, long hash) {
    int first = firstWord(hash);
    long draw = Mixing.draw(hash, 1);
    return bitsPerWord == 1
        ? put(words, first, draw)
        : put(words, first, draw, Mixing.draw(hash, 2));
  }

  @Override
  public boolean mightContain(long[] words, long hash) {
    int first = firstWord(hash);
    long draw = Mixing.draw(hash, 1);
    return missing(words, first, draw) == 0
        && (bitsPerWord == 1 || missing(words, first, Mixing.draw(hash, 2)) == 0);
  }

  private int firstWord(long hash) {
    return (int) Mixing.reduce(hash, lines) * WORDS_PER_LINE;
  }

  private static long field(long draw, int word) {
    return draw >>> (TOP_FIELD - FIELD * word);
  }

  private static boolean put(long[] words, int first, long draw) {
    long missing = 0;
    for (int i = 0; i < WORDS_PER_LINE; i++) {
      long before = words[first + i];
      long mask = 1L << field(draw, i);
      missing |= ~before & mask;
      words[first + i] = before | mask;
    }
    return missing != 0;
  }

  private static boolean put(long[] words, int first, long draw, long secondDraw) {
    long missing = 0;
    for (int i = 0; i < WORDS_PER_LINE; i++) {
      long before = words[first + i];
      long mask = (1L << field(draw, i)) | (1L << field(secondDraw, i));
      missing |= ~before & mask;
      words[first + i] = before | mask;
    }
    return missing != 0;
  }

  /** Returns zero if every word has its bit; no branch, so that the eight loads overlap. */
  private static long missing(long[] words, int first, long draw) {
    long missing = 0;
    for (int i = 0; i < WORDS_PER_LINE; i++) {
      missing |= ~words[first + i] & (1L << field(draw, i));
    }
    return missing;
  }

  @Override
  public double fpp(long[] words) {
    double sum = 0;
    for (int first = 0; first < words.length; first += WORDS_PER_LINE) {
      double line = 1;
      for (int i = 0; i < WORDS_PER_LINE; i++) {
        double fill = Long.bitCount(words[first + i]) / (double) Long.SIZE;
        line *= bitsPerWord == 1 ? fill : fill * fill;
      }
      sum += line;
    }
    return sum / lines;
  }
}
