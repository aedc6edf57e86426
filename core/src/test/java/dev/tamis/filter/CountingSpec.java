package dev.tamis.filter;

import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.util.Arrays;
import java.util.stream.Stream;

/** A kind of counting Bloom filter that every suite runs over. */
record CountingSpec(Layout layout, int counterBits, boolean threadSafe) {

  /** Returns every layout, and widths that fill a word and that do not, for one thread and many. */
  static Stream<CountingSpec> all() {
    return Stream.concat(plain(), shared());
  }

  static Stream<CountingSpec> plain() {
    return Stream.concat(
        Arrays.stream(Layout.values()).map(layout -> new CountingSpec(layout, 4, false)),
        Stream.of(
            new CountingSpec(Layout.SPLIT, 5, false),
            new CountingSpec(Layout.SPLIT_PAIR, 7, false),
            new CountingSpec(Layout.SPLIT, 16, false)));
  }

  static Stream<CountingSpec> shared() {
    return plain().map(spec -> new CountingSpec(spec.layout, spec.counterBits, true));
  }

  CountingBloomFilter<Long> create(long expectedKeys, double fpp) {
    return builder().expectedKeys(expectedKeys).fpp(fpp).build();
  }

  CountingBloomFilterBuilder<Long> builder() {
    CountingBloomFilterBuilder<Long> builder =
        CountingBloomFilter.<Long>builder(KeyHasher.longs())
            .layout(layout)
            .counterBits(counterBits);
    return threadSafe ? builder : builder.singleThreaded();
  }

  @Override
  public String toString() {
    return layout.label() + ", " + counterBits + " bits" + (threadSafe ? "" : ", single-threaded");
  }
}
