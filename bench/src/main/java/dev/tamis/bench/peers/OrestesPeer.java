package dev.tamis.bench.peers;

import orestes.bloomfilter.BloomFilter;
import orestes.bloomfilter.FilterBuilder;

/** Orestes' Bloom filter in memory; a long goes in as its decimal digits. */
record OrestesPeer(BloomFilter<Object> filter) implements TakesLongs, TakesText {

  static OrestesPeer of(int keys) {
    return new OrestesPeer(new FilterBuilder(keys, Contender.FPP).buildBloomFilter());
  }

  @Override
  public void put(long key) {
    boolean unused = filter.add(key);
  }

  @Override
  public boolean ask(long key) {
    return filter.contains(key);
  }

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
