package dev.tamis.bench.races;

import dev.tamis.HashedMutableFilter;
import dev.tamis.filter.BloomBuilder;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Makes the small filters that the races are run on. */
final class Racing {

  /** One for each way of placing bits; so small that any two keys share some. */
  private static final List<Small> SMALL =
      List.of(
          new Small(Layout.CLASSIC, 64, 8),
          new Small(Layout.PARTITIONED, 64, 8),
          new Small(Layout.LINE, 512, 12),
          new Small(Layout.SPLIT, 512, 8),
          new Small(Layout.SPLIT, 512, 16),
          new Small(Layout.SPLIT_PAIR, 1024, 16));

  private static final List<BloomFilter<Long>> EMPTY =
      SMALL.stream()
          .map(small -> small.set(BloomFilter.<Long>builder(KeyHasher.longs())).build())
          .toList();

  /** One for each layout, in which a few keys share hardly any bits. */
  private static final List<BloomFilter<Long>> ROOMY =
      Stream.of(Layout.values())
          .map(
              layout ->
                  BloomFilter.<Long>builder(KeyHasher.longs())
                      .expectedKeys(500)
                      .fpp(1e-6)
                      .layout(layout)
                      .build())
          .toList();

  private static final List<BloomFilter<Long>> FOR_ONE_KEY =
      Stream.of(Layout.values())
          .map(
              layout ->
                  BloomFilter.<Long>builder(KeyHasher.longs())
                      .expectedKeys(1)
                      .fpp(0.001)
                      .layout(layout)
                      .refuseWhenFull()
                      .build())
          .toList();

  private static final List<CountingBloomFilter<Long>> COUNTING =
      SMALL.stream()
          .map(small -> small.set(CountingBloomFilter.<Long>builder(KeyHasher.longs())).build())
          .toList();

  /** One for each layout; the first stage is full. */
  private static final List<ScalableBloomFilter<Long>> FULL =
      Stream.of(Layout.values()).map(Racing::full).toList();

  /** The hash of a key. */
  static final long FIRST = 0x0123_4567_89AB_CDEFL;

  /** The hash of another key. */
  static final long SECOND = 0xFEDC_BA98_7654_3210L;

  /** The hash of a key that is in the filter before the race. */
  static final long EARLIER = 0x9E37_79B9_7F4A_7C15L;

  private Racing() {}

  /** Returns a filter of one of the layouts, with the keys of these hashes put. */
  static BloomFilter<Long> filter(long... hashes) {
    return put(any(EMPTY).copy(), hashes);
  }

  /** Returns a filter of the same shape, with the keys of these hashes put. */
  static BloomFilter<Long> likeWith(BloomFilter<Long> filter, long... hashes) {
    BloomFilter<Long> other = filter.copy();
    other.clear();
    return put(other, hashes);
  }

  /** Returns an empty filter of one of the layouts with room for hundreds of keys. */
  static BloomFilter<Long> roomy() {
    return any(ROOMY).copy();
  }

  /** Returns the hashes of {@code count} keys that differ from those of any other {@code start}. */
  static long[] hashes(int start, int count) {
    return LongStream.range(start, start + count).map(HashFunction.xxh3(0)::hashLong).toArray();
  }

  /** Returns an empty filter of one of the layouts that takes one key. */
  static BloomFilter<Long> forOneKey() {
    return any(FOR_ONE_KEY).copy();
  }

  /** Returns an empty counting filter of one of the layouts, with the keys of these hashes put. */
  static CountingBloomFilter<Long> counting(long... hashes) {
    return put(any(COUNTING).copy(), hashes);
  }

  /** Returns whether the counters are what the keys of these hashes give, put one by one. */
  static boolean hasCountsOf(CountingBloomFilter<Long> filter, long... hashes) {
    CountingBloomFilter<Long> expected = filter.copy();
    expected.clear();
    return filter.equals(put(expected, hashes));
  }

  /** Returns a filter of one of the layouts that has {@link #EARLIER} in it and must grow. */
  static ScalableBloomFilter<Long> growing() {
    return any(FULL).copy();
  }

  private static <F> F any(List<F> filters) {
    return filters.get(ThreadLocalRandom.current().nextInt(filters.size()));
  }

  private static <F extends HashedMutableFilter<Long>> F put(F filter, long... hashes) {
    for (long hash : hashes) {
      boolean unused = filter.putHash(hash);
    }
    return filter;
  }

  private static ScalableBloomFilter<Long> full(Layout layout) {
    ScalableBloomFilter<Long> filter =
        ScalableBloomFilter.<Long>builder(KeyHasher.longs())
            .initialKeys(1)
            .fpp(0.01)
            .layout(layout)
            .build();
    boolean unused = filter.putHash(EARLIER);
    return filter;
  }

  /** The shape of a filter. */
  private record Small(Layout layout, long bits, int hashes) {
    <B extends BloomBuilder<Long, B>> B set(B builder) {
      return builder.layout(layout).bits(bits).hashes(hashes);
    }
  }
}
