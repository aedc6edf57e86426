package dev.tamis.internal.bits;

import java.nio.LongBuffer;

/** One or two bits in each of the eight words of two distinct cache lines. */
public final class SplitPairPlacement extends BlockedPlacement {

  /*
   * The first line has the bits of SplitPlacement, the second those of further draws. The second
   * line is drawn from all lines but the first, so the two are distinct and the load of a line is
   * binomial with 2/lines.
   */

  private static final LineKernel KERNEL = LineKernel.FASTEST;

  private static final int SECOND_LINE_DRAW = 4;

  private final int bitsPerWord;

  /** Creates the placement over a multiple of 512 bits, at least 1024, with 1 or 2 per word. */
  public SplitPairPlacement(long bits, int bitsPerWord) {
    super(bits);
    this.bitsPerWord = bitsPerWord;
  }

  @Override
  public int probes() {
    return 2 * WORDS_PER_LINE * bitsPerWord;
  }

  @Override
  public long position(long hash, int probe) {
    int perLine = WORDS_PER_LINE * bitsPerWord;
    boolean isFirst = probe < perLine;
    long line = firstLine(hash);
    int word = probe & (WORDS_PER_LINE - 1);
    long draw = draw(hash, probe / perLine, probe % perLine / WORDS_PER_LINE);
    long word0 = (isFirst ? line : secondLine(hash, line)) * WORDS_PER_LINE;
    return ((word0 + word) << 6) + (SplitPlacement.field(draw, word) & 63);
  }

  @Override
  public long prefetch(Words words, long hash) {
    long line = firstLine(hash);
    return words.get(line * WORDS_PER_LINE) | words.get(secondLine(hash, line) * WORDS_PER_LINE);
  }

  @Override
  public boolean put(Words words, long hash) {
    long line = firstLine(hash);
    return put(words, line, secondLine(hash, line), hash);
  }

  /** Puts without a branch between the lines, so that their cache misses overlap. */
  @SuppressWarnings("ShortCircuitBoolean")
  private boolean put(Words words, long line, long otherLine, long hash) {
    return putInLine(words, line, hash, 0) | putInLine(words, otherLine, hash, 1);
  }

  @Override
  public boolean putInLine(Words words, long line, long hash, int index) {
    long first = line * WORDS_PER_LINE;
    long[] segment = words.segment(first);
    int at = words.at(first);
    return bitsPerWord == 1
        ? KERNEL.put(segment, at, draw(hash, index, 0))
        : KERNEL.put(segment, at, draw(hash, index, 0), draw(hash, index, 1));
  }

  @Override
  public boolean mightContain(Words words, long hash) {
    long line = firstLine(hash);
    return isInLine(words, line, hash, 0) && isInLine(words, secondLine(hash, line), hash, 1);
  }

  private boolean isInLine(Words words, long line, long hash, int index) {
    long first = line * WORDS_PER_LINE;
    long[] segment = words.segment(first);
    int at = words.at(first);
    return KERNEL.mightContain(segment, at, draw(hash, index, 0))
        && (bitsPerWord == 1 || KERNEL.mightContain(segment, at, draw(hash, index, 1)));
  }

  @SuppressWarnings("ShortCircuitBoolean") // so that the cache misses of both lines overlap
  @Override
  public boolean mightContainBranchless(Words words, long hash) {
    long line = firstLine(hash);
    return isInLine(words, line, hash, 0) & isInLine(words, secondLine(hash, line), hash, 1);
  }

  @Override
  public long peek(Words words, long hash) {
    return isInLine(words, firstLine(hash), hash, 0) ? 1 : 0;
  }

  @SuppressWarnings("ShortCircuitBoolean")
  @Override
  public boolean putConcurrent(Words words, Stripes stripes, long hash) {
    long line = firstLine(hash);
    long otherLine = secondLine(hash, line);
    // not &&: a stripe is a barrier, after which the miss of the second line would not overlap
    if (isInLine(words, line, hash, 0) & isInLine(words, otherLine, hash, 1)) {
      return false;
    }
    long locked = stripes.lockBoth(stripes.of(line), stripes.of(otherLine));
    boolean isNew = false;
    try {
      isNew = put(words, line, otherLine, hash);
    } finally { // kernels in vectors may allocate before they are compiled
      stripes.count((int) locked, isNew ? 1 : 0);
      stripes.unlockBoth(locked);
    }
    return isNew;
  }

  @Override
  public long lock(Stripes stripes, long hash) {
    long line = firstLine(hash);
    return stripes.lockBoth(stripes.of(line), stripes.of(secondLine(hash, line)));
  }

  @Override
  public void unlock(Stripes stripes, long locked) {
    stripes.unlockBoth(locked);
  }

  @Override
  public int linesPerKey() {
    return 2;
  }

  @Override
  public long line(long hash, int index) {
    long first = firstLine(hash);
    return index == 0 ? first : secondLine(hash, first);
  }

  private long firstLine(long hash) {
    return Mixing.reduce(hash, lines);
  }

  private long secondLine(long hash, long first) {
    long second = Mixing.reduce(Mixing.draw(hash, SECOND_LINE_DRAW), lines - 1);
    return second < first ? second : second + 1;
  }

  private static long draw(long hash, int line, int index) {
    return line == 0 && index == 0
        ? SplitPlacement.firstDraw(hash)
        : Mixing.draw(hash, 2 * line + index);
  }

  @Override
  public boolean mightContain(BufferWords words, long hash) {
    long line = firstLine(hash);
    return isInLine(words, line, hash, 0) && isInLine(words, secondLine(hash, line), hash, 1);
  }

  private boolean isInLine(BufferWords words, long line, long hash, int index) {
    long first = line * WORDS_PER_LINE;
    LongBuffer part = words.part(first);
    long draw = draw(hash, index, 0);
    long secondDraw = bitsPerWord == 1 ? draw : draw(hash, index, 1);
    return SplitPlacement.mightContain(part, words.at(first), draw, secondDraw);
  }

  @Override
  double lineFpp(long[] words, int first) {
    return SplitPlacement.lineFpp(words, first, bitsPerWord);
  }
}
