package dev.tamis.bench.peers;

import org.apache.spark.util.sketch.BloomFilter;

/** The Bloom filter of Spark's sketch module. */
record SparkPeer(BloomFilter filter) implements TakesLongs, TakesText {

  static SparkPeer of(int keys) {
    return new SparkPeer(BloomFilter.create(keys, Contender.FPP));
  }

  @Override
  public void put(long key) {
    boolean unused = filter.putLong(key);
  }

  @Override
  public boolean ask(long key) {
    return filter.mightContainLong(key);
  }

  @Override
  public void put(String key) {
    boolean unused = filter.putString(key);
  }

  @Override
  public boolean ask(String key) {
    return filter.mightContainString(key);
  }

  @Override
  public long bits() {
    return filter.bitSize();
  }
}
