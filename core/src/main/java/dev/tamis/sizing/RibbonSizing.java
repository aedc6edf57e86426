package dev.tamis.sizing;

import dev.tamis.internal.hashes.HashCollisions;
import java.util.Locale;

/**
 * The arithmetic of a bumped ribbon filter: slots and columns for keys and fpp.
 *
 * <p>A layer is a row of slots in blocks of 64. A key starts in any block but the last and reaches
 * over 64 slots. Each block has as many columns of bits as the fpp requires, or one fewer: a query
 * that starts in a block of c columns is a false positive with probability 2^−c.
 */
public final class RibbonSizing {

  /*
   * Measured with 2,000,000 keys: what a layer costs beyond one slot a key, counting the slots of
   * the layers below and the thresholds, in percent of the bits, at 2, 7 and 20 columns. "128, 2:
   * 16 40" are buckets of 128 starts with thresholds of 2 bits: 0, 16, 40 or all of them.
   *
   * bucket, bits: thresholds   keys for 100 starts      bumped     2      7     20 columns
   *  64, 2: 8 24               105                      4.79 %   1.60   0.48   0.19
   * 128, 2: 8 24               102                      2.33 %   1.16   0.60   0.45
   * 128, 2: 16 40              100                      0.99 %   1.79   1.22   1.07
   * 128, 2: 16 40              102                      2.28 %   1.11   0.55   0.40
   * 128, 2: 16 40              105                      4.81 %   0.83   0.27   0.13
   * 128, 2: 16 40              108                      7.42 %   0.79   0.23   0.09
   * 128, 2: 24 64              105                      4.87 %   0.90   0.34   0.19
   * 128, 3: 8 16 24 36 52 80   105                      4.78 %   1.19   0.36   0.14
   * 256, 2: 24 64              104                      4.24 %   0.80   0.52   0.45
   * 256, 3: 16 32 48 64 96 128 105                      4.84 %   0.67   0.25   0.15
   *
   * More keys save a little memory and send more queries to the second layer.
   */

  /** The slots of a block: one word for each column. */
  public static final int BLOCK_SLOTS = 64;

  /** The starts of a bucket, whose keys share a threshold. */
  public static final int BUCKET_STARTS = 128;

  /** The bits of a threshold. */
  public static final int THRESHOLD_BITS = 2;

  /** The most columns a block may have. */
  public static final int MAX_COLUMNS = 32;

  /** The most keys: their hashes alone take 16 TiB, which is all that any JVM's heap can have. */
  public static final long MAX_KEYS = 1L << 41;

  /** The least fpp: 32 columns and equal hashes among up to 2^32 keys stay below it. */
  public static final double MIN_FPP = 0x1p-31;

  /** The fpp of the most columns. */
  private static final double MIN_COLUMNS_FPP = 0x1p-32;

  private static final double KEYS_PER_START = 1.05;

  /** The measured share of its keys that such a layer bumps. */
  private static final double BUMPED = 0.0481;

  private RibbonSizing() {}

  /**
   * Returns the blocks of a layer: one for each 67.2 keys, and the one that the last starts reach
   * over into. Up to 67 keys have nearly two slots each, so that a layer of few keys passes none
   * on.
   *
   * @param keys 1 to {@link #MAX_KEYS}
   */
  public static long blocks(long keys) {
    requireKeys(keys, 1);
    return 1 + (long) Math.ceil(keys / (KEYS_PER_START * BLOCK_SLOTS));
  }

  /**
   * Returns the fpp that is left for the columns when the probability is taken away that another
   * key has the very hash of one of the keys: n / 2^64.
   *
   * @param keys n, 0 to {@link #MAX_KEYS}
   * @param fpp p, from {@link #MIN_FPP} to 1, exclusive
   * @throws IllegalArgumentException also if less is left than the most columns have
   */
  public static double columnsFpp(long keys, double fpp) {
    requireKeys(keys, 0);
    double shared = HashCollisions.fpp((double) keys);
    double left = requireFpp(fpp) - shared;
    if (left < MIN_COLUMNS_FPP) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "fpp must be at least %s for %d keys, of which %s is the chance to share a 64-bit"
                  + " hash, got %s",
              FppText.rounded(MIN_COLUMNS_FPP + shared),
              keys,
              FppText.rounded(shared),
              FppText.exact(fpp)));
    }
    return left;
  }

  /** Returns the columns of the wider blocks, ⌈log2(1 / columnsFpp)⌉. The others have one fewer. */
  public static int columns(long keys, double fpp) {
    return columns(columnsFpp(keys, fpp));
  }

  private static int columns(double left) {
    int columns = 1;
    while (columns < MAX_COLUMNS && Math.scalb(1.0, -columns) > left) {
      columns++;
    }
    return columns;
  }

  /**
   * Predicts the bits per key takes in a filter of many keys: less than 5 % more than log2(1/p) for
   * an fpp of 1/4 and below. Above 1/4 whole columns mix badly: up to 7 % more below 1/2, 24 % at
   * 3/4.
   *
   * @param fpp p, from {@link #MIN_FPP} to 1, exclusive
   */
  public static double bitsPerKey(double fpp) {
    return bitsPerSlot(requireFpp(fpp)) / (KEYS_PER_START * (1 - BUMPED));
  }

  /** Predicts the bits of a filter, all layers included. */
  public static double bits(long keys, double fpp) {
    double bitsPerSlot = bitsPerSlot(columnsFpp(keys, fpp));
    double bits = 0;
    long left = keys;
    while (left > 0) {
      long blocks = blocks(left);
      bits += blocks * (double) BLOCK_SLOTS * bitsPerSlot;
      left = blocks > 2 ? Math.round(BUMPED * left) : 0;
    }
    return bits;
  }

  /** Returns the mean number of columns, and the threshold. */
  private static double bitsPerSlot(double fpp) {
    int columns = columns(fpp);
    double narrow = Math.scalb(fpp, columns) - 1;
    return columns - narrow + (double) THRESHOLD_BITS / BUCKET_STARTS;
  }

  /** Returns {@code keys}, if it is from 0 to {@link #MAX_KEYS}. */
  public static long requireKeys(long keys) {
    requireKeys(keys, 0);
    return keys;
  }

  private static void requireKeys(long keys, long least) {
    Checks.range("keys", keys, least, MAX_KEYS);
  }

  /** Returns {@code fpp}, if it is in [{@link #MIN_FPP}, 1). */
  public static double requireFpp(double fpp) {
    Checks.fpp(fpp);
    if (fpp < MIN_FPP) {
      throw new IllegalArgumentException("fpp must be at least 2^-31, got " + FppText.exact(fpp));
    }
    return fpp;
  }
}
