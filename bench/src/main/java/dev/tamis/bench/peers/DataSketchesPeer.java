package dev.tamis.bench.peers;

import org.apache.datasketches.filters.bloomfilter.BloomFilter;
import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;

/** The Bloom filter of Apache DataSketches. */
record DataSketchesPeer(BloomFilter filter) implements TakesLongs, TakesText {

  private static final long SEED = 1;

  static DataSketchesPeer of(int keys) {
    return new DataSketchesPeer(BloomFilterBuilder.createByAccuracy(keys, Contender.FPP, SEED));
  }

  @Override
  public void put(long key) {
    filter.update(key);
  }

  @Override
  public boolean ask(long key) {
    return filter.query(key);
  }

  @Override
  public void put(String key) {
    filter.update(key);
  }

  @Override
  public boolean ask(String key) {
    return filter.query(key);
  }

  @Override
  public long bits() {
    return filter.getCapacity();
  }
}
