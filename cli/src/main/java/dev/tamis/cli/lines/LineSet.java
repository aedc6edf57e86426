package dev.tamis.cli.lines;

import dev.tamis.hash.HashFunction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/** An exact set of lines in little more memory than theirs; each can be marked once. */
public final class LineSet {

  /*
   * Lines are stored back to back in chunks, each after its length (seven bits per byte, lowest
   * first). A slot of a table with open addressing is zero if it is free, else
   *
   *   tag, 23 low bits of the hash | mark, 1 bit | 1 + address, 40 bits
   *
   * where an address is a chunk's number and an offset. High bits of the hash choose the slot, so the
   * tag rules out almost all other lines. A table that grows hashes its lines again.
   */

  private static final int ADDRESS_BITS = 40;
  private static final long ADDRESS_MASK = (1L << ADDRESS_BITS) - 1;
  private static final long MARK = 1L << ADDRESS_BITS;
  private static final int TAG_SHIFT = ADDRESS_BITS + 1;
  private static final long TAG_MASK = -1L << TAG_SHIFT;
  private static final int OFFSET_BITS = 20;
  private static final int OFFSET_MASK = (1 << OFFSET_BITS) - 1;
  private static final int CHUNK_BYTES = 1 << OFFSET_BITS;
  private static final int MAX_LENGTH_BYTES = 5;
  private static final int FIRST_CHUNK_BYTES = 1 << 12;
  private static final int FIRST_SLOTS = 1 << 10;
  private static final int MAX_SLOTS = 1 << 30;

  private final HashFunction function;
  private final List<byte[]> chunks = new ArrayList<>();
  private long[] slots = new long[FIRST_SLOTS];

  /** How often each line was counted, by its slot; empty if lines are not counted. */
  private long[] counts;

  private int size;
  private int chunkUsed;
  private int chunkSize;
  private long chunkBytes;

  /** Written and never read, so that the compiler does not remove the reads. */
  @SuppressWarnings("unused")
  private long fetched;

  /** The result of a query: not in the set, queried for the first time, or again. */
  public enum Answer {
    ABSENT,
    FIRST,
    REPEATED
  }

  public LineSet(HashFunction function) {
    this(function, false);
  }

  /** Creates an empty set of lines that can be {@linkplain #count counted}. */
  public LineSet(HashFunction function, boolean counting) {
    this.function = function;
    this.counts = new long[counting ? FIRST_SLOTS : 0];
  }

  long hashOf(Line line) {
    return function.hashBytes(line.buffer(), line.start(), line.length());
  }

  /** Prefetches {@code count} lines, so that the memory accesses of the next queries overlap. */
  public void prefetch(long[] hashes, int count) {
    long read = 0;
    for (int i = 0; i < count; i++) {
      read |= slots[home(hashes[i])];
    }
    for (int i = 0; i < count; i++) {
      long slot = slots[home(hashes[i])];
      if (slot != 0) {
        read |= chunk(address(slot))[(int) address(slot) & OFFSET_MASK];
      }
    }
    fetched = read;
  }

  /** Adds a line and returns whether it was new. */
  public boolean add(long hash, Line line) {
    int slot = find(hash, line);
    boolean isNew = slots[slot] == 0;
    if (isNew) {
      if (4L * (size + 1) > 3L * slots.length) {
        grow();
        slot = find(hash, line);
      }
      slots[slot] = tag(hash) | (1 + store(line));
      size++;
    }
    return isNew;
  }

  public void count(long hash, Line line) {
    int slot = find(hash, line);
    if (slots[slot] != 0) {
      counts[slot]++;
    }
  }

  public long countOf(long hash, Line line) {
    return counts[find(hash, line)];
  }

  public void forEachHash(LongConsumer action) {
    for (long slot : slots) {
      if (slot != 0) {
        action.accept(hashAt(address(slot)));
      }
    }
  }

  /** Looks a line up, and marks it if it is in the set. */
  public Answer query(long hash, Line line) {
    int slot = find(hash, line);
    if (slots[slot] == 0) {
      return Answer.ABSENT;
    }
    boolean marked = (slots[slot] & MARK) != 0;
    slots[slot] |= MARK;
    return marked ? Answer.REPEATED : Answer.FIRST;
  }

  public int size() {
    return size;
  }

  public long sizeInBytes() {
    return chunkBytes + ((long) slots.length + counts.length) * Long.BYTES;
  }

  private static long tag(long hash) {
    return hash << TAG_SHIFT;
  }

  private int home(long hash) {
    return (int) (hash >>> (1 + Long.numberOfLeadingZeros(slots.length)));
  }

  private int following(int slot) {
    return (slot + 1) & (slots.length - 1);
  }

  /** Returns the slot of a line, or the free one where it would go. */
  private int find(long hash, Line line) {
    long tag = tag(hash);
    int slot = home(hash);
    while (slots[slot] != 0
        && !((slots[slot] & TAG_MASK) == tag && holds(address(slots[slot]), line))) {
      slot = following(slot);
    }
    return slot;
  }

  private static long address(long slot) {
    return (slot & ADDRESS_MASK) - 1;
  }

  private boolean holds(long address, Line line) {
    byte[] chunk = chunk(address);
    int lengthAt = (int) address & OFFSET_MASK;
    int length = length(chunk, lengthAt);
    int from = lengthAt + bytesOf(length);
    return length == line.length()
        && Arrays.equals(
            chunk, from, from + length, line.buffer(), line.start(), line.start() + length);
  }

  private byte[] chunk(long address) {
    return chunks.get((int) (address >>> OFFSET_BITS));
  }

  /** Copies a line into the last chunk, or a new one, and returns its address. */
  private long store(Line line) {
    int length = line.length();
    if (chunkUsed + MAX_LENGTH_BYTES + length > chunkSize) {
      int usual = (int) Math.max(FIRST_CHUNK_BYTES, Math.min(CHUNK_BYTES, chunkBytes));
      chunkSize = Math.max(usual, MAX_LENGTH_BYTES + length);
      chunks.add(new byte[chunkSize]);
      chunkBytes += chunkSize;
      chunkUsed = 0;
    }
    int last = chunks.size() - 1;
    long address = ((long) last << OFFSET_BITS) | chunkUsed;
    byte[] chunk = chunks.get(last);
    int from = putLength(chunk, chunkUsed, length);
    System.arraycopy(line.buffer(), line.start(), chunk, from, length);
    chunkUsed = from + length;
    return address;
  }

  private void grow() {
    if (slots.length == MAX_SLOTS) {
      throw new IllegalStateException("more than " + size + " distinct lines to remember");
    }
    long[] old = slots;
    long[] oldCounts = counts;
    slots = new long[2 * old.length];
    counts = new long[2 * oldCounts.length];
    for (int i = 0; i < old.length; i++) {
      if (old[i] != 0) {
        int free = free(hashAt(address(old[i])));
        slots[free] = old[i];
        if (counts.length > 0) {
          counts[free] = oldCounts[i];
        }
      }
    }
  }

  private int free(long hash) {
    int slot = home(hash);
    while (slots[slot] != 0) {
      slot = following(slot);
    }
    return slot;
  }

  private long hashAt(long address) {
    byte[] chunk = chunk(address);
    int lengthAt = (int) address & OFFSET_MASK;
    int length = length(chunk, lengthAt);
    return function.hashBytes(chunk, lengthAt + bytesOf(length), length);
  }

  private static int putLength(byte[] chunk, int at, int length) {
    int left = length;
    int next = at;
    for (; left > 0x7F; left >>>= 7) {
      chunk[next++] = (byte) (left | 0x80);
    }
    chunk[next++] = (byte) left;
    return next;
  }

  private static int length(byte[] chunk, int at) {
    int length = chunk[at] & 0x7F;
    for (int i = 0; chunk[at + i] < 0; ) {
      i++;
      length |= (chunk[at + i] & 0x7F) << (7 * i);
    }
    return length;
  }

  private static int bytesOf(int length) {
    return Math.max(1, (Integer.SIZE - Integer.numberOfLeadingZeros(length) + 6) / 7);
  }
}
