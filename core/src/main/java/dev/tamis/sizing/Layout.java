package dev.tamis.sizing;

import dev.tamis.internal.bits.Placement;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Where the bits of a key may be in a Bloom filter, and what that does to its size and fpp.
 *
 * <p>{@link #LINE}, {@link #SPLIT} and {@link #SPLIT_PAIR} are the blocked layouts. They keep a
 * key's bits within one or two cache lines of 512 bits, which makes them several times faster once
 * the filter is larger than the cache, and cost a few per cent more memory, more at low fpp. {@link
 * #forFpp} picks the one that fits.
 */
public enum Layout {
  /** k bits anywhere: the fewest bits per key, and up to k cache misses. */
  CLASSIC(1, "classic"),

  /** k slices of m/k bits, one bit in each: slightly more bits than classic, no bit twice. */
  PARTITIONED(2, "partitioned"),

  /** k bits anywhere in one cache line: best above 3 %. */
  LINE(3, "line", 1, Layout.LINE_BITS),

  /** One or two bits in each of the eight words of a cache line: the fastest, 0.01 to 3 %. */
  SPLIT(4, "split", 1, Long.SIZE),

  /** One or two bits in each of the eight words of two cache lines: the fastest below 0.01 %. */
  SPLIT_PAIR(6, "split-pair", 2, Long.SIZE);

  /** The most hashes per key; at 32 a half-full classic filter has an fpp of 2.3e-10. */
  public static final int MAX_HASHES = 32;

  /** The most bits a filter may have: 2 TiB. */
  public static final long MAX_BITS = 1L << 44;

  /** B: the bits of a cache line, the block of the blocked layouts. */
  public static final int LINE_BITS = Placement.BITS_PER_LINE;

  private static final int MAX_HASHES_PER_LINE = 16;
  private static final double LINE_FROM_FPP = 0.03;
  private static final double SPLIT_FROM_FPP = 1e-4;

  private final int id;
  private final String label;
  private final int linesPerKey;
  private final int wordBits;

  Layout(int id, String label) {
    this(id, label, 0, LINE_BITS);
  }

  Layout(int id, String label, int linesPerKey, int wordBits) {
    this.id = id;
    this.label = label;
    this.linesPerKey = linesPerKey;
    this.wordBits = wordBits;
  }

  /** Returns the fastest blocked layout whose bits per key stay close to the classic layout's. */
  public static Layout forFpp(double fpp) {
    Checks.fpp(fpp);
    if (fpp >= LINE_FROM_FPP) {
      return LINE;
    }
    return fpp >= SPLIT_FROM_FPP ? SPLIT : SPLIT_PAIR;
  }

  /** Returns the layout with this {@code id} in the file format; throws if the id is unknown. */
  public static Layout ofId(int id) {
    for (Layout layout : values()) {
      if (layout.id == id) {
        return layout;
      }
    }
    List<Integer> ids = Stream.of(values()).map(Layout::id).toList();
    throw new IllegalArgumentException("layout must be one of " + ids + ", got " + id);
  }

  /** Returns the id in the file format. */
  public int id() {
    return id;
  }

  /** Returns the display name. */
  public String label() {
    return label;
  }

  /** Returns whether a key's bits stay within one or two cache lines. */
  public boolean isBlocked() {
    return linesPerKey > 0;
  }

  /** Returns the number of cache lines that hold a key's bits; 0 if the layout is not blocked. */
  public int linesPerKey() {
    return linesPerKey;
  }

  private int wordsPerLine() {
    return LINE_BITS / wordBits;
  }

  /** Returns the fewest hashes per key. */
  public int minHashes() {
    return hashStep();
  }

  /** Returns the most hashes per key. */
  public int maxHashes() {
    return isBlocked() ? linesPerKey * MAX_HASHES_PER_LINE : MAX_HASHES;
  }

  /** Returns the step of the hashes per key: they are a multiple of it. */
  public int hashStep() {
    return isBlocked() ? linesPerKey * wordsPerLine() : 1;
  }

  /** Returns {@code hashes}, if allowed in this layout. */
  public int requireHashes(long hashes) {
    if (hashes < minHashes() || hashes > maxHashes() || hashes % hashStep() != 0) {
      String step = hashStep() == 1 ? "" : " in steps of " + hashStep();
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "hashes of layout %s must be %d to %d%s, got %d",
              label,
              minHashes(),
              maxHashes(),
              step,
              hashes));
    }
    return (int) hashes;
  }

  /** Returns the step of the size in bits, which is a multiple of it. */
  public long granularity(int hashes) {
    if (isBlocked()) {
      return LINE_BITS;
    }
    return this == PARTITIONED ? hashes : 1;
  }

  long minBits(int hashes) {
    if (isBlocked()) {
      return (long) linesPerKey * LINE_BITS; // the lines of a key are distinct
    }
    return this == PARTITIONED ? 2L * hashes : Long.SIZE; // one key would fill slices of one bit
  }

  /** Returns what one key does to the cells of a filter of this layout. */
  Cells cells(double bits, double hashes) {
    return switch (this) {
      case CLASSIC -> Cells.scattered(bits, hashes);
      case PARTITIONED -> Cells.words(1, bits, bits / hashes, 1, 1);
      default ->
          Cells.words(bits / LINE_BITS, LINE_BITS, wordBits, linesPerKey, hashes / hashStep());
    };
  }

  /** Returns the mean fpp, over the choice of hash seed, with {@code keys} distinct keys. */
  double fpp(long bits, int hashes, long keys) {
    return switch (this) {
      case CLASSIC -> classicFpp(bits, hashes, keys);
      case PARTITIONED -> Math.pow(-Math.expm1(keys * Math.log1p(-(double) hashes / bits)), hashes);
      default -> {
        Occupancy word = Occupancy.of(wordBits, hashes / hashStep());
        double chance = (double) linesPerKey * LINE_BITS / bits;
        double line =
            BlockLoad.mean(keys, chance, load -> Math.pow(word.hit(load), wordsPerLine()));
        yield Math.pow(line, linesPerKey);
      }
    };
  }

  private static double classicFpp(long bits, int hashes, long keys) {
    // E[(X/m)^k] for X occupied of m cells, to second order; the first order alone is 5 % low at
    // 1000 bits. It is never below the exact occupancy, and at most 0.4 % above from 256 bits on.
    // expm1 and log1p, because the differences have 20 digits fewer than their operands.
    double balls = (double) keys * hashes;
    double others = bits - 1.0;
    double logEmpty = balls * Math.log1p(-1.0 / bits);
    double empty = Math.exp(logEmpty);
    double fill = -Math.expm1(logEmpty);
    double oneOfTwo = -Math.expm1(balls * Math.log1p(-1 / others));
    double variance =
        empty * oneOfTwo / bits
            + empty * empty * Math.expm1(balls * Math.log1p(-1 / others / others));
    double pairs = hashes * (hashes - 1) / 2.0;
    double spread = Math.exp(pairs * Math.max(0, variance) / (fill * fill));
    return Math.min(1, Math.pow(fill, hashes) * spread);
  }
}
