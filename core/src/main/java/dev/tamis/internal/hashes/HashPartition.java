package dev.tamis.internal.hashes;

import java.util.Arrays;

/** The hashes that share their highest bits, in chunks that never move. Not thread-safe. */
final class HashPartition {

  /*
   * A chunk is a sixteenth of what is there already: no more than that is ever empty, and nothing is
   * copied to grow. Sorting writes the hashes back into the chunks they came from.
   */

  private static final int FIRST_CHUNK = 16;
  private static final int GROWTH_SHIFT = 4;
  private static final int MAX_CHUNK = 1 << 24;

  private long[][] chunks = new long[4][];
  private int chunk;
  private long[] current = new long[FIRST_CHUNK];
  private int used;
  private long before;
  private long sorted;

  HashPartition() {
    chunks[0] = current;
  }

  /** Adds a hash; false if the chunk is full, see {@link #grow}. */
  boolean put(long hash) {
    if (used == current.length) {
      return false;
    }
    current[used++] = hash;
    return true;
  }

  void grow() {
    before += used;
    used = 0;
    if (++chunk == chunks.length) {
      chunks = Arrays.copyOf(chunks, 2 * chunks.length);
    }
    current = new long[(int) Math.min(MAX_CHUNK, FIRST_CHUNK + (before >> GROWTH_SHIFT))];
    chunks[chunk] = current;
  }

  /** Returns the number of hashes, repeats included unless just sorted. */
  long size() {
    return before + used;
  }

  long capacity() {
    return before + current.length;
  }

  /** Returns whether all that is here is in order and distinct. */
  boolean isSorted() {
    return sorted == size();
  }

  /** Returns how many chunks have hashes in them. */
  int chunks() {
    return chunk + 1;
  }

  /** Returns the hashes of a chunk, followed by unused room. */
  long[] chunk(int index) {
    return chunks[index];
  }

  int length(int index) {
    return index == chunk ? used : chunks[index].length;
  }

  /** Replaces all hashes by the first {@code count} of {@code hashes}, distinct and in order. */
  void replace(long[] hashes, int count) {
    int from = 0;
    int last = 0;
    while (count - from > chunks[last].length) {
      System.arraycopy(hashes, from, chunks[last], 0, chunks[last].length);
      from += chunks[last].length;
      last++;
    }
    System.arraycopy(hashes, from, chunks[last], 0, count - from);
    Arrays.fill(chunks, last + 1, chunks.length, null);
    chunk = last;
    current = chunks[last];
    used = count - from;
    before = from;
    sorted = count;
  }
}
