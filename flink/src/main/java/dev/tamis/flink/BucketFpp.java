package dev.tamis.flink;

import dev.tamis.sizing.Shape;
import java.util.Arrays;

/**
 * The false-positive probability of a bucket by the keys it took, from a table filled on demand.
 */
final class BucketFpp {

  /** Entries of the table up to capacity; the fpp hardly differs between two of them. */
  private static final int STEPS_TO_CAPACITY = 32;

  /** Multiple of the capacity covered by the table; beyond it nearly every key is reported. */
  private static final int TIMES_CAPACITY = 16;

  private final Buckets buckets;
  private final Shape whole;
  private final double capacityPerBit;
  private final long step;
  private final double[] table = new double[STEPS_TO_CAPACITY * TIMES_CAPACITY];

  /**
   * Starts an empty table.
   *
   * @param expectedKeys the keys the whole array is meant for
   */
  BucketFpp(Buckets buckets, double expectedKeys) {
    this.buckets = buckets;
    this.whole = new Shape(buckets.shape().layout(), buckets.bits(0), buckets.shape().hashes());
    this.capacityPerBit = expectedKeys / buckets.shape().bits();
    this.step = Math.max(1, (long) (capacityPerBit * buckets.bits(0) / STEPS_TO_CAPACITY));
    Arrays.fill(table, Double.NaN);
  }

  double capacity(int number) {
    return capacityPerBit * buckets.bits(number);
  }

  /** Returns the fpp of a bucket with this number of keys. */
  double of(int number, long keys) {
    if (keys == 0) {
      return 0;
    }
    double asInWhole = (double) keys * buckets.bits(0) / buckets.bits(number);
    int index = (int) Math.min(table.length - 1, asInWhole / step);
    double fpp = table[index];
    if (Double.isNaN(fpp)) {
      fpp = whole.fpp(index * step + step / 2);
      table[index] = fpp;
    }
    return fpp;
  }
}
