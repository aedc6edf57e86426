package dev.tamis.sizing;

import java.util.function.LongToDoubleFunction;

/** How many new keys a filter is expected to report as present while it fills: wrong drops. */
public final class WrongDrops {

  /** More keys than any filter sees; the next number is a long, too. */
  private static final double MAX_KEYS = 1L << 62;

  /** The most steps in which a sum over keys is taken. */
  private static final int MAX_STEPS = 256;

  /** The fpp of a full filter, where the rest is a divisor. */
  private static final double ALMOST_ONE = 1 - 1e-6;

  private WrongDrops() {}

  /**
   * Returns the expected number of wrong drops while {@code accepted} keys are taken as new.
   *
   * <p>After d distinct keys, including those dropped, the fpp is p(d): a dropped key changes
   * nothing because all of its bits are set. So 1/(1 − p(d)) keys arrive for each that is accepted,
   * and the excess over one is summed.
   *
   * @param fppAtKeys p(d), the fpp with so many distinct keys in
   * @param keysBefore distinct keys that had come before, at least 0
   * @param accepted keys taken as new since then, at least 0
   * @param otherFpp the fpp of whatever else a key must pass to count as new, 0 if nothing
   */
  public static double expected(
      LongToDoubleFunction fppAtKeys, long keysBefore, long accepted, double otherFpp) {
    if (keysBefore < 0 || accepted < 0) {
      throw new IllegalArgumentException(
          "keys must be at least 0, got " + keysBefore + " and " + accepted);
    }
    // the midpoint rule, in steps of one key where there are few; key number d meets p(d - 1)
    int steps = (int) Math.min(MAX_STEPS, accepted);
    double step = (double) accepted / steps;
    double came = keysBefore;
    double drops = 0;
    for (int i = 0; i < steps; i++) {
      double middle = came + step / 2 * comePerAccepted(fppAtKeys, came);
      double perAccepted = comePerAccepted(fppAtKeys, middle - 0.5);
      came += step * perAccepted;
      drops += step * (perAccepted / (1 - otherFpp) - 1);
    }
    return drops;
  }

  /** Returns the distinct keys that arrive per accepted one, after {@code came} of them. */
  public static double comePerAccepted(LongToDoubleFunction fppAtKeys, double came) {
    double keys = Math.min(MAX_KEYS, Math.max(0, came));
    long below = (long) keys;
    double share = keys - below;
    double fpp =
        (1 - share) * fppAtKeys.applyAsDouble(below) + share * fppAtKeys.applyAsDouble(below + 1);
    return 1 / (1 - Math.min(ALMOST_ONE, fpp));
  }
}
