package dev.tamis.bench.peers;

import orestes.bloomfilter.BloomFilter;
import orestes.bloomfilter.FilterBuilder;

/** Orestes' Bloom filter in memory; a long goes in as its decimal digits. */
final class OrestesPeer {

  private OrestesPeer() {}

  static TakesLongs longs(int keys) {
    return new Longs(new FilterBuilder(keys, Contender.FPP).buildBloomFilter());
  }

  static TakesText text(int keys) {
    return new Text(new FilterBuilder(keys, Contender.FPP).buildBloomFilter());
  }

  private record Longs(BloomFilter<Long> filter) implements TakesLongs {
    @Override
    public void put(long key) {
      boolean unused = filter.add(key);
    }

    @Override
    public boolean ask(long key) {
      return filter.contains(key);
    }

    @Override
    public long bits() {
      return filter.getSize();
    }
  }

  private record Text(BloomFilter<String> filter) implements TakesText {
    @Override
    public void put(String key) {
      boolean unused = filter.add(key);
    }

    @Override
    public boolean ask(String key) {
      return filter.contains(key);
    }

    @Override
    public long bits() {
      return filter.getSize();
    }
  }
}
