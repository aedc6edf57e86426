package dev.tamis.internal.fuse;

import dev.tamis.internal.bits.HeapLimit;
import dev.tamis.internal.hashes.SortedHashes;
import java.util.Arrays;

/**
 * Finds an order in which the keys of a shard can be given their slots.
 *
 * <p>Takes 24 bytes for each key of a shard: 9 for a key and 13 for a slot. Not safe for concurrent
 * use.
 */
final class FusePeeling {

  /*
   * Each slot knows how many keys it has, the exclusive or of their mixed hashes, and the exclusive
   * or of which of their slots it is. A slot with one key thus names that key: the key is peeled
   * off, which leaves other slots with one key, until none are left (or no slot has one, and
   * another seed is tried). Keys given their slots in the opposite order each find a slot that no
   * key before them has needed.
   *
   * Hashes go in by the order of their first slot, so that the slots at work are those of a few
   * segments, which the cache holds. They are dealt into the same array that takes the peeling
   * order afterwards, when only the slots need to know them.
   */

  private static final int BLOCK_BITS = 10;
  private static final int BLOCK_SHIFT = Long.SIZE - BLOCK_BITS;
  private static final int BUFFER = 1 << 10;

  /** A count takes the bits above the two that say which slot of its key a slot is. */
  private static final int ONE = 4;

  private static final int INDEX = ONE - 1;

  private final FuseTable table;
  private final int arity;
  private final long[] buffer = new long[BUFFER];
  private final int[] ends = new int[1 << BLOCK_BITS];
  private final long[] order;
  private final byte[] own;
  private final long[] keysOfSlot;
  private final byte[] countOfSlot;
  private final int[] alone;

  FusePeeling(FuseTable table, int keys) {
    int slots = table.sizing().shardSlots();
    this.table = table;
    this.arity = table.sizing().arity();
    this.order = HeapLimit.longs(keys);
    this.own = HeapLimit.bytes(keys);
    this.keysOfSlot = HeapLimit.longs(slots);
    this.countOfSlot = HeapLimit.bytes(slots);
    this.alone = HeapLimit.ints(slots);
  }

  /**
   * Finds an order under a seed; if there is one, {@link #order} and {@link #own} return it.
   *
   * @param hashes positioned before the {@code count} hashes of the shard, and not moved
   */
  boolean peel(SortedHashes.Reader hashes, int count, byte seed) {
    deal(hashes, count, seed);
    Arrays.fill(keysOfSlot, 0);
    Arrays.fill(countOfSlot, (byte) 0);
    return occupy(count) && peel() == count;
  }

  /** Returns the mixed hashes: no slot that a hash owns is a slot of a later one. */
  long[] order() {
    return order;
  }

  /** Returns which of its slots each mixed hash owns. */
  byte[] own() {
    return own;
  }

  /** Fills {@link #order} with the mixed hashes, roughly by their first slot. */
  private void deal(SortedHashes.Reader hashes, int count, byte seed) {
    Arrays.fill(ends, 0);
    int[] ends = this.ends;
    SortedHashes.Reader counted = hashes.copy();
    for (int left = count; left > 0; left -= BUFFER) {
      int part = Math.min(BUFFER, left);
      counted.read(buffer, part);
      for (int i = 0; i < part; i++) {
        ends[(int) (FusePlaces.mix(buffer[i], seed) >>> BLOCK_SHIFT)]++;
      }
    }
    int start = 0;
    for (int block = 0; block < ends.length; block++) {
      int size = ends[block];
      ends[block] = start;
      start += size;
    }
    SortedHashes.Reader dealt = hashes.copy();
    for (int left = count; left > 0; left -= BUFFER) {
      int part = Math.min(BUFFER, left);
      dealt.read(buffer, part);
      for (int i = 0; i < part; i++) {
        long mixed = FusePlaces.mix(buffer[i], seed);
        order[ends[(int) (mixed >>> BLOCK_SHIFT)]++] = mixed;
      }
    }
  }

  /** Puts the keys into their slots; returns false if a slot has more than can be counted. */
  private boolean occupy(int count) {
    int crowded = 0;
    for (int i = 0; i < count; i++) {
      long mixed = order[i];
      for (int index = 0; index < arity; index++) {
        int slot = table.slot(mixed, index);
        keysOfSlot[slot] ^= mixed;
        int counted = (countOfSlot[slot] & 0xFF) + ONE;
        crowded |= counted;
        countOfSlot[slot] = (byte) (counted ^ index);
      }
    }
    return crowded >>> Byte.SIZE == 0;
  }

  /** Returns how many keys can be peeled off. */
  private int peel() {
    int peeled = 0;
    for (int start = 0; start < countOfSlot.length; start++) {
      int left = 0;
      if (isAlone(start)) {
        alone[left++] = start;
      }
      while (left > 0) {
        int slot = alone[--left];
        if (isAlone(slot)) {
          long mixed = keysOfSlot[slot];
          int index = countOfSlot[slot] & INDEX;
          order[peeled] = mixed;
          own[peeled] = (byte) index;
          peeled++;
          left = takeOut(mixed, left);
        }
      }
    }
    return peeled;
  }

  private boolean isAlone(int slot) {
    return (countOfSlot[slot] & 0xFF) >>> 2 == 1;
  }

  /** Takes a key out of its slots and adds those that it leaves with one key to the stack. */
  private int takeOut(long mixed, int stacked) {
    int left = stacked;
    for (int index = 0; index < arity; index++) {
      int slot = table.slot(mixed, index);
      keysOfSlot[slot] ^= mixed;
      countOfSlot[slot] = (byte) ((countOfSlot[slot] - ONE) ^ index);
      alone[left] = slot;
      left += isAlone(slot) ? 1 : 0;
    }
    return left;
  }
}
