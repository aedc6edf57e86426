package dev.tamis.sizing;

/**
 * The shape of a binary fuse filter: how many slots it has and where a key's slots may be.
 *
 * <p>A shard is a row of segments. A key has one slot in each of {@code arity} segments that follow
 * one another, and begins in one of the first {@code segmentCount}, so that a shard has {@code
 * segmentCount + arity − 1} of them.
 *
 * @param arity the slots of a key: 3, or 4, which takes 5 % fewer slots and is slower
 * @param segmentLength the slots of a segment; a power of two from 1 to 2^18
 * @param segmentCount the segments a key may begin in; at least 1, and the shard must have at most
 *     {@link #MAX_SHARD_SLOTS}
 * @param shards how many there are, all alike; a power of two from 1 to {@link #MAX_SHARDS}
 * @see <a href="https://doi.org/10.1145/3510449">Graf, Lemire 2022, Binary fuse filters: fast and
 *     smaller than xor filters</a>
 */
public record FuseSizing(int arity, int segmentLength, int segmentCount, int shards) {

  /*
   * The formulas for one shard are the paper's, with the constants of its authors' implementation:
   * segments as long as possible without making construction fail, and slots that reach 1.125 and
   * 1.075 a key at a million keys. Below that they are more, because a short row peels only with
   * more room.
   *
   * A shard has 2^21 to 2^22 keys where there are that many. Fewer would be built from less memory,
   * but whole segments and the fullest shard's share for all of them would add more than 1 % to the
   * slots; more would only need more memory.
   */

  /** The most slots a shard has, so that an int can number them. */
  public static final int MAX_SHARD_SLOTS = Integer.MAX_VALUE - (1 << 18) + 1;

  /** The most keys a shard is made for. */
  public static final int MAX_SHARD_KEYS = 1 << 30;

  /** The most shards a filter has: those of 2^41 keys, whose hashes alone take 16 TiB. */
  public static final int MAX_SHARDS = 1 << 20;

  /** The most bits of a fingerprint. */
  public static final int MAX_FINGERPRINT_BITS = Integer.SIZE;

  /** The least keys of a shard where there is more than one. */
  public static final long MIN_SHARD_KEYS = 1L << 21;

  private static final int MAX_SEGMENT_LENGTH = 1 << 18;

  private static final int ENLARGEMENT_SHIFT = 4;

  /** Checks the ranges. */
  public FuseSizing {
    requireArity(arity);
    requireSegmentLength(segmentLength);
    int most = MAX_SHARD_SLOTS / segmentLength - (arity - 1);
    Checks.range("segments of " + segmentLength, segmentCount, 1, most);
    requireShards(shards);
  }

  /**
   * Returns the shape for well mixed hashes. A filter of real keys with more than one shard differs
   * by a few parts in a thousand, because its fullest shard decides.
   *
   * @throws IllegalArgumentException if keys or arity is out of range
   */
  public static FuseSizing forKeys(long keys, int arity) {
    int shards = shards(keys);
    double mean = (double) keys / shards;
    // the expected maximum of the loads, which are normal about their mean
    double fullest = mean + Math.sqrt(2 * Math.log(shards) * mean);
    return forFullestShard((long) Math.ceil(fullest), arity, shards);
  }

  /**
   * Returns the shape of shards whose fullest has {@code keys}.
   *
   * <p>For one shard that is segment length 2^⌊ln n / ln 3.33 + 2.25⌋ and n · max(1.125, 0.875 +
   * 0.25 · ln 10^6 / ln n) slots for arity 3, and 2^⌊ln n / ln 2.91 − 0.5⌋ and n · max(1.075, 0.77
   * + 0.305 · ln(6 · 10^5) / ln n) for arity 4, in whole segments.
   *
   * @param keys n, distinct keys; at least 0
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static FuseSizing forFullestShard(long keys, int arity, int shards) {
    requireArity(arity);
    Checks.range("keys of a shard", keys, 0, MAX_SHARD_KEYS);
    double logKeys = Math.log((double) Math.max(1, keys));
    int exponent =
        (int)
            Math.floor(
                arity == 3 ? logKeys / Math.log(3.33) + 2.25 : logKeys / Math.log(2.91) - 0.5);
    int segmentLength = (int) Math.min(MAX_SEGMENT_LENGTH, 1L << Math.max(0, exponent));
    long slots = keys < 2 ? 0 : Math.round(keys * slotsPerKey(logKeys, arity));
    long segments = (slots + segmentLength - 1) / segmentLength;
    return new FuseSizing(arity, segmentLength, (int) Math.max(1, segments - (arity - 1)), shards);
  }

  private static double slotsPerKey(double logKeys, int arity) {
    return arity == 3
        ? Math.max(1.125, 0.875 + 0.25 * Math.log(1e6) / logKeys)
        : Math.max(1.075, 0.77 + 0.305 * Math.log(6e5) / logKeys);
  }

  /** Returns the number of shards for {@code keys}: one up to twice {@link #MIN_SHARD_KEYS}. */
  public static int shards(long keys) {
    Checks.atLeast("keys", keys, 0);
    long shards = Long.highestOneBit(Math.max(1, keys / MIN_SHARD_KEYS));
    return (int) Math.min(MAX_SHARDS, shards);
  }

  /** Returns the bits of a fingerprint, f = ⌈log2(1/p)⌉, for an fpp p from 2^−32 to below 1. */
  public static int fingerprintBits(double fpp) {
    Checks.fpp(fpp);
    int bits = -Math.getExponent(fpp); // the exponent is ⌊log2 p⌋
    if (bits > MAX_FINGERPRINT_BITS) {
      throw new IllegalArgumentException(
          "fpp must be at least 2^-32 (2.33e-10), got " + FppText.exact(fpp));
    }
    return bits;
  }

  /** Returns a shape with a sixteenth more segments, at least one more. */
  public FuseSizing enlarged() {
    int more = Math.max(1, (segmentCount + arity - 1) >>> ENLARGEMENT_SHIFT);
    return new FuseSizing(arity, segmentLength, segmentCount + more, shards);
  }

  /** Returns the slots of a shard. */
  public int shardSlots() {
    return (segmentCount + arity - 1) * segmentLength;
  }

  /** Returns the slots of all shards. */
  public long slots() {
    return (long) shards * shardSlots();
  }

  /** Returns {@code arity}, if it is 3 or 4. */
  public static int requireArity(int arity) {
    if (arity != 3 && arity != 4) {
      throw new IllegalArgumentException("arity must be 3 or 4, got " + arity);
    }
    return arity;
  }

  /** Returns {@code segmentLength}, if it is a power of two from 1 to 2^18. */
  public static int requireSegmentLength(int segmentLength) {
    return requirePowerOfTwo("segment length", segmentLength, MAX_SEGMENT_LENGTH);
  }

  /** Returns {@code shards}, if allowed. */
  public static int requireShards(int shards) {
    return requirePowerOfTwo("shards", shards, MAX_SHARDS);
  }

  private static int requirePowerOfTwo(String name, int number, int most) {
    if (number < 1 || number > most || Integer.bitCount(number) != 1) {
      throw new IllegalArgumentException(
          name + " must be a power of two from 1 to " + most + ", got " + number);
    }
    return number;
  }
}
