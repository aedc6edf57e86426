package dev.tamis.corpus;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * The share T of a unit's keys that must be known for the unit to be a repeat.
 *
 * <p>A unit with m keys is a repeat if at least ⌈T·m⌉ of them are known, with T taken as the
 * decimal number that was given: at exactly T·m it is one.
 *
 * @param threshold T, above 0 and at most 1
 */
public record Overlap(double threshold) {

  /** Every key must be known, as for units of one key. */
  public static final Overlap ALL = new Overlap(1);

  /** Terms of the binomial tail below this share of the sum no longer matter. */
  private static final double NEGLIGIBLE = 1e-12;

  /** Checks that the threshold is above 0 and at most 1. */
  public Overlap {
    if (!(threshold > 0 && threshold <= 1)) {
      throw new IllegalArgumentException("overlap must be above 0 and at most 1, got " + threshold);
    }
  }

  /** Returns ⌈T·m⌉, the known keys by which a unit of {@code keys} is a repeat; at least 1. */
  public int needed(int keys) {
    double product = threshold * keys;
    double nearest = Math.rint(product);
    if (Math.abs(product - nearest) > 1e-6) {
      return (int) Math.ceil(product);
    }
    BigInteger exact =
        BigDecimal.valueOf(threshold)
            .multiply(BigDecimal.valueOf(keys))
            .setScale(0, RoundingMode.CEILING)
            .toBigInteger();
    return Math.max(1, exact.intValueExact());
  }

  /**
   * Returns the probability that a unit none of whose keys is known is a repeat by false positives:
   * that of ⌈T·m⌉ or more among its m keys, each with probability {@code fpp}.
   *
   * @param keys m, at least 1
   * @param fpp the false-positive probability of the filter, from 0 to 1
   */
  public double wrongDropProbability(int keys, double fpp) {
    return tail(keys, needed(keys), fpp);
  }

  /** Returns the probability of {@code least} or more among {@code n} independent events. */
  private static double tail(int n, int least, double p) {
    if (p <= 0 || least > n) {
      return 0;
    }
    if (least <= 0 || p >= 1) {
      return 1;
    }
    if (least <= n * p) { // else the terms fall from the first on
      return 1 - lower(n, least, p);
    }
    double log = 0; // of C(n, least)
    for (int i = 1; i <= Math.min(least, n - least); i++) {
      log += Math.log((double) (n + 1 - i) / i);
    }
    double term = Math.exp(log + least * Math.log(p) + (n - least) * Math.log1p(-p));
    double sum = 0;
    for (int i = least; i <= n && term > NEGLIGIBLE * sum; i++) {
      sum += term;
      term *= (double) (n - i) / (i + 1) * p / (1 - p);
    }
    return Math.min(1, sum);
  }

  /** Returns the probability of fewer than {@code least}. */
  private static double lower(int n, int least, double p) {
    return tail(n, n - least + 1, 1 - p);
  }
}
