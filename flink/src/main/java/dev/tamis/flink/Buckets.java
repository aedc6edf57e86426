package dev.tamis.flink;

import dev.tamis.filter.BitPositions;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;

/**
 * How the array of a filter is split into the buckets that Flink keeps by key.
 *
 * <p>A bucket is a run of whole cache lines, so all bits of a key are in one, and the words of all
 * buckets one after the other are the payload of the filter's file.
 */
final class Buckets {

  /** The most there may be: each costs Flink an entry of some hundred bytes. */
  static final int MAX = 1 << 20;

  /** Enough for Flink's default of 128 key groups to be evenly loaded. */
  private static final int LEAST_BY_DEFAULT = 1024;

  /** What RocksDB can copy at each element without being much slower than for a small value. */
  private static final long BYTES_BY_DEFAULT = 16 << 10;

  private static final int BITS_PER_LINE = 512;

  private final Shape shape;
  private final BitPositions positions;
  private final int probes;
  private final long bitsPerBucket;
  private final int count;

  /**
   * Splits an array evenly.
   *
   * @param wanted the number of buckets, 1 to {@link #MAX}; there are fewer where that is more even
   */
  Buckets(Shape shape, int wanted) {
    if (shape.layout() != Layout.LINE && shape.layout() != Layout.SPLIT) {
      throw new IllegalArgumentException(
          "layout: must be line or split, so that a key is in one bucket, got "
              + shape.layout().label());
    }
    if (wanted < 1 || wanted > MAX) {
      throw new IllegalArgumentException("buckets: must be 1 to " + MAX + ", got " + wanted);
    }
    this.shape = shape;
    this.positions = BitPositions.of(shape);
    this.probes = positions.count();
    long lines = shape.bits() / BITS_PER_LINE;
    long linesPerBucket = ceilDiv(lines, Math.min(lines, wanted));
    this.bitsPerBucket = linesPerBucket * BITS_PER_LINE;
    this.count = (int) ceilDiv(lines, linesPerBucket);
  }

  /** Returns the number of buckets for an array of this shape unless it is set. */
  static int defaultCount(Shape shape) {
    long bySize = ceilDiv(shape.bits() / Byte.SIZE, BYTES_BY_DEFAULT);
    return (int) Math.min(MAX, Math.max(LEAST_BY_DEFAULT, bySize));
  }

  int count() {
    return count;
  }

  Shape shape() {
    return shape;
  }

  /** Returns the bucket of the key with this hash. */
  int of(long hash) {
    return (int) (positions.position(hash, 0) / bitsPerBucket);
  }

  /** Returns how many bits a bucket has. */
  long bits(int bucket) {
    return Math.min(bitsPerBucket, shape.bits() - bucket * bitsPerBucket);
  }

  /** Returns the most words a bucket has. */
  int maxWords() {
    return (int) (bitsPerBucket / Long.SIZE);
  }

  Bucket empty(int bucket) {
    return new Bucket(0, new long[(int) (bits(bucket) / Long.SIZE)]);
  }

  /** Returns whether all bits of a key are set in its bucket. */
  boolean mightContain(Bucket bucket, int number, long hash) {
    long start = number * bitsPerBucket;
    for (int probe = 0; probe < probes; probe++) {
      long bit = positions.position(hash, probe) - start;
      if ((bucket.words()[(int) (bit >>> 6)] & (1L << bit)) == 0) {
        return false;
      }
    }
    return true;
  }

  /** Sets the bits of a key in its bucket, and returns how many of them were missing. */
  int put(Bucket bucket, int number, long hash) {
    long start = number * bitsPerBucket;
    long[] words = bucket.words();
    int added = 0;
    for (int probe = 0; probe < probes; probe++) {
      long bit = positions.position(hash, probe) - start;
      int word = (int) (bit >>> 6);
      if ((words[word] & (1L << bit)) == 0) {
        words[word] |= 1L << bit;
        added++;
      }
    }
    if (added > 0) {
      bucket.countKey();
    }
    return added;
  }

  private static long ceilDiv(long dividend, long divisor) {
    return -Math.floorDiv(-dividend, divisor);
  }
}
