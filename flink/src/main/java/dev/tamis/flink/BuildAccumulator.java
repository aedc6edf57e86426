package dev.tamis.flink;

import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import org.jspecify.annotations.Nullable;

/** What {@link BuildFunction} has built so far; public for Flink alone. */
public final class BuildAccumulator {

  /** Keys of SQL are hashed by their own types, and put by their hashes. */
  static final KeyHasher<Object> NO_HASHER =
      (key, function) -> SqlKeys.hash(TamisTable.BUILD, key, function);

  private @Nullable BloomFilter<Object> filter;

  /** Starts without a filter. */
  public BuildAccumulator() {}

  @Nullable BloomFilter<Object> filter() {
    return filter;
  }

  void set(@Nullable BloomFilter<Object> filter) {
    this.filter = filter;
  }
}
