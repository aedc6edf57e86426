package dev.tamis.flink;

import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import org.jspecify.annotations.Nullable;

/** What {@link BuildFunction} has built so far; public for Flink alone. */
public final class BuildAccumulator {

  /** Keys of SQL are hashed by their own types, and put by their hashes. */
  static final KeyHasher<Object> NO_HASHER = SqlKeys::hash;

  private @Nullable BloomFilter<Object> filter;
  private String keyType = "";

  /** Starts without a filter. */
  public BuildAccumulator() {}

  @Nullable BloomFilter<Object> filter() {
    return filter;
  }

  /** Returns the type of the keys, as a file states it; empty without a filter. */
  String keyType() {
    return keyType;
  }

  void set(@Nullable BloomFilter<Object> filter, String keyType) {
    this.filter = filter;
    this.keyType = keyType;
  }
}
