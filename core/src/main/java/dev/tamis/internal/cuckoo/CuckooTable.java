package dev.tamis.internal.cuckoo;

import static dev.tamis.sizing.CuckooSizing.SLOTS_PER_BUCKET;

import dev.tamis.internal.bits.Mixing;
import dev.tamis.internal.bits.PackedSlots;
import dev.tamis.sizing.CuckooSizing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Buckets of four fingerprints each, in which a key's fingerprint is in one of two buckets.
 *
 * <p>One thread at a time may write; any number may look keys up meanwhile, without waiting.
 *
 * @see <a href="https://doi.org/10.1145/2674005.2674994">Fan, Andersen, Kaminsky, Mitzenmacher
 *     2014, Cuckoo filter: practically better than Bloom</a>
 */
public final class CuckooTable {

  /*
   * The two buckets of a fingerprint add up to o(fingerprint) modulo the number of buckets: so each
   * follows from the other, whatever that number is (the paper's XOR needs a power of two). The
   * number is even and o odd, so one of the two is even and the other odd, never the same. o takes
   * its upper part from the fingerprint itself, which spreads the o of few fingerprints over few
   * buckets evenly; drawn at random, two of them would often coincide and fill their buckets first.
   *
   * Room is made breadth first, with nothing moved until an empty slot is found. The path is then
   * one of the shortest, with no bucket on it twice. Therefore the moves, made from the end
   * backwards, do not meet.
   *
   * Eight equal fingerprints in the two buckets of a pair never move again: each of them can only
   * go to the other bucket of the pair, which has no empty slot and whose fingerprints lead back.
   *
   * Lookups concurrent with a writer. A fingerprint that moves is written to its new slot first and
   * leaves the old one afterwards. Still a lookup that reads the new bucket before and the old one
   * after the move would miss it. So the writer raises a version between the two, that is before
   * any slot that is not empty changes, and a lookup that found nothing is repeated if the version
   * is not what it was before.
   *
   * Why a lookup never misses a key that is in: let it read version v before and after. Of the
   * changes to taken slots, those that follow a later version are not seen, or the second read
   * would have seen that version too. So of all that was stored when v was reached, at most the one
   * slot changes that v was raised for, and what the others hold includes a copy of the fingerprint
   * of each key that stays: a move has copied it, a removal leaves the copies of other keys. The
   * lookup sees all of that, because v was raised after it was written. This covers removals whose
   * fingerprint is stored once more for another key meanwhile, and slots that straddle two words,
   * of which a lookup may see only one half changed: a slot that does not change has two halves
   * that do not. A lookup is repeated only because a writer made progress, so no thread waits for
   * one that sleeps.
   *
   * Slots are compared four at a time, two where four are more than a word: x is zero in the slots
   * that match, and ~(((x & LOW) + LOW) | x) has the top bit of just those.
   */

  /** The most copies of a fingerprint: all slots of its two buckets. */
  public static final int MAX_COPIES = 2 * SLOTS_PER_BUCKET;

  /** The buckets a search for room goes on from; at 95 % load it needs a few dozen, seldom 600. */
  private static final int MAX_REACHED = 4096;

  /** The marks for buckets that were reached; in a small table the search ends with the buckets. */
  private static final int MARKS = 8 * MAX_REACHED;

  private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

  /** The index of the version: padded by at least a cache line on either side. */
  private static final int VERSION = 16;

  private static final int EMPTY = 0;
  private static final int NO_SLOT = -1;

  private final long buckets;
  private final long fingerprints;
  private final int width;
  private final int together;
  private final long ones;
  private final long tops;
  private final PackedSlots slots;
  private final Search search = new Search();
  private final long[] version = new long[2 * VERSION];
  private long used;

  public CuckooTable(CuckooSizing sizing) {
    this.buckets = sizing.buckets();
    this.width = sizing.fingerprintBits();
    this.fingerprints = (1L << width) - 1;
    this.together = SLOTS_PER_BUCKET * width <= Long.SIZE ? SLOTS_PER_BUCKET : SLOTS_PER_BUCKET / 2;
    long slot = 1L;
    for (int i = 1; i < together; i++) {
      slot |= slot << width;
    }
    this.ones = slot;
    this.tops = ones << (width - 1);
    this.slots = new PackedSlots(sizing.slots(), width);
  }

  public boolean mightContain(long hash) {
    int fingerprint = fingerprint(hash);
    long first = bucket(hash);
    long second = partner(first, fingerprint);
    while (true) {
      long before = version();
      // both at once: where memory is slow, they are fetched together
      if ((matches(first, fingerprint) | matches(second, fingerprint)) != 0) {
        return true;
      }
      if (isStill(before)) {
        return false;
      }
    }
  }

  /**
   * Returns the copies of a key's fingerprint in its buckets, at most eight. Concurrently with a
   * writer never too low; a copy that is moving may count twice.
   */
  public int copies(long hash) {
    int fingerprint = fingerprint(hash);
    long first = bucket(hash);
    long second = partner(first, fingerprint);
    while (true) {
      long before = version();
      int copies = count(first, fingerprint) + count(second, fingerprint);
      if (isStill(before)) {
        return Math.min(copies, MAX_COPIES);
      }
    }
  }

  /** Returns the version; everything stored before it was raised is visible. */
  private long version() {
    return (long) CELLS.getAcquire(version, VERSION);
  }

  /** Returns whether the version is still {@code before}, so what was read since is valid. */
  private boolean isStill(long before) {
    VarHandle.acquireFence();
    return (long) CELLS.getOpaque(version, VERSION) == before;
  }

  /** Signals to lookups that a slot that is not empty is about to change. */
  private void beforeChange() {
    CELLS.setRelease(version, VERSION, version[VERSION] + 1);
    VarHandle.storeStoreFence();
  }

  /** Stores one more copy of a key's fingerprint, moving others; false, and unchanged, if full. */
  public boolean store(long hash) {
    int fingerprint = fingerprint(hash);
    long first = bucket(hash);
    long second = partner(first, fingerprint);
    boolean stored =
        storeIn(first, fingerprint)
            || storeIn(second, fingerprint)
            || search.makeRoom(first, second, fingerprint);
    used += stored ? 1 : 0;
    return stored;
  }

  /** Removes one copy of a key's fingerprint, which must be stored. */
  public void take(long hash) {
    int fingerprint = fingerprint(hash);
    long bucket = bucket(hash);
    int slot = find(bucket, fingerprint);
    if (slot == NO_SLOT) {
      bucket = partner(bucket, fingerprint);
      slot = find(bucket, fingerprint);
    }
    beforeChange();
    slots.set(bucket * SLOTS_PER_BUCKET + slot, EMPTY);
    used--;
  }

  public long used() {
    return used;
  }

  public void clear() {
    beforeChange();
    slots.clear();
    used = 0;
  }

  /** Returns the slots; a caller that writes to them must call {@link #recount} afterwards. */
  public PackedSlots slots() {
    return slots;
  }

  /** Counts the occupied slots again. Costs one pass. */
  public void recount() {
    used = 0;
    for (long bucket = 0; bucket < buckets; bucket++) {
      used += SLOTS_PER_BUCKET - count(bucket, EMPTY);
    }
  }

  /**
   * Returns the probability that a random key's fingerprint is in one of its buckets. Costs one
   * pass, with an access elsewhere for every second fingerprint.
   */
  public double fpp() {
    long pairs = 0; // of buckets, with a fingerprint in one of them or both
    for (long bucket = 0; bucket < buckets; bucket++) {
      for (int slot = 0; slot < SLOTS_PER_BUCKET; slot++) {
        int fingerprint = get(bucket, slot);
        if (fingerprint != EMPTY && find(bucket, fingerprint) == slot) {
          long other = partner(bucket, fingerprint);
          pairs += bucket < other || matches(other, fingerprint) == 0 ? 1 : 0;
        }
      }
    }
    return 2.0 * pairs / buckets / fingerprints;
  }

  /** Returns the fingerprint of a key; never zero, which marks an empty slot. */
  int fingerprint(long hash) {
    return (int) (1 + Mixing.reduce(Mixing.draw(hash, 1), fingerprints));
  }

  long bucket(long hash) {
    return Mixing.reduce(hash, buckets);
  }

  /** Returns the other bucket of a fingerprint that may be in {@code bucket}. */
  long partner(long bucket, int fingerprint) {
    long value = Integer.toUnsignedLong(fingerprint);
    long even = (value << (Long.SIZE - width)) | (Mixing.draw(value, 1) >>> width);
    long difference = 2 * Mixing.reduce(even, buckets / 2) + 1 - bucket;
    return difference < 0 ? difference + buckets : difference;
  }

  private int get(long bucket, int slot) {
    return slots.get(bucket * SLOTS_PER_BUCKET + slot);
  }

  private boolean storeIn(long bucket, int fingerprint) {
    int slot = find(bucket, EMPTY);
    if (slot == NO_SLOT) {
      return false;
    }
    slots.set(bucket * SLOTS_PER_BUCKET + slot, fingerprint);
    return true;
  }

  private int find(long bucket, int fingerprint) {
    for (int start = 0; start < SLOTS_PER_BUCKET; start += together) {
      long matches = matches(bucket, start, fingerprint);
      if (matches != 0) {
        return start + Long.numberOfTrailingZeros(matches) / width;
      }
    }
    return NO_SLOT;
  }

  private int count(long bucket, int fingerprint) {
    int count = 0;
    for (int start = 0; start < SLOTS_PER_BUCKET; start += together) {
      count += Long.bitCount(matches(bucket, start, fingerprint));
    }
    return count;
  }

  private long matches(long bucket, int fingerprint) {
    long matches = matches(bucket, 0, fingerprint);
    return together == SLOTS_PER_BUCKET
        ? matches
        : matches | matches(bucket, together, fingerprint);
  }

  /** Returns the top bits of those slots, among several read together, that match. */
  private long matches(long bucket, int start, int fingerprint) {
    long low = tops - ones;
    long x =
        slots.getTogether(bucket * SLOTS_PER_BUCKET + start, together)
            ^ (Integer.toUnsignedLong(fingerprint) * ones);
    return ~(((x & low) + low) | x) & tops;
  }

  /** Where a search for room has been: as large as a search can become, and made for the first. */
  private final class Search {

    /** A bit for each bucket, or for several where there are many; those but one are passed by. */
    private long[] seen = {};

    private long[] reached = {};
    private int[] from = {};

    /** Stores a fingerprint where both of its buckets are full, or changes nothing. */
    boolean makeRoom(long first, long second, int fingerprint) {
      if (reached.length == 0) {
        seen = new long[MARKS / Long.SIZE];
        reached = new long[MAX_REACHED];
        from = new int[MAX_REACHED];
      }
      Arrays.fill(seen, 0);
      mark(first);
      mark(second);
      reached[0] = first;
      reached[1] = second;
      int count = 2;
      for (int next = 0; next < count; next++) {
        for (int slot = 0; slot < SLOTS_PER_BUCKET; slot++) {
          int displaced = get(reached[next], slot);
          long target = partner(reached[next], displaced);
          if (storeIn(target, displaced)) {
            fillBackwards(next, slot, fingerprint);
            return true;
          }
          if (count < MAX_REACHED && mark(target)) {
            reached[count] = target;
            from[count] = next * SLOTS_PER_BUCKET + slot;
            count++;
          }
        }
      }
      return false;
    }

    private boolean mark(long bucket) {
      int word = (int) (bucket >>> 6) & (seen.length - 1);
      long before = seen[word];
      seen[word] |= 1L << bucket;
      return seen[word] != before;
    }

    /**
     * Moves along the path: each slot takes its predecessor's fingerprint, the first the new one.
     */
    private void fillBackwards(int last, int lastSlot, int fingerprint) {
      int at = last;
      int slot = lastSlot;
      while (at > 1) {
        int before = from[at] / SLOTS_PER_BUCKET;
        int slotBefore = from[at] % SLOTS_PER_BUCKET;
        beforeChange();
        slots.set(reached[at] * SLOTS_PER_BUCKET + slot, get(reached[before], slotBefore));
        at = before;
        slot = slotBefore;
      }
      beforeChange();
      slots.set(reached[at] * SLOTS_PER_BUCKET + slot, fingerprint);
    }
  }
}
