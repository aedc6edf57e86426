package dev.tamis.bench.peers;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.mgunlogson.cuckoofilter4j.CuckooFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;

/** The cuckoo filter of CuckooFilter4J. */
final class CuckooFilter4jPeer {

  /**
   * Its fpp is more than twice the requested one where its table, a power of two, is nearly full:
   * 1.5 % for 0.4 % with a million keys. This is the next fingerprint of whole bits.
   */
  private static final double ASKED_FPP = 0.002;

  private CuckooFilter4jPeer() {}

  static TakesLongs longs(int keys) {
    return new Longs(filter(Funnels.longFunnel(), keys));
  }

  static TakesText text(int keys) {
    return new Text(filter(Funnels.stringFunnel(UTF_8), keys));
  }

  private static <T> CuckooFilter<T> filter(Funnel<? super T> funnel, int keys) {
    return new CuckooFilter.Builder<T>(funnel, keys).withFalsePositiveRate(ASKED_FPP).build();
  }

  private static IllegalStateException full(long count) {
    return new IllegalStateException("the cuckoo filter took no more than " + count + " keys");
  }

  private record Longs(CuckooFilter<Long> filter) implements TakesLongs {
    @Override
    public void put(long key) {
      if (!filter.put(key)) {
        throw full(filter.getCount());
      }
    }

    @Override
    public boolean ask(long key) {
      return filter.mightContain(key);
    }

    @Override
    public long bits() {
      return filter.getStorageSize();
    }
  }

  private record Text(CuckooFilter<CharSequence> filter) implements TakesText {
    @Override
    public void put(String key) {
      if (!filter.put(key)) {
        throw full(filter.getCount());
      }
    }

    @Override
    public boolean ask(String key) {
      return filter.mightContain(key);
    }

    @Override
    public long bits() {
      return filter.getStorageSize();
    }
  }
}
