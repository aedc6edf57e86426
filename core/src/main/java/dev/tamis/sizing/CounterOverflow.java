package dev.tamis.sizing;

/** How likely the counters of a counting filter are to overflow. */
public final class CounterOverflow {

  private CounterOverflow() {}

  /**
   * Returns a bound on the number of counters expected to reach 2^w − 1 and a bit more, that is
   * 2^w, in a filter that holds the distinct keys it is for: counters · (e·ln 2 / 2^w)^(2^w), which
   * is 1.37e-15 per counter for w = 4. It does not hold where keys are put more than once.
   *
   * @param counters m, at least 0
   * @param counterBits w, at least 1
   * @see <a href="https://doi.org/10.1109/90.851975">Fan, Cao, Almeida, Broder 2000, Summary
   *     cache</a>
   */
  public static double expectedAtMost(long counters, int counterBits) {
    double overflow = Math.scalb(1.0, counterBits);
    return counters * Math.pow(Math.E * Math.log(2) / overflow, overflow);
  }
}
