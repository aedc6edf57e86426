package dev.tamis.sizing;

import dev.tamis.internal.bits.LinePlacement;
import dev.tamis.internal.bits.MappablePlacement;
import dev.tamis.internal.bits.Placement;
import dev.tamis.internal.bits.ScatteredPlacement;
import dev.tamis.internal.bits.SplitPairPlacement;
import dev.tamis.internal.bits.SplitPlacement;
import java.util.Locale;

/**
 * Where the bits of a key may be in a Bloom filter, and what that does to its size and fpp.
 *
 * <p>{@link #LINE}, {@link #SPLIT}, {@link #TWO_LINES} and {@link #SPLIT_PAIR} are the blocked
 * layouts. They keep a key's bits within one or two cache lines of 512 bits, which makes them
 * several times faster once the filter is larger than the cache, and cost a few per cent more
 * memory, more at low fpp. {@link #forFpp} picks the one that fits.
 */
public enum Layout {
  /** k bits anywhere: the fewest bits per key, and up to k cache misses. */
  CLASSIC(1, "classic", 1, 32, 1) {
    @Override
    public MappablePlacement placement(long bits, int hashes) {
      return ScatteredPlacement.classic(bits, hashes);
    }

    @Override
    Cells cells(double bits, double hashes) {
      return Cells.scattered(bits, hashes);
    }

    @Override
    double fpp(long bits, int hashes, long keys) {
      // E[(X/m)^k] for X occupied of m cells, to second order; the first order alone is 5 % low at
      // 1000 bits. It is never below the exact occupancy, and 0.4 % above at most from 256 bits on.
      // By expm1 and log1p, because the differences have 20 digits fewer than what they are of.
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

    @Override
    long minBits(int hashes) {
      return Long.SIZE;
    }
  },

  /** k slices of m/k bits, one bit in each: slightly more bits than classic, no bit twice. */
  PARTITIONED(2, "partitioned", 1, 32, 1) {
    @Override
    public MappablePlacement placement(long bits, int hashes) {
      return ScatteredPlacement.partitioned(bits, hashes);
    }

    @Override
    Cells cells(double bits, double hashes) {
      return Cells.words(1, bits, bits / hashes, 1, 1);
    }

    @Override
    double fpp(long bits, int hashes, long keys) {
      long slice = bits / hashes;
      return Math.pow(-Math.expm1(keys * Math.log1p(-1.0 / slice)), hashes);
    }

    @Override
    public long granularity(int hashes) {
      return hashes;
    }

    @Override
    long minBits(int hashes) {
      return 2L * hashes; // a slice of one bit would be full after one key
    }
  },

  /** k bits anywhere in one cache line of 512 bits: best above 3 %. */
  LINE(3, "line", 1, 16, 1) {
    @Override
    public MappablePlacement placement(long bits, int hashes) {
      return new LinePlacement(bits, 1, hashes);
    }

    @Override
    Cells cells(double bits, double hashes) {
      return Cells.words(bits / BLOCK_BITS, BLOCK_BITS, BLOCK_BITS, 1, hashes);
    }

    @Override
    double fpp(long bits, int hashes, long keys) {
      Occupancy line = Occupancy.of(BLOCK_BITS, hashes);
      return BlockLoad.mean(keys, (double) BLOCK_BITS / bits, line::hit);
    }
  },

  /**
   * One or two bits in each of the eight words of a cache line: the fastest, from 3 % down to 0.01
   * %.
   */
  SPLIT(4, "split", 8, 16, 8) {
    @Override
    public MappablePlacement placement(long bits, int hashes) {
      return new SplitPlacement(bits, hashes / WORDS);
    }

    @Override
    Cells cells(double bits, double hashes) {
      return Cells.words(bits / BLOCK_BITS, BLOCK_BITS, Long.SIZE, 1, hashes / WORDS);
    }

    @Override
    double fpp(long bits, int hashes, long keys) {
      Occupancy word = Occupancy.of(Long.SIZE, hashes / WORDS);
      return BlockLoad.mean(
          keys, (double) BLOCK_BITS / bits, load -> Math.pow(word.hit(load), WORDS));
    }
  },

  /** k/2 bits anywhere in each of two cache lines: within 10 % of classic down to 1e-6. */
  TWO_LINES(5, "two-lines", 2, 32, 2) {
    @Override
    public MappablePlacement placement(long bits, int hashes) {
      return new LinePlacement(bits, 2, hashes / 2);
    }

    @Override
    Cells cells(double bits, double hashes) {
      return Cells.words(bits / BLOCK_BITS, BLOCK_BITS, BLOCK_BITS, 2, hashes / 2);
    }

    @Override
    double fpp(long bits, int hashes, long keys) {
      Occupancy line = Occupancy.of(BLOCK_BITS, hashes / 2);
      double one = BlockLoad.mean(keys, 2.0 * BLOCK_BITS / bits, line::hit);
      return one * one;
    }

    @Override
    long minBits(int hashes) {
      return 2L * BLOCK_BITS; // the two lines of a key are different ones
    }
  },

  /**
   * One or two bits in each of the eight words of two cache lines: the fastest below 0.01 %, for at
   * most 4 % more bits than {@link #TWO_LINES}.
   */
  SPLIT_PAIR(6, "split-pair", 16, 32, 16) {
    @Override
    public MappablePlacement placement(long bits, int hashes) {
      return new SplitPairPlacement(bits, hashes / (2 * WORDS));
    }

    @Override
    Cells cells(double bits, double hashes) {
      return Cells.words(bits / BLOCK_BITS, BLOCK_BITS, Long.SIZE, 2, hashes / (2 * WORDS));
    }

    @Override
    double fpp(long bits, int hashes, long keys) {
      Occupancy word = Occupancy.of(Long.SIZE, hashes / (2 * WORDS));
      double one =
          BlockLoad.mean(keys, 2.0 * BLOCK_BITS / bits, load -> Math.pow(word.hit(load), WORDS));
      return one * one;
    }

    @Override
    long minBits(int hashes) {
      return 2L * BLOCK_BITS;
    }
  };

  /** The most hashes a key may cost; at 32 a half full classic filter has an fpp of 2.3e-10. */
  public static final int MAX_HASHES = 32;

  /** The most bits a filter may have: 2 TiB. */
  public static final long MAX_BITS = 1L << 44;

  /** B: the bits of a block, one cache line. */
  static final int BLOCK_BITS = Placement.BITS_PER_LINE;

  private static final int WORDS = BLOCK_BITS / Long.SIZE;
  private static final double LINE_FROM_FPP = 0.03;
  private static final double SPLIT_FROM_FPP = 1e-4;

  private final int id;
  private final String label;
  private final int minHashes;
  private final int maxHashes;
  private final int hashStep;

  Layout(int id, String label, int minHashes, int maxHashes, int hashStep) {
    this.id = id;
    this.label = label;
    this.minHashes = minHashes;
    this.maxHashes = maxHashes;
    this.hashStep = hashStep;
  }

  /**
   * Returns the blocked layout for a filter of {@code fpp}: the fastest one whose bits per key stay
   * close to the classic layout's.
   *
   * @param fpp p, requested false-positive probability; strictly between 0 and 1
   */
  public static Layout forFpp(double fpp) {
    Checks.fpp(fpp);
    if (fpp >= LINE_FROM_FPP) {
      return LINE;
    }
    return fpp >= SPLIT_FROM_FPP ? SPLIT : SPLIT_PAIR;
  }

  /**
   * Returns the layout that the file format knows by {@code id}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Layout ofId(int id) {
    for (Layout layout : values()) {
      if (layout.id == id) {
        return layout;
      }
    }
    throw new IllegalArgumentException("layout must be 1 to " + values().length + ", got " + id);
  }

  /** Returns the number that stands for this layout in the file format. */
  public int id() {
    return id;
  }

  /** Returns the display name. */
  public String label() {
    return label;
  }

  /** Returns whether a key's bits stay within one or two cache lines. */
  public boolean isBlocked() {
    return this != CLASSIC && this != PARTITIONED;
  }

  /** Returns the fewest hashes a key can have. */
  public int minHashes() {
    return minHashes;
  }

  /** Returns the most hashes a key can have. */
  public int maxHashes() {
    return maxHashes;
  }

  /** Returns the step between numbers of hashes, counted from {@link #minHashes}. */
  public int hashStep() {
    return hashStep;
  }

  /**
   * Returns {@code hashes}.
   *
   * @throws IllegalArgumentException if a key of this layout cannot have so many
   */
  public int requireHashes(long hashes) {
    if (hashes < minHashes || hashes > maxHashes || (hashes - minHashes) % hashStep != 0) {
      String step = hashStep == 1 ? "" : " in steps of " + hashStep;
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "hashes of layout %s must be %d to %d%s, got %d",
              label,
              minHashes,
              maxHashes,
              step,
              hashes));
    }
    return (int) hashes;
  }

  /** Returns in how many cache lines the bits of a key are, for a blocked layout. */
  public int linesPerKey() {
    return this == TWO_LINES || this == SPLIT_PAIR ? 2 : 1;
  }

  /** Returns the bits of which a filter's size is a whole multiple. */
  public long granularity(int hashes) {
    return isBlocked() ? BLOCK_BITS : 1;
  }

  /** Returns the fewest bits a filter can have. */
  long minBits(int hashes) {
    return BLOCK_BITS;
  }

  /** Returns where the bits of a key are; for filters, whose bits this class leaves to them. */
  public abstract MappablePlacement placement(long bits, int hashes);

  /** Returns what one key does to the cells of a filter of this layout. */
  abstract Cells cells(double bits, double hashes);

  /** Returns the mean fpp, over the choice of hash seed, with {@code keys} distinct keys in. */
  abstract double fpp(long bits, int hashes, long keys);
}
