package dev.tamis.bench.peers;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.hadoop.util.bloom.BloomFilter;
import org.apache.hadoop.util.bloom.Key;
import org.apache.hadoop.util.hash.Hash;

/** Hadoop's Bloom filter, which takes bytes only and is sized by bits and hashes. */
record HadoopPeer(BloomFilter filter) implements TakesText {

  private static final double LN2 = Math.log(2);

  static TakesText of(int keys) {
    int bits = (int) Math.ceil(-keys * Math.log(Contender.FPP) / (LN2 * LN2));
    int hashes = (int) Math.round((double) bits / keys * LN2);
    return new HadoopPeer(new BloomFilter(bits, hashes, Hash.MURMUR_HASH));
  }

  @Override
  public void put(String key) {
    filter.add(new Key(key.getBytes(UTF_8)));
  }

  @Override
  public boolean ask(String key) {
    return filter.membershipTest(new Key(key.getBytes(UTF_8)));
  }

  @Override
  public long bits() {
    return filter.getVectorSize();
  }
}
