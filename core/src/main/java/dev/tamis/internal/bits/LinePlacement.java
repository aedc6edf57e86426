package dev.tamis.internal.bits;

/** k bits anywhere in one cache line. */
public final class LinePlacement extends BlockedPlacement {

  /* A draw holds seven fields of nine bits, from the top: three for the word, six for the bit. */

  private static final int FIELD = 9;
  private static final int FIELDS_PER_DRAW = 7;

  /** The bits that a peek tests: in a half-full filter they rule out 15 of 16 absent keys. */
  private static final int PEEKED = 4;

  private final int probes;

  /** Creates the placement of {@code probes} bits per key over {@code bits}, a multiple of 512. */
  public LinePlacement(long bits, int probes) {
    super(bits);
    this.probes = probes;
  }

  @Override
  public int probes() {
    return probes;
  }

  @Override
  public int linesPerKey() {
    return 1;
  }

  @Override
  public long line(long hash, int index) {
    return Mixing.reduce(hash, lines);
  }

  @Override
  public long position(long hash, int probe) {
    long draw = draw(hash, probe / FIELDS_PER_DRAW);
    long field = draw >>> (Long.SIZE - FIELD * (1 + probe % FIELDS_PER_DRAW));
    return line(hash, 0) * BITS_PER_LINE + (field & (BITS_PER_LINE - 1));
  }

  @Override
  public long prefetch(Words words, long hash) {
    return words.get(firstWord(hash));
  }

  @Override
  public boolean put(Words words, long hash) {
    return putInLine(words, line(hash, 0), hash, 0);
  }

  @Override
  public boolean putInLine(Words words, long line, long hash, int index) {
    long word = line * WORDS_PER_LINE;
    long[] segment = words.segment(word);
    int at = words.at(word);
    boolean isPresent = mightContain(segment, at, hash); // then a put writes nothing
    if (!isPresent) {
      put(segment, at, hash);
    }
    return !isPresent;
  }

  private void put(long[] words, int first, long hash) {
    int left = probes;
    for (int index = 0; left > 0; index++) {
      long draw = draw(hash, index);
      for (int i = Math.min(left, FIELDS_PER_DRAW); i > 0; i--) {
        int field = (int) (draw >>> (Long.SIZE - FIELD));
        words[first + (field >>> 6)] |= 1L << field;
        draw <<= FIELD;
      }
      left -= FIELDS_PER_DRAW;
    }
  }

  @Override
  public boolean mightContain(Words words, long hash) {
    long first = firstWord(hash);
    return mightContain(words.segment(first), words.at(first), hash);
  }

  private boolean mightContain(long[] words, int first, long hash) {
    int left = probes;
    for (int index = 0; left > 0; index++) {
      long draw = draw(hash, index);
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
  public long peek(Words words, long hash) {
    if (probes < PEEKED) {
      return 1;
    }
    long word = firstWord(hash);
    long[] segment = words.segment(word);
    int at = words.at(word);
    long draw = draw(hash, 0);
    return bit(segment, at, draw)
        & bit(segment, at, draw << FIELD)
        & bit(segment, at, draw << (2 * FIELD))
        & bit(segment, at, draw << (3 * FIELD));
  }

  /** Returns the bit named by the first field of a draw, 0 or 1. */
  private static long bit(long[] words, int first, long draw) {
    int field = (int) (draw >>> (Long.SIZE - FIELD));
    return words[first + (field >>> 6)] >>> field & 1;
  }

  private long firstWord(long hash) {
    return line(hash, 0) * WORDS_PER_LINE;
  }

  private static long draw(long hash, int index) {
    return Mixing.draw(hash, 1 + index);
  }

  @Override
  double lineFpp(long[] words, int first) {
    double fill = (double) SetBits.count(words, first, first + WORDS_PER_LINE) / BITS_PER_LINE;
    return Math.pow(fill, probes);
  }
}
