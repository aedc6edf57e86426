package dev.tamis.sizing;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.Overlapping.Overlap;
import dev.tamis.internal.ScoreInterval;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongToDoubleFunction;

/**
 * Estimates from set bits how many distinct keys a filter has, and how many two filters share.
 *
 * <p>n̂ = ln(Z/m) / ln(1 − t·h/b), where Z bits of m are zero, a key picks t of b blocks and fills
 * a given cell of a picked block with chance h. For the classic layout that is −(m/k)·ln(1 − X/m),
 * X the number of set bits; for blocked layouts that formula would be 0.5 to 3 % low.
 *
 * @see <a href="https://doi.org/10.1021/ci600526a">Swamidass, Baldi 2007, Mathematical correction
 *     for fingerprint similarity measures</a>
 */
public final class KeyCounts {

  /*
   * The variance of n̂ is that of the empty cells, linearised: each empty cell counts 1/q, q the
   * chance to be empty. Let a, b, c be the keys only in the first filter, only in the second, and
   * in both, as loads of a block. The chance that two cells are empty together, over q², is
   * exp(load · excess) for each of the three. Writing A, B, C for these less 1, the covariance of
   * two cells comes to A for one filter with load a, and for |first| + |second| − r·|union| to (1 −
   * r)²·(A + B)·(1 + C) + (2 − r)²·C + r²·A·B·(1 + C). With r = 1 that is the intersection; with r
   * = 1 + J and over |union| it is the Jaccard index J = (|first| + |second|) / |union| − 1, by its
   * derivatives. Loads are Poisson here, but the number of keys is fixed, which takes off what the
   * keys themselves contribute: the square of a key's own share, 1 − r or 2 − r, for each block it
   * picks.
   */

  private KeyCounts() {}

  /** Returns how many distinct keys set {@code setBits} bits in a filter of this shape. */
  public static Estimate keys(Shape shape, long setBits) {
    return keys(shape, setBits, Confidence.DEFAULT);
  }

  /** Returns the estimate with an interval of {@code confidence}. */
  public static Estimate keys(Shape shape, long setBits, Confidence confidence) {
    return keys(Cells.of(shape), shape.bits(), setBits, confidence);
  }

  /** Returns how many distinct keys set {@code setBits} bits where each sets bits anywhere. */
  public static Estimate scattered(long bits, int hashes, long setBits, Confidence confidence) {
    return keys(Cells.scattered((double) bits, hashes), bits, setBits, confidence);
  }

  /**
   * Returns how many distinct keys set {@code setBits} bits where each picks one block of eight
   * words of 32 bits, and sets one bit in each.
   */
  public static Estimate wordBlocks(long bits, long setBits, Confidence confidence) {
    return keys(Cells.wordBlocks((double) bits), bits, setBits, confidence);
  }

  /** Returns the function from set bits to distinct keys, without interval: some nanoseconds. */
  public static LongToDoubleFunction keysOf(Shape shape) {
    double bits = shape.bits();
    double logEmptyPerKey = Cells.of(shape).logEmptyPerKey();
    return setBits -> Math.log1p(-setBits / bits) / logEmptyPerKey;
  }

  static Estimate keys(Cells cells, long bits, long setBits, Confidence confidence) {
    Checks.range("setBits", setBits, 0, bits);
    if (setBits == bits) {
      return new Estimate(
          Double.POSITIVE_INFINITY, value(cells, bits, setBits - 1), Double.POSITIVE_INFINITY);
    }
    double keys = value(cells, bits, setBits);
    double load = load(cells, keys);
    double error = error(cells, excess -> Math.expm1(load * excess), cells.picks() * keys);
    // keys are whole, and the true number may be between two values
    return wholeAround(keys, confidence.quantile() * error);
  }

  /**
   * Returns the overlap of two filters of one shape and seed from their set bits and the union's.
   */
  public static Overlap overlap(Shape shape, long inFirst, long inSecond, long inUnion) {
    return overlap(shape, inFirst, inSecond, inUnion, Confidence.DEFAULT);
  }

  /** Returns the overlap with intervals of {@code confidence}. */
  public static Overlap overlap(
      Shape shape, long inFirst, long inSecond, long inUnion, Confidence confidence) {
    return overlap(Cells.of(shape), shape.bits(), inFirst, inSecond, inUnion, confidence);
  }

  /** Returns the overlap of filters as in {@link #scattered(long, int, long, Confidence)}. */
  public static Overlap scattered(
      long bits, int hashes, long inFirst, long inSecond, long inUnion, Confidence confidence) {
    Cells cells = Cells.scattered((double) bits, hashes);
    return overlap(cells, bits, inFirst, inSecond, inUnion, confidence);
  }

  /** Returns the overlap of filters as in {@link #wordBlocks(long, long, Confidence)}. */
  public static Overlap wordBlocks(
      long bits, long inFirst, long inSecond, long inUnion, Confidence confidence) {
    Cells cells = Cells.wordBlocks((double) bits);
    return overlap(cells, bits, inFirst, inSecond, inUnion, confidence);
  }

  private static Overlap overlap(
      Cells cells, long bits, long inFirst, long inSecond, long inUnion, Confidence confidence) {
    if (inUnion < Math.max(inFirst, inSecond) || inUnion > inFirst + inSecond) {
      throw new IllegalArgumentException(
          "the union of " + inFirst + " and " + inSecond + " set bits cannot have " + inUnion);
    }
    Estimate first = keys(cells, bits, inFirst, confidence);
    Estimate second = keys(cells, bits, inSecond, confidence);
    Estimate union = keys(cells, bits, inUnion, confidence);
    double most = Math.min(first.high(), second.high());
    if (!union.isBounded()) {
      // all that is known is that it is no more than either
      Estimate unknown = new Estimate(Math.min(first.value(), second.value()), 0, most);
      return new Overlap(first, second, union, unknown, Optional.empty());
    }
    Parts parts = Parts.of(cells, first.value(), second.value(), union.value());
    double quantile = confidence.quantile();
    double value = Math.min(parts.both, most);
    Estimate around = wholeAround(value, quantile * parts.errorOfIntersection());
    Estimate both =
        new Estimate(value, around.low(), Math.max(value, Math.min(most, around.high())));
    return new Overlap(first, second, union, both, parts.jaccard(quantile));
  }

  private static Estimate wholeAround(double value, double margin) {
    return new Estimate(value, Math.floor(Math.max(0, value - margin)), Math.ceil(value + margin));
  }

  private static double value(Cells cells, long bits, long setBits) {
    return Math.log1p(-(double) setBits / bits) / cells.logEmptyPerKey();
  }

  private static double load(Cells cells, double keys) {
    return cells.picks() * keys / cells.blocks();
  }

  private static double error(Cells cells, DoubleUnaryOperator covariance, double fixedThrows) {
    double perPick = cells.cells() * cells.hit();
    double variance =
        cells.blocks() * cells.sumOverPairs(covariance) / (perPick * perPick) - fixedThrows;
    return Math.sqrt(Math.max(0, variance)) / cells.picks();
  }

  /**
   * The keys of two filters, each key in one part: only in the first, only in the second, or both.
   */
  private record Parts(Cells cells, double onlyFirst, double onlySecond, double both) {

    static Parts of(Cells cells, double first, double second, double union) {
      double both = Math.max(0, first + second - union);
      return new Parts(cells, Math.max(0, first - both), Math.max(0, second - both), both);
    }

    double union() {
      return onlyFirst + onlySecond + both;
    }

    double errorOfIntersection() {
      return error(1);
    }

    Optional<Estimate> jaccard(double quantile) {
      double union = union();
      if (union == 0) {
        return Optional.empty();
      }
      return Optional.of(
          ScoreInterval.of(
              both / union,
              1 / union,
              quantile,
              share -> withJaccard(share).error(1 + share) / union));
    }

    /** Returns the parts that would make the share of both in the same union this one. */
    private Parts withJaccard(double share) {
      double union = union();
      double only = onlyFirst + onlySecond;
      double ofFirst = only == 0 ? 0.5 : onlyFirst / only;
      double left = (1 - share) * union;
      return new Parts(cells, ofFirst * left, (1 - ofFirst) * left, share * union);
    }

    /** Returns the standard error of |first| + |second| − r·|union|. */
    private double error(double r) {
      double firstLoad = load(cells, onlyFirst);
      double secondLoad = load(cells, onlySecond);
      double bothLoad = load(cells, both);
      double only = (1 - r) * (1 - r);
      double twice = (2 - r) * (2 - r);
      return KeyCounts.error(
          cells,
          excess -> {
            double a = Math.expm1(firstLoad * excess);
            double b = Math.expm1(secondLoad * excess);
            double c = Math.expm1(bothLoad * excess);
            return only * (a + b) * (1 + c) + twice * c + r * r * a * b * (1 + c);
          },
          cells.picks() * (only * (onlyFirst + onlySecond) + twice * both));
    }
  }
}
