package dev.tamis.bench.peers;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import org.fastfilter.Filter;
import org.fastfilter.bloom.BlockedBloom;
import org.fastfilter.bloom.Bloom;
import org.fastfilter.bloom.count.CountingBloom;
import org.fastfilter.cuckoo.Cuckoo8;
import org.fastfilter.utils.Hash;
import org.fastfilter.xor.Xor8;

/**
 * The filters of FastFilter that take keys one by one or all at once.
 *
 * <p>They know longs only, so text is hashed with XXH3 first. An empty one is had by building it of
 * zeros, which leaves the key 0 in it. Its binary fuse filter is not in the published version.
 */
record FastFilterPeer(Filter filter) implements TakesLongs, TakesText {

  /*
   * Both take bits and not an fpp. 9.59 is what the formula says for 1 %. The blocked one shows
   * 1.34 % at 10 bits and 1 % at about 11.1; its size is the product of the two arguments and
   * nothing else in it depends on them, so words of 64 bits allow for sizes between whole bits.
   */
  private static final double BITS_PER_KEY = 9.59;
  private static final double BLOCKED_BITS_PER_KEY = 11.1;

  private static final long SEED = 1;
  private static final Hasher64 HASHER = Hashing.xxh3_64();

  static FastFilterPeer bloom(int keys) {
    Hash.setSeed(SEED);
    return new FastFilterPeer(Bloom.construct(new long[keys], BITS_PER_KEY));
  }

  static FastFilterPeer blocked(int keys) {
    Hash.setSeed(SEED);
    int words = (int) Math.ceil(keys * BLOCKED_BITS_PER_KEY / Long.SIZE);
    return new FastFilterPeer(BlockedBloom.construct(new long[words], Long.SIZE));
  }

  /** Takes all keys at once: counters overflow where the same zero is put in again and again. */
  static AsksLongs counting(long[] keys) {
    Hash.setSeed(SEED);
    return new FastFilterPeer(CountingBloom.construct(keys, BITS_PER_KEY));
  }

  static AsksLongs xor8(long[] keys) {
    Hash.setSeed(SEED);
    return new FastFilterPeer(Xor8.construct(keys));
  }

  static AsksLongs cuckoo8(long[] keys) {
    Hash.setSeed(SEED);
    return new FastFilterPeer(Cuckoo8.construct(keys));
  }

  @Override
  public void put(long key) {
    filter.add(key);
  }

  @Override
  public boolean ask(long key) {
    return filter.mayContain(key);
  }

  @Override
  public void put(String key) {
    filter.add(HASHER.hashCharsToLong(key));
  }

  @Override
  public boolean ask(String key) {
    return filter.mayContain(HASHER.hashCharsToLong(key));
  }

  @Override
  public long bits() {
    return filter.getBitCount();
  }
}
