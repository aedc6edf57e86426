package dev.tamis.redis;

import dev.tamis.HashedMutableFilter;
import dev.tamis.Keys;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import java.time.Duration;

/**
 * The filters of these tests, what is put into them, and filters in memory to compare them with.
 */
final class TestFilters {

  private TestFilters() {}

  static RedisBloomFilterBuilder<Long> builder(RedisLink link, String name, long keys, double fpp) {
    return RedisBloomFilter.<Long>builder(link, name, KeyHasher.longs())
        .expectedKeys(keys)
        .fpp(fpp);
  }

  static RedisWindowedBloomFilterBuilder<Long> window(
      RedisLink link, String name, Duration window, long keys, double fpp) {
    return RedisWindowedBloomFilter.<Long>builder(link, name, KeyHasher.longs())
        .window(window)
        .expectedKeys(keys)
        .fpp(fpp);
  }

  static RedisBloomFilter<Long> open(RedisLink link, String name) {
    return RedisBloomFilter.open(link, name, KeyHasher.longs());
  }

  static RedisWindowedBloomFilter<Long> openWindow(RedisLink link, String name) {
    return RedisWindowedBloomFilter.open(link, name, KeyHasher.longs());
  }

  /** Returns an empty filter with the parameters of another, so that both may be merged. */
  static BloomFilter<Long> like(RedisBloomFilter<Long> filter) {
    return BloomFilter.<Long>builder(KeyHasher.longs())
        .layout(filter.shape().layout())
        .hashes(filter.shape().hashes())
        .expectedKeys(filter.expectedKeys())
        .fpp(filter.fpp())
        .build();
  }

  /** Puts the first keys of a stream, and returns their hashes. */
  static long[] fill(HashedMutableFilter<Long> filter, long stream, int count) {
    long[] hashes = Keys.hashes(stream, count).toArray();
    put(filter, hashes);
    return hashes;
  }

  static boolean[] put(HashedMutableFilter<Long> filter, long... hashes) {
    boolean[] isNew = new boolean[hashes.length];
    filter.putHashes(hashes, hashes.length, isNew);
    return isNew;
  }

  static boolean[] query(HashedMutableFilter<Long> filter, long... hashes) {
    boolean[] answers = new boolean[hashes.length];
    filter.mightContainHashes(hashes, hashes.length, answers);
    return answers;
  }
}
