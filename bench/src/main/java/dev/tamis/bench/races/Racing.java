package dev.tamis.bench.races;

import dev.tamis.KeyHasher;
import dev.tamis.filter.BloomFilter;
import dev.tamis.sizing.Layout;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Makes the small concurrent filters that the races are run on. */
final class Racing {

  /** One for each way of placing bits; so small that any two keys share some. */
  private static final List<BloomFilter<Long>> EMPTY =
      List.of(
          filter(Layout.CLASSIC, 64, 8),
          filter(Layout.PARTITIONED, 64, 8),
          filter(Layout.LINE, 512, 12),
          filter(Layout.SPLIT, 512, 8),
          filter(Layout.SPLIT, 512, 16),
          filter(Layout.TWO_LINES, 1024, 16));

  /** The hash of a key. */
  static final long FIRST = 0x0123_4567_89AB_CDEFL;

  /** The hash of another key. */
  static final long SECOND = 0xFEDC_BA98_7654_3210L;

  private Racing() {}

  /** Returns an empty filter of one of the layouts. */
  static BloomFilter<Long> filter() {
    return EMPTY.get(ThreadLocalRandom.current().nextInt(EMPTY.size())).copy();
  }

  private static BloomFilter<Long> filter(Layout layout, long bits, int hashes) {
    return BloomFilter.<Long>builder(KeyHasher.longs())
        .layout(layout)
        .bits(bits)
        .hashes(hashes)
        .concurrent()
        .build();
  }
}
