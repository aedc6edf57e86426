package dev.tamis.flink;

import dev.tamis.filter.BitPositions;
import dev.tamis.filter.LineRanges;
import dev.tamis.sizing.Shape;

/**
 * How the array of a filter is split into the buckets that Flink keeps by key.
 *
 * <p>A bucket is a run of whole cache lines, so all bits of a key are in one, and the words of all
 * buckets concatenated are the payload of the filter's file.
 */
final class Buckets {

  /** Maximum number of buckets: each is an entry of some hundred bytes in Flink's state. */
  static final int MAX = 1 << 20;

  /** Enough for Flink's default of 128 key groups to be evenly loaded. */
  private static final int LEAST_BY_DEFAULT = 1024;

  /** What RocksDB can copy at each element without being much slower than for a small value. */
  private static final long BYTES_BY_DEFAULT = 16 << 10;

  private final Shape shape;
  private final BitPositions positions;
  private final int probes;
  private final LineRanges ranges;

  /**
   * Splits an array evenly.
   *
   * @param wanted the number of buckets, 1 to {@link #MAX}; there are fewer where that is more even
   */
  Buckets(Shape shape, int wanted) {
    if (!LineRanges.keepKeysTogether(shape.layout())) {
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
    this.ranges = LineRanges.of(shape.bits(), wanted);
  }

  /** Returns the number of buckets for an array of this shape unless it is set. */
  static int defaultCount(Shape shape) {
    long bySize = (shape.bits() / Byte.SIZE + BYTES_BY_DEFAULT - 1) / BYTES_BY_DEFAULT;
    return (int) Math.min(MAX, Math.max(LEAST_BY_DEFAULT, bySize));
  }

  int count() {
    return ranges.count();
  }

  Shape shape() {
    return shape;
  }

  int of(long hash) {
    return ranges.rangeOf(positions.position(hash, 0));
  }

  long bits(int bucket) {
    return ranges.bits(bucket);
  }

  int maxWords() {
    return (int) (ranges.bits(0) / Long.SIZE);
  }

  Bucket empty(int bucket) {
    return new Bucket(0, new long[(int) (bits(bucket) / Long.SIZE)]);
  }

  /** Returns whether all bits of a key are set in its bucket. */
  boolean mightContain(Bucket bucket, int number, long hash) {
    long start = ranges.firstBit(number);
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
    long start = ranges.firstBit(number);
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
}
