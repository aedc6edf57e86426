package dev.tamis.bench.peers;

import dev.tamis.HashedFilter;
import dev.tamis.HashedMutableFilter;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.BloomFilterBuilder;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.filter.CuckooFilter;
import dev.tamis.filter.FuseFilter;
import dev.tamis.filter.FuseFilterBuilder;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.util.List;

/** The filters of Tamis, with keys of a type or by hash. */
final class TamisPeer {

  private static final int FINGERPRINT_BITS = 8;

  private TamisPeer() {}

  static TakesLongs longs(int keys) {
    return new Longs(bloom(KeyHasher.longs(), keys).build());
  }

  static TakesLongs rare(int keys) {
    return new Longs(bloom(KeyHasher.longs(), keys).fpp(Contender.RARE_FPP).build());
  }

  static TakesLongs single(int keys) {
    return new Longs(singleThreaded(bloom(KeyHasher.longs(), keys)));
  }

  /** Takes keys as the 64-bit hashes that random keys are. */
  static TakesLongs hashes(int keys) {
    return new Hashes(TamisPeer.<Long>bloom(KeyHasher.longs(), keys).build());
  }

  static TakesLongs singleHashes(int keys) {
    return new Hashes(singleThreaded(bloom(KeyHasher.longs(), keys)));
  }

  static TakesText text(int keys) {
    return new Text(TamisPeer.<CharSequence>bloom(KeyHasher.text(), keys).build());
  }

  /** Takes text in batches. */
  static TakesText bulkText(int keys) {
    return new BulkText(TamisPeer.<CharSequence>bloom(KeyHasher.text(), keys).build());
  }

  static TakesLongs classic(int keys) {
    return new Longs(bloom(KeyHasher.longs(), keys).layout(Layout.CLASSIC).build());
  }

  static TakesText classicText(int keys) {
    BloomFilterBuilder<CharSequence> builder = bloom(KeyHasher.text(), keys);
    return new Text(builder.layout(Layout.CLASSIC).build());
  }

  static TakesLongs cuckoo(int keys) {
    return new Longs(CuckooFilter.create(KeyHasher.longs(), keys, Contender.FPP));
  }

  static TakesLongs counting(int keys) {
    return new Longs(CountingBloomFilter.create(KeyHasher.longs(), keys, Contender.FPP));
  }

  static AsksLongs fuse(long[] keys) {
    FuseFilterBuilder<Long> builder =
        FuseFilter.<Long>builder(KeyHasher.longs()).fingerprintBits(FINGERPRINT_BITS);
    for (long key : keys) {
      builder.put(key);
    }
    return new Static(builder.build());
  }

  private static <T> BloomFilterBuilder<T> bloom(KeyHasher<? super T> hasher, int keys) {
    return BloomFilter.<T>builder(hasher).expectedKeys(keys).fpp(Contender.FPP);
  }

  private static <T> BloomFilter<T> singleThreaded(BloomFilterBuilder<T> builder) {
    return builder.singleThreaded().build();
  }

  private record Longs(HashedMutableFilter<Long> filter) implements TakesLongs {
    @Override
    public void put(long key) {
      boolean unused = filter.putLong(key);
    }

    @Override
    public boolean ask(long key) {
      return filter.mightContainLong(key);
    }

    @Override
    public long bits() {
      return filter.bitSize();
    }
  }

  private record Hashes(BloomFilter<Long> filter) implements TakesLongs {
    @Override
    public void put(long hash) {
      boolean unused = filter.putHash(hash);
    }

    @Override
    public boolean ask(long hash) {
      return filter.mightContainHash(hash);
    }

    @Override
    public long bits() {
      return filter.bitSize();
    }
  }

  private record Static(HashedFilter<Long> filter) implements AsksLongs {
    @Override
    public boolean ask(long key) {
      return filter.mightContain(key);
    }

    @Override
    public long bits() {
      return filter.bitSize();
    }
  }

  private record Text(HashedMutableFilter<CharSequence> filter) implements TakesText {
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
      return filter.bitSize();
    }
  }

  private record BulkText(HashedMutableFilter<CharSequence> filter) implements TakesText {
    @Override
    public void put(String key) {
      boolean unused = filter.put(key);
    }

    @Override
    public boolean ask(String key) {
      return filter.mightContain(key);
    }

    @Override
    public void putAll(List<String> keys) {
      boolean[] unused = filter.putAll(keys);
    }

    @Override
    public int count(List<String> keys) {
      int count = 0;
      for (boolean answer : filter.mightContainAll(keys)) {
        count += answer ? 1 : 0;
      }
      return count;
    }

    @Override
    public long bits() {
      return filter.bitSize();
    }
  }
}
