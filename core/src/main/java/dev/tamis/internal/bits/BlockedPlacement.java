package dev.tamis.internal.bits;

/**
 * A placement that keeps the bits of a key in one or two different cache lines.
 *
 * <p>What a key does to one of its lines depends on that line alone. So a put is the puts into its
 * lines, in any order and by any threads, as long as whoever writes a line is alone with it.
 */
public abstract sealed class BlockedPlacement extends MappablePlacement
    permits LinePlacement, SplitPlacement, SplitPairPlacement {

  final long lines;

  /** Creates a placement over {@code bits}, a multiple of 512. */
  BlockedPlacement(long bits) {
    this.lines = bits / BITS_PER_LINE;
  }

  /** Returns how many lines there are. */
  public final long lines() {
    return lines;
  }

  /** Returns how many lines a key has: 1 or 2. */
  public abstract int linesPerKey();

  /**
   * Returns a line of a key.
   *
   * @param index 0, or 1 for the second one
   */
  public abstract long line(long hash, int index);

  /** Reads a word of a line, so that the line is at hand for what follows. */
  public final long prefetchLine(Words words, long line) {
    return words.get(line * WORDS_PER_LINE);
  }

  /**
   * Sets the bits that a key has in one of its lines, and returns whether any was zero.
   *
   * @param line what {@link #line} returns for the hash and the index
   */
  public abstract boolean putInLine(Words words, long line, long hash, int index);

  @Override
  public final long stripeIndex(long hash) {
    return line(hash, 0);
  }

  @Override
  public final void merge(Words words, Stripes stripes, long start, Words others) {
    mergeBlocks(words, stripes, start, others, WORDS_PER_LINE);
  }

  @Override
  public final double fpp(Words words) {
    double sum = 0;
    double squares = 0;
    for (long first = 0; first < words.count(); first += WORDS_PER_LINE) {
      double line = lineFpp(words.segment(first), words.at(first));
      sum += line;
      squares += line * line;
    }
    return fpp(sum, squares);
  }

  @Override
  public final double fpp(BufferWords words) {
    double sum = 0;
    double squares = 0;
    long[] copy = new long[WORDS_PER_LINE];
    for (long i = 0; i < lines; i++) {
      words.getLine(i * WORDS_PER_LINE, copy);
      double line = lineFpp(copy, 0);
      sum += line;
      squares += line * line;
    }
    return fpp(sum, squares);
  }

  private double fpp(double sum, double squares) {
    // two lines: the mean of the products over all pairs of different lines
    return linesPerKey() == 1 ? sum / lines : (sum * sum - squares) / lines / (lines - 1);
  }

  /** Returns the probability that a random key that has this line finds its bits there set. */
  abstract double lineFpp(long[] words, int first);
}
