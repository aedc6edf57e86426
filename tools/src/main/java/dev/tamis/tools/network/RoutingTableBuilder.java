package dev.tamis.tools.network;

import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.filter.CountingBloomFilterBuilder;
import dev.tamis.hash.KeyHasher;

/**
 * Settings of a {@link RoutingTable}, the same at all nodes; expectedKeys and fpp are needed.
 *
 * @param <L> the type of a link's identity
 * @param <T> the type of key
 */
public final class RoutingTableBuilder<L, T> {

  /** The most hops: within so many every node of a network meets nearly all others. */
  public static final int MAX_HOPS = 8;

  /** The most bytes of a filter, so that a whole table fits one array with room to spare. */
  public static final long MAX_FILTER_BYTES = 1L << 27;

  private final KeyHasher<? super T> hasher;
  private final CountingBloomFilterBuilder<T> local;
  private int hops = 1;

  RoutingTableBuilder(KeyHasher<? super T> hasher) {
    this.hasher = hasher;
    this.local = CountingBloomFilter.builder(hasher);
  }

  /** Sets how many keys to expect at all nodes of one distance together; at least 1. */
  public RoutingTableBuilder<L, T> expectedKeys(long expectedKeys) {
    local.expectedKeys(expectedKeys);
    return this;
  }

  /** Sets the fpp of each filter when the expected keys are in; in (0, 1). */
  public RoutingTableBuilder<L, T> fpp(double fpp) {
    local.fpp(fpp);
    return this;
  }

  /** Sets how far a table sees, 1 to {@value #MAX_HOPS}; 1, the neighbours themselves, without. */
  public RoutingTableBuilder<L, T> hops(int hops) {
    if (hops < 1 || hops > MAX_HOPS) {
      throw new IllegalArgumentException("hops must be 1 to " + MAX_HOPS + ", got " + hops);
    }
    this.hops = hops;
    return this;
  }

  /**
   * Builds a table without links and keys.
   *
   * @throws IllegalStateException if a setting is missing
   * @throws IllegalArgumentException if a filter takes more than {@link #MAX_FILTER_BYTES}, or the
   *     heap cannot hold it
   */
  public RoutingTable<L, T> build() {
    CountingBloomFilter<T> filter = local.build();
    long bytes = filter.shape().bits() / Byte.SIZE;
    if (bytes > MAX_FILTER_BYTES) {
      throw new IllegalArgumentException(
          "a filter may take " + MAX_FILTER_BYTES + " bytes, but this one takes " + bytes);
    }
    return new RoutingTable<>(hasher, filter, hops);
  }
}
