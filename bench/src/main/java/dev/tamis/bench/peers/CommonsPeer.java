package dev.tamis.bench.peers;

import com.dynatrace.hash4j.hashing.HashFunnel;
import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;
import org.apache.commons.collections4.bloomfilter.EnhancedDoubleHasher;
import org.apache.commons.collections4.bloomfilter.Shape;
import org.apache.commons.collections4.bloomfilter.SimpleBloomFilter;

/** The Bloom filter of Commons Collections, which has no hash function: Murmur3 of hash4j. */
record CommonsPeer(SimpleBloomFilter filter) implements TakesLongs, TakesText {

  private static final Hasher128 HASHER = Hashing.murmur3_128();
  private static final HashFunnel<Long> LONGS = (key, sink) -> sink.putLong(key);

  static CommonsPeer of(int keys) {
    return new CommonsPeer(new SimpleBloomFilter(Shape.fromNP(keys, Contender.FPP)));
  }

  @Override
  public void put(long key) {
    boolean unused = filter.merge(positions(HASHER.hashTo128Bits(key, LONGS)));
  }

  @Override
  public boolean ask(long key) {
    return filter.contains(positions(HASHER.hashTo128Bits(key, LONGS)));
  }

  @Override
  public void put(String key) {
    boolean unused = filter.merge(positions(HASHER.hashCharsTo128Bits(key)));
  }

  @Override
  public boolean ask(String key) {
    return filter.contains(positions(HASHER.hashCharsTo128Bits(key)));
  }

  private static EnhancedDoubleHasher positions(HashValue128 hash) {
    return new EnhancedDoubleHasher(hash.getMostSignificantBits(), hash.getLeastSignificantBits());
  }

  @Override
  public long bits() {
    return filter.getShape().getNumberOfBits();
  }
}
