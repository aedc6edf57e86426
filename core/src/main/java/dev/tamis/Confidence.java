package dev.tamis;

/**
 * How often an interval holds the true number, as a probability.
 *
 * @param probability strictly between 0 and 1; the nearer to 1, the wider the interval
 */
public record Confidence(double probability) {

  /** 95 times in 100, the default. */
  public static final Confidence DEFAULT = new Confidence(0.95);

  /** No double below 1 has a larger quantile. */
  private static final double MAX_QUANTILE = 9;

  private static final int HALVINGS = 60;

  private static final double DENSITY_AT_ZERO = 1 / Math.sqrt(2 * Math.PI);

  public Confidence {
    if (!(probability > 0 && probability < 1)) { // written so that NaN fails
      throw new IllegalArgumentException(
          "confidence must be between 0 and 1, exclusive, got " + probability);
    }
  }

  /**
   * Returns half of the interval in standard deviations of a normal distribution: 1.96 for 0.95.
   * Costs some microseconds.
   */
  public double quantile() {
    double low = 0;
    double high = MAX_QUANTILE;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (probabilityWithin(middle) < probability) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** Returns 2φ(z)·(z + z³/3 + z⁵/(3·5) + …), whose terms are all positive. */
  private static double probabilityWithin(double z) {
    double term = z;
    double sum = 0;
    for (int odd = 3; sum + term != sum; odd += 2) {
      sum += term;
      term *= z * z / odd;
    }
    return 2 * DENSITY_AT_ZERO * Math.exp(-z * z / 2) * sum;
  }
}
