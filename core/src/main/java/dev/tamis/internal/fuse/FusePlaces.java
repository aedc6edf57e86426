package dev.tamis.internal.fuse;

import dev.tamis.internal.bits.Mixing;
import dev.tamis.sizing.FuseSizing;

/** Where the slots of a key are in a binary fuse filter, and what they must add up to. */
final class FusePlaces {

  /*
   * The highest bits of a hash choose its shard, and the shard's seed turns the hash into a mixed
   * one, from which all else follows: its high bits say where the first slot is, a field from the
   * lowest bits up says where in its segment each of the others does, and its product with an odd
   * constant has the fingerprint at the top, so that all of its bits count there. Mixing is one to
   * one: different hashes stay different under every seed.
   */

  private final int shardShift;
  private final long shardSlots;
  private final long starts;
  private final int segmentLength;
  private final int segmentBits;
  private final int segmentMask;
  private final int fingerprintShift;

  /** Derives the places from a shape and the bits of a slot, 1 to 32. */
  FusePlaces(FuseSizing sizing, int fingerprintBits) {
    this.shardShift = Long.SIZE - 1 - Integer.numberOfTrailingZeros(sizing.shards());
    this.shardSlots = sizing.shardSlots();
    this.segmentLength = sizing.segmentLength();
    this.starts = (long) sizing.segmentCount() * segmentLength;
    this.segmentBits = Integer.numberOfTrailingZeros(segmentLength);
    this.segmentMask = segmentLength - 1;
    this.fingerprintShift = Long.SIZE - fingerprintBits;
  }

  int shard(long hash) {
    return (int) (hash >>> 1 >>> shardShift); // in two steps, because one shard shifts by 64
  }

  long base(int shard) {
    return shard * shardSlots;
  }

  static long mix(long hash, byte seed) {
    return Mixing.draw(hash, Byte.toUnsignedInt(seed));
  }

  /** Returns the first slot of a mixed hash, counted from the first of its shard. */
  long first(long mixed) {
    return Mixing.reduce(mixed, starts);
  }

  /**
   * Returns slot {@code index}, from 1, of a mixed hash whose first slot is {@code first}, counted
   * from the first of its shard or of all.
   */
  long other(long first, long mixed, int index) {
    return (first + (long) index * segmentLength)
        ^ (mixed >>> ((index - 1) * segmentBits) & segmentMask);
  }

  /** Returns the exclusive or of the slots of a mixed hash that is in the filter. */
  int fingerprint(long mixed) {
    return (int) ((mixed * Mixing.GOLDEN) >>> fingerprintShift);
  }
}
