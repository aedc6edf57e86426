package dev.tamis.internal.hashes;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Distinct hashes in ascending unsigned order, as a {@link HashCollector} has collected them. */
public final class SortedHashes {

  private final HashPartition[] partitions;
  private final int partitionBits;
  private final long count;

  SortedHashes(HashPartition[] partitions, int partitionBits) {
    this.partitions = partitions;
    this.partitionBits = partitionBits;
    long sum = 0;
    for (HashPartition partition : partitions) {
      sum += partition.size();
    }
    this.count = sum;
  }

  public long count() {
    return count;
  }

  /** Returns the hashes per value of the highest {@code prefixBits} bits, 0 to 24. */
  public long[] counts(int prefixBits) {
    long[] counts = new long[1 << prefixBits];
    for (int i = 0; i < partitions.length; i++) {
      if (prefixBits <= partitionBits) {
        counts[i >>> (partitionBits - prefixBits)] += partitions[i].size();
      } else {
        countEach(partitions[i], prefixBits, counts);
      }
    }
    return counts;
  }

  private static void countEach(HashPartition partition, int prefixBits, long[] counts) {
    for (int i = 0; i < partition.chunks(); i++) {
      long[] chunk = partition.chunk(i);
      int length = partition.length(i);
      for (int j = 0; j < length; j++) {
        counts[(int) (chunk[j] >>> -prefixBits)]++;
      }
    }
  }

  public Reader reader() {
    return new Reader(partitions);
  }

  /** Goes over the hashes once, in ascending order. */
  public static final class Reader {

    private final HashPartition[] partitions;
    private int partition;
    private int chunk;
    private int at;

    private Reader(HashPartition[] partitions) {
      this.partitions = partitions;
    }

    /** Returns a reader at the same position. */
    public Reader copy() {
      Reader copy = new Reader(partitions);
      copy.partition = partition;
      copy.chunk = chunk;
      copy.at = at;
      return copy;
    }

    /** Copies the next {@code count} hashes to the start of {@code target}; throws if too few. */
    public void read(long[] target, int count) {
      Objects.checkFromIndexSize(0, count, target.length);
      pass(count, target);
    }

    /**
     * Skips the next {@code count} hashes; an IndexOutOfBoundsException if there are fewer left.
     */
    public void skip(long count) {
      pass(count, null);
    }

    private void pass(long count, long @Nullable [] target) {
      long done = 0;
      while (done < count) {
        HashPartition from = partitions[partition];
        int part = (int) Math.min(count - done, from.length(chunk) - at);
        if (target != null) {
          System.arraycopy(from.chunk(chunk), at, target, (int) done, part);
        }
        done += part;
        at += part;
        if (at == from.length(chunk)) {
          at = 0;
          chunk++;
          if (chunk == from.chunks()) {
            chunk = 0;
            partition++;
          }
        }
      }
    }
  }
}
