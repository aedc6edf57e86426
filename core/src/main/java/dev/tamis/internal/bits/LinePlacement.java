package dev.tamis.internal.bits;

/** A few bits anywhere in one cache line of 512 bits, or in two different lines. */
public final class LinePlacement extends BlockedPlacement {

  /*
   * A draw holds seven fields of nine bits, from the top: six for the bit, three for the word. Line
   * j of a key uses the draws from 1 + 4j on, which is room for 28 bits a line. The second line is
   * drawn from all lines but the first, so that the two never coincide and the load of a line is
   * binomial with 2/lines.
   */

  private static final int FIELD = 9;
  private static final int FIELDS_PER_DRAW = 7;
  private static final int DRAWS_PER_LINE = 4;
  private static final int SECOND_LINE_DRAW = 9;

  /** The bits of a line looked at first: in a half full filter they tell of 15 in 16 new keys. */
  private static final int GLANCED = 4;

  private final int linesPerKey;
  private final int bitsPerLine;

  /**
   * Creates the placement over {@code bits}, a multiple of 512 with at least {@code linesPerKey}
   * lines.
   *
   * @param linesPerKey 1 or 2
   * @param bitsPerLine bits a key sets in each of its lines, 1 to 28
   */
  public LinePlacement(long bits, int linesPerKey, int bitsPerLine) {
    super(bits);
    this.linesPerKey = linesPerKey;
    this.bitsPerLine = bitsPerLine;
  }

  @Override
  public int probes() {
    return linesPerKey * bitsPerLine;
  }

  @Override
  public long position(long hash, int probe) {
    int line = probe / bitsPerLine;
    int bit = probe % bitsPerLine;
    long draw = draw(hash, line, bit / FIELDS_PER_DRAW);
    long field = draw >>> (Long.SIZE - FIELD * (1 + bit % FIELDS_PER_DRAW));
    return line(hash, line) * BITS_PER_LINE + (field & (BITS_PER_LINE - 1));
  }

  @Override
  public long prefetch(Words words, long hash) {
    long read = 0;
    for (int line = 0; line < linesPerKey; line++) {
      read |= words.get(firstWord(hash, line));
    }
    return read;
  }

  @Override
  @SuppressWarnings("ShortCircuitBoolean") // both lines are written
  public boolean put(Words words, long hash) {
    long line = line(hash, 0);
    boolean isNew = putInLine(words, line, hash, 0);
    return linesPerKey == 1 ? isNew : isNew | putInLine(words, secondLine(hash, line), hash, 1);
  }

  @Override
  public boolean putInLine(Words words, long line, long hash, int index) {
    long word = line * WORDS_PER_LINE;
    long[] segment = words.segment(word);
    int at = words.at(word);
    boolean isThere = mightContain(segment, at, hash, index); // a repeat then writes nothing
    if (!isThere) {
      put(segment, at, hash, index);
    }
    return !isThere;
  }

  private void put(long[] words, int first, long hash, int line) {
    int left = bitsPerLine;
    for (int index = 0; left > 0; index++) {
      long draw = draw(hash, line, index);
      for (int i = Math.min(left, FIELDS_PER_DRAW); i > 0; i--) {
        int field = (int) (draw >>> (Long.SIZE - FIELD));
        words[first + (field >>> 6)] |= 1L << field;
        draw <<= FIELD;
      }
      left -= FIELDS_PER_DRAW;
    }
  }

  @Override
  public long lock(Stripes stripes, long hash) {
    if (linesPerKey == 1) {
      return super.lock(stripes, hash);
    }
    long first = line(hash, 0);
    return stripes.lockBoth(stripes.of(first), stripes.of(secondLine(hash, first)));
  }

  @Override
  public void unlock(Stripes stripes, long locked) {
    if (linesPerKey == 1) {
      super.unlock(stripes, locked);
    } else {
      stripes.unlockBoth(locked);
    }
  }

  @Override
  public int linesPerKey() {
    return linesPerKey;
  }

  @Override
  public boolean mightContain(Words words, long hash) {
    for (int line = 0; line < linesPerKey; line++) {
      long first = firstWord(hash, line);
      if (!mightContain(words.segment(first), words.at(first), hash, line)) {
        return false;
      }
    }
    return true;
  }

  private boolean mightContain(long[] words, int first, long hash, int line) {
    int left = bitsPerLine;
    for (int index = 0; left > 0; index++) {
      long draw = draw(hash, line, index);
      for (int i = Math.min(left, FIELDS_PER_DRAW); i > 0; i--) {
        int field = (int) (draw >>> (Long.SIZE - FIELD));
        if ((words[first + (field >>> 6)] & (1L << field)) == 0) {
          return false;
        }
        draw <<= FIELD;
      }
      left -= FIELDS_PER_DRAW;
    }
    return true;
  }

  @Override
  public boolean mightContainBranchless(Words words, long hash) {
    return (linesPerKey == 1 || (peek(words, hash, 0) & peek(words, hash, 1)) != 0)
        && mightContain(words, hash);
  }

  @Override
  public long peek(Words words, long hash) {
    return peek(words, hash, 0);
  }

  /**
   * Returns 0 if one of the first bits of a line is zero, otherwise 1, without a branch on them.
   */
  private long peek(Words words, long hash, int line) {
    if (bitsPerLine < GLANCED) {
      return 1;
    }
    long word = firstWord(hash, line);
    long[] segment = words.segment(word);
    int at = words.at(word);
    long draw = draw(hash, line, 0);
    return bit(segment, at, draw)
        & bit(segment, at, draw << FIELD)
        & bit(segment, at, draw << (2 * FIELD))
        & bit(segment, at, draw << (3 * FIELD));
  }

  /** Returns the bit that the first field of a draw is about, 0 or 1. */
  private static long bit(long[] words, int first, long draw) {
    int field = (int) (draw >>> (Long.SIZE - FIELD));
    return words[first + (field >>> 6)] >>> field & 1;
  }

  private long firstWord(long hash, int line) {
    return line(hash, line) * WORDS_PER_LINE;
  }

  @Override
  public long line(long hash, int line) {
    long first = Mixing.reduce(hash, lines);
    return line == 0 ? first : secondLine(hash, first);
  }

  private long secondLine(long hash, long first) {
    long second = Mixing.reduce(Mixing.draw(hash, SECOND_LINE_DRAW), lines - 1);
    return second < first ? second : second + 1;
  }

  private static long draw(long hash, int line, int index) {
    return Mixing.draw(hash, 1 + line * DRAWS_PER_LINE + index);
  }

  @Override
  double lineFpp(long[] words, int first) {
    double fill = (double) SetBits.count(words, first, first + WORDS_PER_LINE) / BITS_PER_LINE;
    return Math.pow(fill, bitsPerLine);
  }
}
