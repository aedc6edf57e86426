package dev.tamis.internal.bits;

import java.nio.LongBuffer;

/** One or two bits in each of the eight words of one cache line. */
public final class SplitPlacement extends BlockedPlacement {

  /*
   * The line comes from the high bits of the hash. The bits within it come from draws, because the
   * keys of one line share those high bits; the top bits of a product depend on all lower bits.
   */

  private static final LineKernel KERNEL = LineKernel.FASTEST;

  private final int bitsPerWord;

  /** Creates the placement over a multiple of 512 bits, with 1 or 2 per word. */
  public SplitPlacement(long bits, int bitsPerWord) {
    super(bits);
    this.bitsPerWord = bitsPerWord;
  }

  @Override
  public int probes() {
    return WORDS_PER_LINE * bitsPerWord;
  }

  @Override
  public long position(long hash, int probe) {
    int word = probe & (WORDS_PER_LINE - 1);
    long draw = probe < WORDS_PER_LINE ? firstDraw(hash) : secondDraw(hash);
    long line = Mixing.reduce(hash, lines);
    return ((line * WORDS_PER_LINE + word) << 6) + (field(draw, word) & 63);
  }

  @Override
  public long prefetch(Words words, long hash) {
    return words.get(firstWord(hash));
  }

  @Override
  public boolean put(Words words, long hash) {
    // not by putInLine: one call deeper the compiler allocates the vectors and takes ten times as
    // long
    long first = firstWord(hash);
    long[] segment = words.segment(first);
    int at = words.at(first);
    long draw = firstDraw(hash);
    return bitsPerWord == 1
        ? KERNEL.put(segment, at, draw)
        : KERNEL.put(segment, at, draw, secondDraw(hash));
  }

  @Override
  public boolean putInLine(Words words, long line, long hash, int index) {
    long first = line * WORDS_PER_LINE;
    long[] segment = words.segment(first);
    int at = words.at(first);
    long draw = firstDraw(hash);
    return bitsPerWord == 1
        ? KERNEL.put(segment, at, draw)
        : KERNEL.put(segment, at, draw, secondDraw(hash));
  }

  @Override
  public boolean mightContain(Words words, long hash) {
    long first = firstWord(hash);
    long[] segment = words.segment(first);
    int at = words.at(first);
    return KERNEL.mightContain(segment, at, firstDraw(hash))
        && (bitsPerWord == 1 || KERNEL.mightContain(segment, at, secondDraw(hash)));
  }

  @Override
  public void mightContain(Words words, long[] hashes, int from, int to, boolean[] answers) {
    if (!KERNEL.isShort()) {
      prefetch(words, hashes, from, to, answers);
    }
    for (int i = from; i < to; i++) {
      answers[i] = mightContain(words, hashes[i]);
    }
  }

  @Override
  public boolean putConcurrent(Words words, Stripes stripes, long hash) {
    // the general form works out line and draws again after each barrier: a third more time
    long line = Mixing.reduce(hash, lines);
    long first = line * WORDS_PER_LINE;
    long[] segment = words.segment(first);
    int at = words.at(first);
    long draw = firstDraw(hash);
    long secondDraw = bitsPerWord == 1 ? draw : secondDraw(hash);
    return KERNEL.putConcurrent(segment, at, draw, secondDraw, stripes, stripes.of(line));
  }

  @Override
  public int linesPerKey() {
    return 1;
  }

  @Override
  public long line(long hash, int index) {
    return Mixing.reduce(hash, lines);
  }

  private long firstWord(long hash) {
    return Mixing.reduce(hash, lines) * WORDS_PER_LINE;
  }

  static long firstDraw(long hash) {
    return hash * Mixing.GOLDEN; // a full draw costs a nanosecond more and measures the same fpp
  }

  private static long secondDraw(long hash) {
    return Mixing.draw(hash, 1);
  }

  static long field(long draw, int word) {
    return draw >>> (LineKernel.TOP_FIELD - LineKernel.FIELD * word);
  }

  private static long mask(long draw, long secondDraw, int word) {
    return (1L << field(draw, word)) | (1L << field(secondDraw, word));
  }

  @Override
  public boolean mightContain(BufferWords words, long hash) {
    long first = Mixing.reduce(hash, lines) * WORDS_PER_LINE;
    LongBuffer part = words.part(first);
    int at = words.at(first);
    long draw = firstDraw(hash);
    return mightContain(part, at, draw, bitsPerWord == 1 ? draw : secondDraw(hash));
  }

  /** Returns whether the bits of two draws are set in each word of a line. */
  static boolean mightContain(LongBuffer part, int at, long draw, long secondDraw) {
    long missing = 0;
    for (int i = 0; i < WORDS_PER_LINE; i++) {
      missing |= ~part.get(at + i) & mask(draw, secondDraw, i);
    }
    return missing == 0;
  }

  @Override
  double lineFpp(long[] words, int first) {
    return lineFpp(words, first, bitsPerWord);
  }

  /** Returns the probability that {@code bitsPerWord} random bits in each word are all set. */
  static double lineFpp(long[] words, int first, int bitsPerWord) {
    double line = 1;
    for (int i = 0; i < WORDS_PER_LINE; i++) {
      double fill = Long.bitCount(words[first + i]) / (double) Long.SIZE;
      line *= bitsPerWord == 1 ? fill : fill * fill;
    }
    return line;
  }
}
