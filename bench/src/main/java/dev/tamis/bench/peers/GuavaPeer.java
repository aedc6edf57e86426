package dev.tamis.bench.peers;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;

/** Guava's Bloom filter. */
final class GuavaPeer {

  private static final long HEADER_BYTES = 6;

  private GuavaPeer() {}

  static TakesLongs longs(int keys) {
    return new Longs(BloomFilter.create(Funnels.longFunnel(), keys, Contender.FPP));
  }

  static TakesLongs rare(int keys) {
    return new Longs(BloomFilter.create(Funnels.longFunnel(), keys, Contender.RARE_FPP));
  }

  static TakesText text(int keys) {
    return new Text(BloomFilter.create(Funnels.stringFunnel(UTF_8), keys, Contender.FPP));
  }

  /** Guava tells its size only as that of its bytes, before which there is a header. */
  private static long bits(BloomFilter<?> filter) {
    return (filter.serializedSize() - HEADER_BYTES) * Byte.SIZE;
  }

  private record Longs(BloomFilter<Long> filter) implements TakesLongs {
    @Override
    public void put(long key) {
      boolean unused = filter.put(key);
    }

    @Override
    public boolean ask(long key) {
      return filter.mightContain(key);
    }

    @Override
    public long bits() {
      return GuavaPeer.bits(filter);
    }
  }

  private record Text(BloomFilter<CharSequence> filter) implements TakesText {
    @Override
    public void put(String key) {
      boolean unused = filter.put(key);
    }

    @Override
    public boolean ask(String key) {
      return filter.mightContain(key);
    }

    @Override
    public long bits() {
      return GuavaPeer.bits(filter);
    }
  }
}
