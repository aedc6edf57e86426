package dev.tamis;

/**
 * A number that is not known exactly, with an interval that holds it.
 *
 * <p>The interval contains it with the requested {@link Confidence} (default: 95 times in 100). The
 * interval covers the spread of the estimator over the choice of hash seed; it assumes that the
 * keys' hashes are well mixed. A full filter cannot be counted: its {@code value} and {@code high}
 * are infinite.
 *
 * @param value the best guess, at least 0; infinite if only {@code low} is known
 * @param low the lower end of the interval, from 0 to {@code value}
 * @param high the upper end of the interval, at least {@code value}
 */
public record Estimate(double value, double low, double high) {

  public Estimate {
    if (!(0 <= low && low <= value && value <= high)) { // written so that NaN fails
      throw new IllegalArgumentException(
          "an estimate needs 0 <= low <= value <= high, got " + low + ", " + value + ", " + high);
    }
  }

  /** Returns an estimate of {@code value} with {@code margin} on either side, but not below 0. */
  public static Estimate around(double value, double margin) {
    double centre = Math.max(0, value);
    return new Estimate(centre, Math.max(0, centre - margin), centre + margin);
  }

  /** Returns whether the interval has a finite upper end. */
  public boolean isBounded() {
    return Double.isFinite(high);
  }

  /** Returns {@code value} rounded to the nearest whole number, or {@link Long#MAX_VALUE}. */
  public long rounded() {
    return Math.round(value);
  }
}
