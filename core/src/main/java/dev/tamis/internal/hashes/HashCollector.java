package dev.tamis.internal.hashes;

import java.util.function.IntConsumer;

/**
 * Collects hashes in any number and order, and returns them distinct and in ascending order.
 *
 * <p>Order is unsigned. Takes 8 bytes for each distinct hash, a sixteenth of that for growth, and
 * scratch memory for a 1024th of them. Repeats cost memory only until they are detected: at no time
 * are there more than about four times as many hashes as distinct hashes.
 *
 * <p>Not safe for concurrent use.
 */
public final class HashCollector {

  /*
   * Hashes go to one of 1024 partitions by their highest bits as they arrive, so that sorting works
   * within the cache at 1e7 keys and in 8 MB at 1e9. Few hashes stay in two partitions, where 1024
   * would waste memory on 10 keys. Two rather than one, so that the hashes of a partition always
   * have the same sign.
   *
   * A partition that has outgrown its limit is sorted, which drops repeats. If that did not halve
   * it, the hashes seem to be distinct and it is left alone until it is four times as large:
   * sorting in between then adds less than a third to the work.
   */

  private static final int FEW_BITS = 1;
  private static final int MANY_BITS = 10;

  /** The hashes in a partition that make more partitions necessary. */
  private static final int FEW = 1 << 15;

  private static final long FIRST_SORT = 1 << 10;

  private int prefixBits;
  private HashPartition[] partitions;
  private long[] sortAt;
  private HashSorter sorter = new HashSorter();

  public HashCollector() {
    split(FEW_BITS);
  }

  /** Adds a hash, which may be a repeat. */
  public void put(long hash) {
    HashPartition partition = partitions[(int) (hash >>> -prefixBits)];
    if (!partition.put(hash)) {
      makeRoom((int) (hash >>> -prefixBits));
      put(hash);
    }
  }

  private IntConsumer sorterOfPartitions() {
    HashSorter own = new HashSorter();
    return index -> own.sort(partitions[index], prefixBits);
  }

  private void makeRoom(int index) {
    HashPartition partition = partitions[index];
    long size = partition.size();
    if (size >= sortAt[index]) {
      sorter.sort(partition, prefixBits);
      long distinct = partition.size();
      sortAt[index] = Math.max(FIRST_SORT, distinct <= size / 2 ? 2 * distinct : 4 * distinct);
      if (distinct < size) {
        return; // the last chunk has room, or there is none yet and we are called again
      }
    }
    if (prefixBits == FEW_BITS && partition.size() >= FEW) {
      HashPartition[] few = partitions;
      split(MANY_BITS);
      for (HashPartition each : few) {
        moveFrom(each);
      }
    } else {
      partition.grow();
    }
  }

  private void split(int bits) {
    prefixBits = bits;
    partitions = new HashPartition[1 << bits];
    sortAt = new long[1 << bits];
    for (int i = 0; i < partitions.length; i++) {
      partitions[i] = new HashPartition();
      sortAt[i] = FIRST_SORT;
    }
  }

  private void moveFrom(HashPartition other) {
    for (int i = 0; i < other.chunks(); i++) {
      long[] chunk = other.chunk(i);
      int length = other.length(i);
      for (int j = 0; j < length; j++) {
        put(chunk[j]);
      }
    }
  }

  long capacity() {
    long capacity = 0;
    for (HashPartition partition : partitions) {
      capacity += partition.capacity();
    }
    return capacity;
  }

  /**
   * Sorts the hashes, drops repeats and releases the scratch memory.
   *
   * @param threads the most that sort at once, each with scratch memory of its own
   * @return the hashes so far; invalid after the next put
   */
  public SortedHashes sorted(int threads) {
    Parts.run(partitions.length, threads, this::sorterOfPartitions);
    sorter = new HashSorter();
    return new SortedHashes(partitions, prefixBits);
  }
}
