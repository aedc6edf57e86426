package dev.tamis.filter;

import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.counters.Counters;
import dev.tamis.sizing.Sizing;

/**
 * Settings of a {@link CountingBloomFilter}.
 *
 * @param <T> the type of key
 */
public final class CountingBloomFilterBuilder<T>
    extends BloomBuilder<T, CountingBloomFilterBuilder<T>> {

  private int counterBits = CountingBloomFilter.DEFAULT_COUNTER_BITS;

  CountingBloomFilterBuilder(KeyHasher<? super T> hasher) {
    super(hasher);
  }

  /**
   * Sets w, the bits of a counter, 4 without: a counter that reached 2^w − 1 stays there.
   *
   * @param counterBits 2 to 16
   */
  public CountingBloomFilterBuilder<T> counterBits(int counterBits) {
    Counters.wordCount(1, counterBits);
    this.counterBits = counterBits;
    return this;
  }

  /**
   * Builds an empty filter.
   *
   * @throws IllegalStateException if settings are missing or contradict each other
   * @throws IllegalArgumentException if no such filter is possible, or the heap cannot hold it
   */
  public CountingBloomFilter<T> build() {
    Sizing sizing = sizing();
    Counters counters = new Counters(sizing.shape().bits(), counterBits);
    return new CountingBloomFilter<>(hashing(), sizing, isThreadSafe(), counters, tally(sizing));
  }
}
