package dev.tamis.sketch;

import dev.tamis.Estimate;
import dev.tamis.Overlapping.Overlap;
import dev.tamis.internal.ScoreInterval;
import java.util.Optional;

/** What two distinct counters have in common, by inclusion and exclusion. */
final class DistinctOverlap {

  /*
   * Two counters see the same least hashes as far as their sets are the same, so the relative errors
   * of two counts correlate as much as their sets are alike: by the Jaccard index, as those of
   * minima of exponential variables do (Marshall, Olkin 1967). With the union as the unit, α and β
   * the two sets, J = α + β − 1 the intersection and s the relative standard error, the variances of
   *
   *   α̂ + β̂ − û      are s²·(1 − α² − β² + 2αβJ),
   *   (α̂ + β̂)/û − 1  are s²·(α² + β² + (α+β)² + 2αβJ − 2(α+β)(α² + β²)).
   *
   * Both are 0 where the sets are equal. Tests measure the correlation and the coverage.
   */

  private DistinctOverlap() {}

  /**
   * Combines the counts, each with relative standard error {@code error}.
   *
   * @param quantile the half-width of an interval in standard errors
   */
  static Overlap of(
      Estimate first, Estimate second, Estimate union, double error, double quantile) {
    double most = Math.min(first.high(), second.high());
    double all = union.value();
    if (!Double.isFinite(all)) {
      Estimate unknown = new Estimate(Math.min(first.value(), second.value()), 0, most);
      return new Overlap(first, second, union, unknown, Optional.empty());
    }
    if (all == 0) {
      return new Overlap(first, second, union, new Estimate(0, 0, 0), Optional.empty());
    }
    // the sum cannot be less than the union or more than twice, but its estimate can
    double a = Math.min(1, first.value() / all);
    double b = Math.min(1, second.value() / all);
    double share = Math.min(Math.max(0, a + b - 1), Math.min(a, b));
    double skew = a - b;
    Estimate common = ScoreInterval.of(share, 0, quantile, j -> error * commonError(j, skew));
    // at its upper end the share is 1, and yet the union may be larger than it seems
    double margin = quantile * error * commonError(share, skew) * all;
    double value = Math.min(share * all, most);
    double high = Math.max(common.high() * all, value + margin);
    return new Overlap(
        first,
        second,
        union,
        new Estimate(
            value,
            Math.floor(Math.min(value, common.low() * all)),
            Math.max(value, Math.min(most, Math.ceil(high)))),
        Optional.of(
            ScoreInterval.of(share, 1 / all, quantile, j -> error * jaccardError(j, skew))));
  }

  /** Returns √(1 − α² − β² + 2αβJ). */
  private static double commonError(double jaccard, double skew) {
    double a = larger(jaccard, skew);
    double b = 1 + jaccard - a;
    return Math.sqrt(Math.max(0, 1 - a * a - b * b + 2 * a * b * jaccard));
  }

  /** Returns √(α² + β² + (α+β)² + 2αβJ − 2(α+β)(α² + β²)). */
  private static double jaccardError(double jaccard, double skew) {
    double a = larger(jaccard, skew);
    double sum = 1 + jaccard;
    double b = sum - a;
    double squares = a * a + b * b;
    return Math.sqrt(Math.max(0, squares + sum * sum + 2 * a * b * jaccard - 2 * sum * squares));
  }

  /** Returns α, at most 1, from α + β = 1 + J and α − β. */
  private static double larger(double jaccard, double skew) {
    return Math.min(1, (1 + jaccard + skew) / 2);
  }
}
