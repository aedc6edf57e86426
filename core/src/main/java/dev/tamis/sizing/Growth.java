package dev.tamis.sizing;

import org.jspecify.annotations.Nullable;

/**
 * The sizes of the stages of a scalable Bloom filter.
 *
 * @see <a href="https://doi.org/10.1016/j.ipl.2006.10.007">Almeida, Baquero, Preguiça, Hutchison
 *     2007, Scalable Bloom filters</a>
 */
public final class Growth {

  /*
   * Stage i has fpp p(1 - r)r^i, a geometric series with sum p. r = 0.85 with doubling sizes costs
   * few bits over a wide range of growth (17.4 a key at 1 % and 1000-fold growth); the usual
   * r = 0.5 tightens too fast.
   */

  /** r: the fpp of a stage over that of the previous one. */
  private static final double TIGHTENING = 0.85;

  /** The keys of a stage over those of the previous one. */
  private static final int FACTOR = 2;

  /** The fpp of a first stage from which one line per key costs hardly more bits than two. */
  private static final double ONE_LINE_FROM_FPP = 2e-3;

  private static final long LARGEST_STAGE = Long.MAX_VALUE / 4;

  private Growth() {}

  /**
   * Returns the sizing of the first stage.
   *
   * @param initialKeys distinct keys it is for; at least 1
   * @param fpp p, of all stages together; strictly between 0 and 1
   * @param layout null for the one that fits the fpp
   * @throws IllegalArgumentException if no stage satisfies these constraints
   */
  public static Sizing first(long initialKeys, double fpp, @Nullable Layout layout) {
    Checks.fpp(fpp);
    double first = fpp * (1 - TIGHTENING);
    try {
      return stage(initialKeys, first, layout != null ? layout : layoutFor(first));
    } catch (IllegalArgumentException e) { // in the words of the whole filter, not of its stage
      throw new IllegalArgumentException(
          "a filter that grows from "
              + initialKeys
              + " keys with an fpp of "
              + FppText.exact(fpp)
              + " needs a first stage of "
              + FppText.rounded(first)
              + ", which cannot be: "
              + e.getMessage(),
          e);
    }
  }

  /** Returns the sizing of the stage that follows {@code full}; throws if there can be none. */
  public static Sizing next(Sizing full) {
    long keys = full.expectedKeys();
    return stage(
        keys > LARGEST_STAGE ? keys : keys * FACTOR,
        full.fpp() * TIGHTENING,
        full.shape().layout());
  }

  private static Sizing stage(long keys, double fpp, Layout layout) {
    return Sizing.builder().expectedKeys(keys).fpp(fpp).layout(layout).solve();
  }

  private static Layout layoutFor(double fpp) {
    return fpp >= ONE_LINE_FROM_FPP ? Layout.forFpp(fpp) : Layout.SPLIT_PAIR;
  }

  /** Returns the fpp of all stages that can still follow one of {@code fpp}. */
  public static double fppAhead(double fpp) {
    return fpp * TIGHTENING / (1 - TIGHTENING);
  }

  /** Returns the bits of a filter that began for {@code initialKeys} and has {@code keys}. */
  public static long bits(long initialKeys, long keys, double fpp) {
    Checks.expectedKeys(keys);
    Sizing stage = first(initialKeys, fpp, null);
    long bits = stage.shape().bits();
    for (long left = keys - initialKeys; left > 0; left -= stage.expectedKeys()) {
      stage = next(stage);
      bits += stage.shape().bits();
    }
    return bits;
  }
}
