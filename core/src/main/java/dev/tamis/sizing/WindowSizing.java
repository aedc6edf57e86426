package dev.tamis.sizing;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.internal.hashes.HashCollisions;
import org.jspecify.annotations.Nullable;

/**
 * The dimensions of a windowed Bloom filter: its blocks and the keys they are meant for.
 *
 * <pre>{@code
 * WindowSizing.builder().window(1_000_000).fpp(0.001).solve().bits();
 * }</pre>
 *
 * @param blocksPerKey b, the blocks in which a key sets {@link #HASHES_PER_BLOCK} cells, one in
 *     each of b sections; 1 to {@link #MAX_BLOCKS_PER_KEY}
 * @param blocks N, the blocks of a section; at least 1
 * @param generationKeys g, the keys a generation is meant for; at least 1, 8·g below 2^63
 * @param fpp p, the requested false-positive probability; strictly between 0 and 1
 */
public record WindowSizing(int blocksPerKey, long blocks, long generationKeys, double fpp) {

  /*
   * A block has 8 rows of 16 cells, and a cell a bit for each of 8 generations. A key sets its bit in
   * one cell of each row, so with L keys of a generation in a block, all 8 cells of another key have
   * the bit with a chance of (1 - (15/16)^L)^8. L is binomial with n = g and 1/N, independent for
   * each section and generation. So q is the mean of that, all b blocks have the bit with q^b, and
   * p = 1 - (1 - q^b)^8, a hair too high, because the cells of a key are the same in all generations.
   *
   * The fewest blocks per key are taken that cost no more than a fifth more bits than the best, as
   * each takes the time of a cache miss.
   */

  /** The whole generations for which a key is remembered; a window is so many. */
  public static final int GENERATIONS = 7;

  /** The generations whose keys a filter has at once: those of a window, and the current one. */
  public static final int LIVE_GENERATIONS = GENERATIONS + 1;

  /** The cells that a key sets in a block, one in each row. */
  public static final int HASHES_PER_BLOCK = 8;

  /** The most blocks per key; with three an fpp of 1e-9 takes 80 bits per key. */
  public static final int MAX_BLOCKS_PER_KEY = 4;

  private static final int CELLS_PER_ROW = 16;
  private static final int CELLS = HASHES_PER_BLOCK * CELLS_PER_ROW;

  /** The bits of a block: two cache lines. */
  public static final int BLOCK_BITS = CELLS * LIVE_GENERATIONS;

  /** How many more bits than the fewest may be taken for fewer blocks. */
  private static final double BITS_FOR_SPEED = 1.2;

  private static final double LOG_MISSED = Math.log1p(-1.0 / CELLS_PER_ROW);

  /** The least result of the alternating sum of 9 terms, up to 70, that still has 4 digits. */
  private static final double LEAST_SUM = 1e-10;

  /** Checks the ranges. */
  public WindowSizing {
    requireBlocksPerKey(blocksPerKey);
    requireBlocks(blocksPerKey, blocks);
    requireGenerationKeys(generationKeys);
    Checks.fpp(fpp);
  }

  /** Returns {@code blocksPerKey}, if allowed. */
  public static int requireBlocksPerKey(long blocksPerKey) {
    return (int) Checks.range("blocksPerKey", blocksPerKey, 1, MAX_BLOCKS_PER_KEY);
  }

  /** Returns {@code blocks}, if allowed for this number of blocks per key. */
  public static long requireBlocks(int blocksPerKey, long blocks) {
    return Checks.range("blocks", blocks, 1, mostBlocks(blocksPerKey));
  }

  /** Returns {@code generationKeys}, if allowed. */
  public static long requireGenerationKeys(long generationKeys) {
    return Checks.range("generationKeys", generationKeys, 1, Long.MAX_VALUE / LIVE_GENERATIONS);
  }

  private static long mostBlocks(int blocksPerKey) {
    return Layout.MAX_BITS / BLOCK_BITS / blocksPerKey;
  }

  /** Returns a builder of sizings. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns k, the cells that a key sets. */
  public int hashes() {
    return blocksPerKey * HASHES_PER_BLOCK;
  }

  /** Returns the bits of all blocks. */
  public long bits() {
    return blocksPerKey * blocks * BLOCK_BITS;
  }

  /** Returns 7·g, the keys of a window, none of them twice. */
  public long expectedKeys() {
    return GENERATIONS * generationKeys;
  }

  /** Returns the bits for each key of a window. */
  public double bitsPerKey() {
    return (double) bits() / expectedKeys();
  }

  /** Returns the fpp when the window is full and the current generation about to end. */
  public double worstFpp() {
    double hit = generationFpp((double) generationKeys);
    double keys = (double) generationKeys * LIVE_GENERATIONS;
    return HashCollisions.addedTo(-Math.expm1(LIVE_GENERATIONS * Math.log1p(-hit)), keys);
  }

  /**
   * Returns the probability that a key that was never put has all its cells set by one generation.
   *
   * @param keys the distinct keys of the generation
   */
  public double generationFpp(double keys) {
    // the mean of the eighth power, multiplied out: a fraction of a microsecond
    double sum = 1;
    double binomial = 1;
    for (int i = 1; i <= HASHES_PER_BLOCK; i++) {
      binomial *= -(HASHES_PER_BLOCK + 1.0 - i) / i;
      sum += binomial * Math.exp(keys * Math.log1p(Math.expm1(i * LOG_MISSED) / blocks));
    }
    double hit = sum >= LEAST_SUM ? sum : BlockLoad.mean(Math.round(keys), 1.0 / blocks, this::hit);
    return Math.pow(Math.min(1, hit), blocksPerKey);
  }

  private double hit(long load) {
    return Math.pow(-Math.expm1(load * LOG_MISSED), HASHES_PER_BLOCK);
  }

  /** Returns how many distinct keys of one generation set {@code setBits} bits. */
  public Estimate generationKeys(long setBits, Confidence confidence) {
    double all = (double) blocksPerKey * blocks;
    Cells cells = Cells.words(all, CELLS, CELLS_PER_ROW, blocksPerKey, 1);
    return KeyCounts.keys(cells, bits() / LIVE_GENERATIONS, setBits, confidence);
  }

  /** The values given. Each setter checks its own value, {@link #solve} their combination. */
  public static final class Builder {
    private long keys;
    private @Nullable Double fpp;

    private Builder() {}

    /** Sets W, the puts or keys of a window; at least 1. It is rounded up to a multiple of 7. */
    public Builder window(long keys) {
      this.keys = Checks.atLeast("window", keys, 1);
      return this;
    }

    /** Sets p, the fpp that no phase of the window may pass; strictly between 0 and 1. */
    public Builder fpp(double fpp) {
      this.fpp = Checks.fpp(fpp);
      return this;
    }

    /**
     * Returns the sizing for the values given.
     *
     * @throws IllegalStateException if fpp or the keys of a window are missing
     * @throws IllegalArgumentException if no filter satisfies these constraints
     */
    public WindowSizing solve() {
      if (keys == 0 || fpp == null) {
        throw new IllegalStateException("need fpp and window");
      }
      long[] blocks = new long[MAX_BLOCKS_PER_KEY + 1];
      double fewest = Double.POSITIVE_INFINITY;
      for (int perKey = 1; perKey <= MAX_BLOCKS_PER_KEY; perKey++) {
        blocks[perKey] = fewestBlocks(perKey, fpp);
        fewest = Math.min(fewest, all(perKey, blocks[perKey]));
      }
      for (int perKey = 1;
          perKey <= MAX_BLOCKS_PER_KEY && fewest < Double.POSITIVE_INFINITY;
          perKey++) {
        if (all(perKey, blocks[perKey]) <= BITS_FOR_SPEED * fewest) {
          return sizing(perKey, blocks[perKey], fpp);
        }
      }
      throw impossible(fpp);
    }

    private static double all(int perKey, long blocks) {
      return blocks == 0 ? Double.POSITIVE_INFINITY : (double) perKey * blocks;
    }

    /** Returns the fewest blocks of a section, or 0 if there is no such filter. */
    private long fewestBlocks(int perKey, double fpp) {
      long enough = mostBlocks(perKey);
      if (keys > Long.MAX_VALUE / LIVE_GENERATIONS
          || sizing(perKey, enough, fpp).worstFpp() > fpp) {
        return 0;
      }
      long tooFew = 0;
      while (enough - tooFew > 1) {
        long middle = (tooFew + enough) / 2;
        if (sizing(perKey, middle, fpp).worstFpp() > fpp) {
          tooFew = middle;
        } else {
          enough = middle;
        }
      }
      return enough;
    }

    private WindowSizing sizing(int perKey, long blocks, double fpp) {
      return new WindowSizing(perKey, blocks, (keys - 1) / GENERATIONS + 1, fpp);
    }

    private IllegalArgumentException impossible(double fpp) {
      double shared = HashCollisions.fpp((double) keys);
      String reason =
          fpp <= shared
              ? "the chance to share a 64-bit hash alone is " + FppText.rounded(shared)
              : "a filter has at most " + Layout.MAX_BITS + " bits";
      return new IllegalArgumentException(
          "no window of "
              + keys
              + " keys has an fpp of "
              + FppText.exact(fpp)
              + " or less: "
              + reason);
    }
  }
}
