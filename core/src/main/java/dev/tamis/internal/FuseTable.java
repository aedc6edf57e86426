package dev.tamis.internal;

import dev.tamis.sizing.FuseSizing;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a binary fuse filter: the exclusive or of a key's slots is its fingerprint.
 *
 * <p>Safe for any number of threads once it is built.
 */
public final class FuseTable {

  /*
   * The highest bits of a hash choose its shard, and the shard's seed turns the hash into a mixed
   * one, from which all else follows: its high bits say where the first slot lies, a field from the
   * lowest bits up says where in its segment each of the others does, and its product with an odd
   * constant has the fingerprint at the top, so that all of its bits count there. Mixing is one to
   * one: different hashes stay different under every seed.
   */

  /**
   * The seeds tried before the shards are enlarged; at 10 keys and arity 4 a third of them fail.
   */
  private static final int MAX_SEEDS = 64;

  private final FuseSizing sizing;
  private final byte[] seeds;
  private final PackedSlots slots;

  // of the sizing, at hand for the hot path
  private final int arity;
  private final int shardShift;
  private final long shardSlots;
  private final long starts;
  private final int segmentLength;
  private final int segmentBits;
  private final int segmentMask;
  private final int fingerprintShift;

  /**
   * Creates a table of zeros.
   *
   * @param fingerprintBits f, the bits of a slot, 1 to 32
   * @throws IllegalArgumentException if the slots are too many for an array, or for the heap
   */
  public FuseTable(FuseSizing sizing, int fingerprintBits) {
    this.sizing = sizing;
    this.slots = new PackedSlots(sizing.slots(), fingerprintBits);
    this.seeds = new byte[sizing.shards()];
    this.arity = sizing.arity();
    this.shardShift = Long.SIZE - 1 - Integer.numberOfTrailingZeros(sizing.shards());
    this.shardSlots = sizing.shardSlots();
    this.segmentLength = sizing.segmentLength();
    this.starts = (long) sizing.segmentCount() * segmentLength;
    this.segmentBits = Integer.numberOfTrailingZeros(segmentLength);
    this.segmentMask = segmentLength - 1;
    this.fingerprintShift = Long.SIZE - fingerprintBits;
  }

  /**
   * Builds the table of some hashes. Takes 24 bytes for each of the fullest shard.
   *
   * @param hashes what the table is to hold; the fullest shard has at most {@link
   *     FuseSizing#MAX_SHARD_KEYS}
   * @param sizing the shape to begin with, which is enlarged until construction succeeds
   * @param fingerprintBits f, the bits of a slot, 1 to 32
   * @throws IllegalArgumentException if the slots are too many for an array, or for the heap
   */
  public static FuseTable build(SortedHashes hashes, FuseSizing sizing, int fingerprintBits) {
    long[] counts = hashes.counts(Integer.numberOfTrailingZeros(sizing.shards()));
    for (FuseSizing larger = sizing; ; larger = larger.enlarged()) {
      FuseTable table = new FuseTable(larger, fingerprintBits);
      if (table.fill(hashes, counts)) {
        return table;
      }
    }
  }

  private boolean fill(SortedHashes hashes, long[] counts) {
    FusePeeling peeling = new FusePeeling(this, (int) Arrays.stream(counts).max().orElse(0));
    SortedHashes.Reader reader = hashes.reader();
    for (int shard = 0; shard < counts.length; shard++) {
      int count = (int) counts[shard];
      int seed = 0;
      while (!peeling.peel(reader, count, (byte) seed)) {
        if (++seed == MAX_SEEDS) {
          return false;
        }
      }
      fill(shard, (byte) seed, peeling.order(), peeling.own(), count);
      reader.skip(count);
    }
    return true;
  }

  /** Returns whether the slots of a hash give its fingerprint. */
  public boolean mightContain(long hash) {
    int shard = (int) (hash >>> 1 >>> shardShift); // in two steps, because one shard shifts by 64
    long mixed = mix(hash, seeds[shard]);
    long first = shard * shardSlots + Mixing.reduce(mixed, starts);
    long second = (first + segmentLength) ^ (mixed & segmentMask);
    long third = (first + 2L * segmentLength) ^ (mixed >>> segmentBits & segmentMask);
    int found = slots.get(first) ^ slots.get(second) ^ slots.get(third);
    if (arity == 4) {
      found ^=
          slots.get((first + 3L * segmentLength) ^ (mixed >>> (2 * segmentBits) & segmentMask));
    }
    return found == fingerprint(mixed);
  }

  /** Returns what a seed makes of a hash. */
  static long mix(long hash, byte seed) {
    return Mixing.draw(hash, Byte.toUnsignedInt(seed));
  }

  /** Returns a slot of a mixed hash, counted from the first of its shard. */
  int slot(long mixed, int index) {
    int first = (int) Mixing.reduce(mixed, starts);
    return index == 0
        ? first
        : (first + index * segmentLength)
            ^ ((int) (mixed >>> ((index - 1) * segmentBits)) & segmentMask);
  }

  private int fingerprint(long mixed) {
    return (int) ((mixed * Mixing.GOLDEN) >>> fingerprintShift);
  }

  /**
   * Fills a shard of zeros.
   *
   * @param seed the shard's seed, which the order was found with
   * @param order the mixed hashes of the shard: a slot of each is no slot of any after it
   * @param own which of its slots that is
   */
  void fill(int shard, byte seed, long[] order, byte[] own, int count) {
    long base = shard * shardSlots;
    seeds[shard] = seed;
    for (int i = count - 1; i >= 0; i--) {
      long mixed = order[i];
      int value = fingerprint(mixed);
      for (int index = 0; index < arity; index++) {
        value ^= slots.get(base + slot(mixed, index)); // its own is zero still
      }
      slots.set(base + slot(mixed, own[i]), value);
    }
  }

  /** Returns the shape. */
  public FuseSizing sizing() {
    return sizing;
  }

  /** Returns the seeds of the shards, for reading and writing them whole. */
  public byte[] seeds() {
    return seeds;
  }

  /** Returns the slots of all shards, one shard after the other. */
  public PackedSlots slots() {
    return slots;
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof FuseTable other
        && sizing.equals(other.sizing)
        && slots.width() == other.slots.width()
        && Arrays.equals(seeds, other.seeds)
        && Arrays.equals(slots.words(), other.slots.words());
  }

  @Override
  public int hashCode() {
    return 31 * sizing.hashCode() + Arrays.hashCode(slots.words());
  }
}
