package dev.tamis.filter;

import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A kind of Bloom filter that every suite runs over.
 *
 * @param layout the layout, or null for the one that fits the fpp
 */
record BloomSpec(@Nullable Layout layout, boolean threadSafe) {

  /** Returns every layout and the choice by fpp, for one thread and for many. */
  static Stream<BloomSpec> all() {
    return Stream.concat(allSingleThreaded(), allThreadSafe());
  }

  static Stream<BloomSpec> allSingleThreaded() {
    return layouts().map(layout -> new BloomSpec(layout, false));
  }

  static Stream<BloomSpec> allThreadSafe() {
    return layouts().map(layout -> new BloomSpec(layout, true));
  }

  private static Stream<@Nullable Layout> layouts() {
    return Stream.concat(Stream.of((Layout) null), Arrays.stream(Layout.values()));
  }

  BloomFilter<Long> create(long expectedKeys, double fpp) {
    return builder().expectedKeys(expectedKeys).fpp(fpp).build();
  }

  BloomFilterBuilder<Long> builder() {
    BloomFilterBuilder<Long> builder = BloomFilter.builder(KeyHasher.longs());
    if (layout != null) {
      builder.layout(layout);
    }
    return threadSafe ? builder : builder.singleThreaded();
  }

  @Override
  public String toString() {
    return (layout == null ? "by fpp" : layout.label()) + (threadSafe ? "" : ", single-threaded");
  }
}
