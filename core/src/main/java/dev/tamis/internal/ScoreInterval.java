package dev.tamis.internal;

import dev.tamis.Estimate;
import java.util.function.DoubleUnaryOperator;

/**
 * The interval of a share whose standard error depends on the share itself.
 *
 * <p>It contains every share from which the measured one is at most so many standard errors of that
 * share away. An interval from the standard error of the measured share alone would degenerate to a
 * point at 0 and 1.
 */
public final class ScoreInterval {

  private static final int HALVINGS = 50;

  private ScoreInterval() {}

  /**
   * Returns the interval within 0 and 1 around {@code value}, itself 0 to 1.
   *
   * @param grain widens both ends, because a share is a ratio of whole numbers; at least 0
   * @param quantile the interval's half-width in standard errors
   * @param standardError the standard error at each share in [0, 1], not negative
   */
  public static Estimate of(
      double value, double grain, double quantile, DoubleUnaryOperator standardError) {
    if (!(value >= 0 && value <= 1)) { // written so that NaN fails
      throw new IllegalArgumentException("value must be 0 to 1, got " + value);
    }
    DoubleUnaryOperator reach = share -> quantile * standardError.applyAsDouble(share);
    return new Estimate(
        value,
        Math.max(0, end(value, 0, reach) - grain),
        Math.min(1, end(value, 1, reach) + grain));
  }

  /** Returns the last share on the way to {@code limit} that reaches back to {@code value}. */
  private static double end(double value, double limit, DoubleUnaryOperator reach) {
    if (Math.abs(limit - value) <= reach.applyAsDouble(limit)) {
      return limit;
    }
    double in = value;
    double out = limit;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (in + out) / 2;
      if (Math.abs(middle - value) <= reach.applyAsDouble(middle)) {
        in = middle;
      } else {
        out = middle;
      }
    }
    return out;
  }
}
