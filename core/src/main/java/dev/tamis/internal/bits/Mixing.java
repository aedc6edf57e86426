package dev.tamis.internal.bits;

/** Arithmetic on 64-bit hashes: reducing one to a range and drawing more bits from one. */
public final class Mixing {

  /** 2^64 divided by the golden ratio, made odd. */
  public static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private static final long FIRST = 0xBF58476D1CE4E5B9L;
  private static final long SECOND = 0x94D049BB133111EBL;

  private Mixing() {}

  /**
   * Maps a hash onto [0, {@code range}) by its high bits: ⌊hash · range / 2⁶⁴⌋, hash unsigned.
   *
   * @param range from 1 to 2^63 − 1
   * @see <a href="https://doi.org/10.1145/3230636">Lemire 2019, Fast random integer generation in
   *     an interval</a>
   */
  public static long reduce(long hash, long range) {
    // the unsigned high half; range is positive, so one correction term is enough
    return Math.multiplyHigh(hash, range) + ((hash >> 63) & range);
  }

  /**
   * Returns draw number {@code index} of the random sequence that {@code hash} starts: SplitMix64,
   * whose draws do not depend on each other, so that k of them can be under way at once.
   *
   * @see <a href="https://doi.org/10.1145/2660193.2660195">Steele, Lea, Flood 2014, Fast splittable
   *     pseudorandom number generators</a>
   */
  public static long draw(long hash, int index) {
    long z = hash + index * GOLDEN;
    z = (z ^ (z >>> 30)) * FIRST;
    z = (z ^ (z >>> 27)) * SECOND;
    return z ^ (z >>> 31);
  }
}
