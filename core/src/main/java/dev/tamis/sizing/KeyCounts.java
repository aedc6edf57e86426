package dev.tamis.sizing;

import dev.tamis.Estimate;
import java.util.function.DoubleUnaryOperator;

/**
 * Estimates how many distinct keys are behind the ones of a filter, and how many two filters share.
 *
 * <p>n̂ = ln(Z/m) / ln(1 − t·h/b), where Z bits of m are zero, a key picks t of b blocks and fills
 * a given cell of a picked block with chance h. For the classic layout that is −(m/k)·ln(1 − X/m),
 * X the ones; for blocks whose bits are drawn freely that formula would be 0.5 to 3 % low.
 *
 * @see <a href="https://doi.org/10.1021/ci600526a">Swamidass, Baldi 2007, Mathematical correction
 *     for fingerprint similarity measures</a>
 */
public final class KeyCounts {

  /*
   * The variance of n̂ is that of the empty cells, linearised: each empty cell counts 1/q, q the
   * chance to be empty. Let a, b, c be the keys only in the first filter, only in the second, and in
   * both, as loads of a block. The chance that two cells are empty together, over q², is
   * exp(load · excess) for each of the three. Writing A, B, C for these less 1, the covariance of
   * two cells comes to A for one filter with load a, and to C + A·B·(1 + C) for
   * |first| + |second| − |union|. Loads are Poisson here, but the number of keys is fixed, which
   * takes off what the keys themselves contribute: one for each block they pick.
   */

  /** Half of the interval in standard deviations: the 97.5 % point of the normal distribution. */
  private static final double QUANTILE = 1.959963984540054;

  private KeyCounts() {}

  /**
   * Returns how many distinct keys give {@code ones} in a filter of this shape.
   *
   * @param ones X, bits that are one; 0 to the shape's bits
   */
  public static Estimate keys(Shape shape, long ones) {
    return keys(Cells.of(shape), shape.bits(), ones);
  }

  /**
   * Returns how many distinct keys give {@code ones} where each key sets bits anywhere.
   *
   * @param bits m, of any length
   * @param hashes k, as many as one likes
   * @param ones X, bits that are one; 0 to {@code bits}
   */
  public static Estimate scattered(long bits, int hashes, long ones) {
    return keys(Cells.scattered((double) bits, hashes), bits, ones);
  }

  /**
   * Returns how many distinct keys give {@code ones} where each key picks one block of eight words
   * of 32 bits, and sets one bit in each.
   *
   * @param bits of all blocks
   * @param ones bits that are one; 0 to {@code bits}
   */
  public static Estimate wordBlocks(long bits, long ones) {
    return keys(Cells.wordBlocks((double) bits), bits, ones);
  }

  private static Estimate keys(Cells cells, long bits, long ones) {
    if (ones < 0 || ones > bits) {
      throw new IllegalArgumentException("ones must be 0 to " + bits + ", got " + ones);
    }
    if (ones == bits) {
      return new Estimate(
          Double.POSITIVE_INFINITY, value(cells, bits, ones - 1), Double.POSITIVE_INFINITY);
    }
    double keys = value(cells, bits, ones);
    double load = load(cells, keys);
    double margin = margin(cells, excess -> Math.expm1(load * excess), cells.picks() * keys);
    // keys are whole, and the truth may lie between the values that so many ones can give
    return new Estimate(keys, Math.floor(Math.max(0, keys - margin)), Math.ceil(keys + margin));
  }

  /**
   * Returns how much two filters of one shape and seed have in common.
   *
   * @param firstOnes bits that are one in the first
   * @param secondOnes bits that are one in the second
   * @param unionOnes bits that are one in either
   */
  public static Overlap overlap(Shape shape, long firstOnes, long secondOnes, long unionOnes) {
    return overlap(Cells.of(shape), shape.bits(), firstOnes, secondOnes, unionOnes);
  }

  /** Does the same for filters as in {@link #scattered(long, int, long)}. */
  public static Overlap scattered(
      long bits, int hashes, long firstOnes, long secondOnes, long unionOnes) {
    return overlap(Cells.scattered((double) bits, hashes), bits, firstOnes, secondOnes, unionOnes);
  }

  /** Does the same for filters as in {@link #wordBlocks(long, long)}. */
  public static Overlap wordBlocks(long bits, long firstOnes, long secondOnes, long unionOnes) {
    return overlap(Cells.wordBlocks((double) bits), bits, firstOnes, secondOnes, unionOnes);
  }

  private static Overlap overlap(
      Cells cells, long bits, long firstOnes, long secondOnes, long unionOnes) {
    if (unionOnes < Math.max(firstOnes, secondOnes) || unionOnes > firstOnes + secondOnes) {
      throw new IllegalArgumentException(
          "the union of " + firstOnes + " and " + secondOnes + " ones cannot have " + unionOnes);
    }
    Estimate first = keys(cells, bits, firstOnes);
    Estimate second = keys(cells, bits, secondOnes);
    Estimate union = keys(cells, bits, unionOnes);
    return new Overlap(first, second, union, intersection(cells, first, second, union));
  }

  private static Estimate intersection(
      Cells cells, Estimate first, Estimate second, Estimate union) {
    double most = Math.min(first.high(), second.high());
    if (!union.isBounded()) {
      // nothing can be said but that it is no more than either
      return new Estimate(Math.min(first.value(), second.value()), 0, most);
    }
    double both = Math.max(0, first.value() + second.value() - union.value());
    double firstLoad = load(cells, Math.max(0, first.value() - both));
    double secondLoad = load(cells, Math.max(0, second.value() - both));
    double bothLoad = load(cells, both);
    double margin =
        margin(
            cells,
            excess -> {
              double a = Math.expm1(firstLoad * excess);
              double b = Math.expm1(secondLoad * excess);
              double c = Math.expm1(bothLoad * excess);
              return c + a * b * (1 + c);
            },
            cells.picks() * both);
    double value = Math.min(both, most);
    return new Estimate(
        value, Math.max(0, value - margin), Math.max(value, Math.min(most, both + margin)));
  }

  private static double value(Cells cells, long bits, long ones) {
    return Math.log1p(-(double) ones / bits) / cells.logEmptyPerKey();
  }

  /** Returns λ, the mean number of keys that throw into a block. */
  private static double load(Cells cells, double keys) {
    return cells.picks() * keys / cells.blocks();
  }

  private static double margin(Cells cells, DoubleUnaryOperator covariance, double fixedThrows) {
    double perPick = cells.cells() * cells.hit();
    double variance =
        cells.blocks() * cells.sumOverPairs(covariance) / (perPick * perPick) - fixedThrows;
    return QUANTILE * Math.sqrt(Math.max(0, variance)) / cells.picks();
  }
}
