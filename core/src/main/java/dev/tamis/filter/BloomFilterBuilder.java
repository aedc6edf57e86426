package dev.tamis.filter;

import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Sizing;

/**
 * Settings of a {@link BloomFilter}.
 *
 * @param <T> the type of key
 */
public final class BloomFilterBuilder<T> extends BloomBuilder<T, BloomFilterBuilder<T>> {

  BloomFilterBuilder(KeyHasher<? super T> hasher) {
    super(hasher);
  }

  /**
   * Builds an empty filter.
   *
   * @throws IllegalStateException if settings are missing or contradict each other
   * @throws IllegalArgumentException if no such filter is possible, or the heap cannot hold it
   */
  public BloomFilter<T> build() {
    Sizing sizing = sizing();
    return new BloomFilter<>(hashing(), sizing, isThreadSafe(), tally(sizing));
  }
}
