package dev.tamis.examples.figures;

import dev.tamis.filter.BitPositions;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.util.List;
import java.util.stream.IntStream;

/** The filter of 64 bits that the documents show bit by bit: three fruits, three bits each. */
public final class TinyFilter {

  /** What is in it. */
  public static final List<String> KEYS = List.of("apple", "banana", "cherry");

  /** Not in it, and it says so. */
  public static final String MISS = "grape";

  /** Not in it, but all of its bits are set. */
  public static final String FALSE_POSITIVE = "lemon";

  /** The least seed with which no two keys share a bit, and the two others answer as said above. */
  static final long SEED = 4235;

  private TinyFilter() {}

  /** Returns the filter, with its keys in it. */
  public static BloomFilter<String> filled() {
    BloomFilter<String> filter = empty();
    KEYS.forEach(filter::put);
    return filter;
  }

  /** Returns the filter before the first put. */
  static BloomFilter<String> empty() {
    return withSeed(SEED);
  }

  static BloomFilter<String> withSeed(long seed) {
    return BloomFilter.<String>builder(KeyHasher.text())
        .layout(Layout.CLASSIC)
        .bits(64)
        .hashes(3)
        .seed(seed)
        .build();
  }

  /** Returns the positions of a key's bits, in the order of the probes. */
  public static int[] positions(BloomFilter<String> filter, String key) {
    BitPositions positions = BitPositions.of(filter.shape());
    long hash = filter.hashOf(key);
    return IntStream.range(0, positions.count())
        .map(probe -> (int) positions.position(hash, probe))
        .toArray();
  }
}
