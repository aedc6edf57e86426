package dev.tamis.internal.bits;

/**
 * A placement that keeps the bits of a key in one or two distinct cache lines.
 *
 * <p>The bits of a key in one of its lines do not depend on the other line. A put consists of the
 * puts into its lines, in any order and by any threads, as long as each line has one writer at a
 * time.
 */
public abstract non-sealed class BlockedPlacement extends MappablePlacement {

  final long lines;

  /** Creates a placement over {@code bits}, a multiple of 512. */
  BlockedPlacement(long bits) {
    this.lines = bits / BITS_PER_LINE;
  }

  public final long lines() {
    return lines;
  }

  /** Returns the number of lines per key: 1 or 2. */
  public abstract int linesPerKey();

  /** Returns the line of a key with this index: 0, or 1 for the second. */
  public abstract long line(long hash, int index);

  /** Prefetches a line by reading one of its words. */
  public final long prefetchLine(Words words, long line) {
    return words.get(line * WORDS_PER_LINE);
  }

  /** Sets the bits of a key in {@code line(hash, index)}, and returns whether any was zero. */
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

  /** Returns the probability that the bits of a random key in this line are set. */
  abstract double lineFpp(long[] words, int first);
}
