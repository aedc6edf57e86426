package dev.tamis.redis;

import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;

/** Filters in memory for comparison with those on a server. */
final class InMemory {

  private InMemory() {}

  /** Returns an empty filter with the parameters of another, so that both may be merged. */
  static BloomFilter<Long> like(RedisBloomFilter<Long> filter) {
    return BloomFilter.<Long>builder(KeyHasher.longs())
        .layout(filter.shape().layout())
        .hashes(filter.shape().hashes())
        .expectedKeys(filter.expectedKeys())
        .fpp(filter.fpp())
        .build();
  }
}
