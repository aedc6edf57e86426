package dev.tamis.filter;

import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.fuse.FuseTable;
import dev.tamis.internal.hashes.SortedHashes;
import dev.tamis.sizing.FuseSizing;
import java.util.stream.LongStream;

/**
 * Collects the keys of a {@link FuseFilter} and builds it.
 *
 * <p>Needs 8.5 bytes per key while they are collected. Building takes the size of the filter, and
 * for each {@linkplain #threads thread} 24 bytes per key of a shard of up to 4.2 million keys. With
 * one thread a heap of 37 bytes per key suffices for a million keys, and 16 for ten million.
 *
 * @param <T> the type of key
 */
public final class FuseFilterBuilder<T>
    extends StaticFilterBuilder<T, FuseFilter<T>, FuseFilterBuilder<T>> {

  private static final int MIN_ARITY = 3;

  /** How much fuller than the others a shard may be: well mixed hashes stay below half of it. */
  private static final int SHARE_SHIFT = 6;

  private int arity = MIN_ARITY;

  FuseFilterBuilder(KeyHasher<? super T> hasher) {
    super(hasher);
  }

  /** Sets p, from 2^−32 to below 1; required. The filter has the next power of two below it. */
  @Override
  public FuseFilterBuilder<T> fpp(double fpp) {
    FuseSizing.fingerprintBits(fpp);
    return super.fpp(fpp);
  }

  /** Sets f, the bits of a fingerprint, 1 to 32: the same as an fpp of 2^−f. */
  public FuseFilterBuilder<T> fingerprintBits(int bits) {
    if (bits < 1 || bits > FuseSizing.MAX_FINGERPRINT_BITS) {
      throw new IllegalArgumentException(
          "fingerprint bits must be 1 to " + FuseSizing.MAX_FINGERPRINT_BITS + ", got " + bits);
    }
    return fpp(Math.scalb(1.0, -bits));
  }

  /**
   * Sets how many slots a key has: 3 (the default), or 4, which takes 5 % less memory and about
   * half more time.
   */
  public FuseFilterBuilder<T> arity(int arity) {
    this.arity = FuseSizing.requireArity(arity);
    return this;
  }

  /** {@inheritDoc} If none of 64 seeds works, the filter is made a sixteenth larger. */
  @Override
  public FuseFilter<T> build() {
    double fpp = fpp();
    SortedHashes hashes = hashes();
    int bits = FuseSizing.fingerprintBits(fpp);
    FuseTable table = FuseTable.build(hashes, sizing(hashes), bits, threads());
    return new FuseFilter<>(hashing(), fpp, hashes.count(), table);
  }

  /** Returns the shape for these hashes, with fewer shards where they are not evenly filled. */
  private FuseSizing sizing(SortedHashes hashes) {
    long keys = hashes.count();
    int shards = FuseSizing.shards(keys);
    long fullest = fullest(hashes, shards);
    while (shards > 1 && fullest * shards > keys + (keys >>> SHARE_SHIFT)) {
      shards /= 2;
      fullest = fullest(hashes, shards);
    }
    return FuseSizing.forFullestShard(fullest, arity, shards);
  }

  private static long fullest(SortedHashes hashes, int shards) {
    return LongStream.of(hashes.counts(Integer.numberOfTrailingZeros(shards))).max().orElse(0);
  }
}
