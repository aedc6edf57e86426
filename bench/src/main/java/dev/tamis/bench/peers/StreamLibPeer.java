package dev.tamis.bench.peers;

import com.clearspring.analytics.stream.membership.BloomFilter;

/** The Bloom filter of stream-lib, which knows text and bytes only. */
record StreamLibPeer(BloomFilter filter) implements TakesText {

  static TakesText of(int keys) {
    return new StreamLibPeer(new BloomFilter(keys, Contender.FPP));
  }

  @Override
  public void put(String key) {
    filter.add(key);
  }

  @Override
  public boolean ask(String key) {
    return filter.isPresent(key);
  }

  @Override
  public long bits() {
    return filter.buckets();
  }
}
