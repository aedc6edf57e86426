package dev.tamis.flink;

import dev.tamis.filter.BloomFilter;
import org.jspecify.annotations.Nullable;

/** What {@link BuildFunction} has built so far; public for Flink alone. */
public final class BuildAccumulator {

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
