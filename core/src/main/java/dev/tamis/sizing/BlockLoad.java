package dev.tamis.sizing;

import java.util.function.LongToDoubleFunction;

/** The number of keys in a block of a filter, which is binomial. */
final class BlockLoad {

  /** Weights below this share of the largest are left out; their sum is below 1e-15. */
  private static final double NEGLIGIBLE = 1e-19;

  /** Beyond this load every block of 512 bits is full. */
  private static final double OVERFULL = 1e6;

  private BlockLoad() {}

  /**
   * Returns the mean of {@code value}, a rising function from 0 to 1, over the load of a block that
   * each of {@code keys} keys is in with probability {@code chance}, in (0, 1].
   */
  static double mean(long keys, double chance, LongToDoubleFunction value) {
    if (chance >= 1 || keys == 0) {
      return value.applyAsDouble(keys);
    }
    if (keys * chance > OVERFULL) {
      return 1;
    }
    // outwards from the likeliest load, by the ratio of neighbours; normalised at the end
    long mode = (long) ((keys + 1) * chance);
    double odds = chance / (1 - chance);
    double total = 1;
    double sum = value.applyAsDouble(mode);
    double weight = 1;
    for (long i = mode; i < keys && weight > NEGLIGIBLE; i++) {
      weight *= (double) (keys - i) / (i + 1) * odds;
      total += weight;
      sum += weight * value.applyAsDouble(i + 1);
    }
    weight = 1;
    for (long i = mode; i > 0 && weight > NEGLIGIBLE; i--) {
      weight *= i / ((keys - i + 1) * odds);
      total += weight;
      sum += weight * value.applyAsDouble(i - 1);
    }
    return sum / total;
  }
}
