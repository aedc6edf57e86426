package dev.tamis.bench;

import dev.tamis.HashedFilter;
import dev.tamis.HashedMutableFilter;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.filter.CuckooFilter;
import dev.tamis.filter.FuseFilter;
import dev.tamis.filter.RibbonFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.filter.StaticFilterBuilder;
import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.util.Locale;
import java.util.function.LongSupplier;

/** A filter of the family as the measurements name and make it. */
public enum Member {
  /** A Bloom filter in the classic layout, with which the others are compared. */
  CLASSIC,

  /** A Bloom filter with the bits of a key in one cache line. */
  LINE,

  /** A Bloom filter with one bit of a key in each word of a block. */
  SPLIT,

  /** A Bloom filter with one bit of a key in each word of two cache lines. */
  SPLIT_PAIR,

  /** A Bloom filter in its default layout. */
  DEFAULT,

  /** A counting Bloom filter with counters of 4 bits. */
  COUNTING,

  /** A cuckoo filter. */
  CUCKOO,

  /** A scalable filter that grows 1000-fold on its way to the keys it is made for. */
  SCALABLE,

  /** A windowed filter that remembers as many puts as it is made for keys. */
  WINDOWED,

  /** A fuse filter that looks at three slots. */
  FUSE,

  /** A fuse filter that looks at four slots. */
  FUSE4,

  /** A ribbon filter. */
  RIBBON;

  private static final int GROWTH = 1_000;

  /** Returns the member that is called so on the command line and in tables. */
  public static Member named(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** Returns its name on the command line and in tables. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns whether all keys must be there when it is built. */
  public boolean isStatic() {
    return this == FUSE || this == FUSE4 || this == RIBBON;
  }

  /**
   * Returns an empty filter.
   *
   * @throws IllegalArgumentException if this one is static
   */
  public HashedMutableFilter<Long> empty(long keys, double fpp) {
    KeyHasher<Long> hasher = KeyHasher.longs();
    return switch (this) {
      case CLASSIC -> bloom(Layout.CLASSIC, keys, fpp);
      case LINE -> bloom(Layout.LINE, keys, fpp);
      case SPLIT -> bloom(Layout.SPLIT, keys, fpp);
      case SPLIT_PAIR -> bloom(Layout.SPLIT_PAIR, keys, fpp);
      case DEFAULT -> BloomFilter.create(hasher, keys, fpp);
      case COUNTING -> CountingBloomFilter.create(hasher, keys, fpp);
      case CUCKOO -> CuckooFilter.create(hasher, keys, fpp);
      case SCALABLE -> ScalableBloomFilter.create(hasher, Math.max(1, keys / GROWTH), fpp);
      case WINDOWED -> WindowedBloomFilter.<Long>builder(hasher).window(keys).fpp(fpp).build();
      case FUSE, FUSE4, RIBBON ->
          throw new IllegalArgumentException(label() + " is static: it takes no put and no remove");
    };
  }

  private static BloomFilter<Long> bloom(Layout layout, long keys, double fpp) {
    return BloomFilter.<Long>builder(KeyHasher.longs())
        .expectedKeys(keys)
        .fpp(fpp)
        .layout(layout)
        .build();
  }

  /**
   * Starts a static filter.
   *
   * @throws IllegalArgumentException if this one is not static
   */
  public StaticFilterBuilder<Long, ?, ?> builder(double fpp) {
    KeyHasher<Long> hasher = KeyHasher.longs();
    return switch (this) {
      case FUSE -> FuseFilter.<Long>builder(hasher).fpp(fpp);
      case FUSE4 -> FuseFilter.<Long>builder(hasher).fpp(fpp).arity(4);
      case RIBBON -> RibbonFilter.<Long>builder(hasher).fpp(fpp);
      default -> throw new IllegalArgumentException(label() + " is not static");
    };
  }

  /** Returns a filter of the {@code keys} keys whose hashes come next. */
  public HashedFilter<Long> full(long keys, double fpp, LongSupplier hashes) {
    if (isStatic()) {
      StaticFilterBuilder<Long, ?, ?> builder = builder(fpp);
      for (long i = 0; i < keys; i++) {
        builder.putHash(hashes.getAsLong());
      }
      return builder.build();
    }
    HashedMutableFilter<Long> filter = empty(keys, fpp);
    for (long i = 0; i < keys; i++) {
      boolean unused = filter.putHash(hashes.getAsLong());
    }
    return filter;
  }
}
