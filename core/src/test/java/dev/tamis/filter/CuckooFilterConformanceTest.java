package dev.tamis.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.ConcurrentConformance;
import dev.tamis.FppConformance;
import dev.tamis.HashedMutableFilter;
import dev.tamis.MutableFilterConformance;
import dev.tamis.RemovableConformance;
import dev.tamis.RemovableFilter;
import dev.tamis.RoundTripConformance;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The suites, over cuckoo filters. */
class CuckooFilterConformanceTest {

  private static CuckooFilter<Long> filter(long expectedKeys, double fpp) {
    return CuckooFilter.create(KeyHasher.longs(), expectedKeys, fpp);
  }

  @Nested
  class Keys extends MutableFilterConformance {
    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return filter(expectedKeys, fpp);
    }

    /**
     * It is full past its expected keys, and sooner where keys come twice: {@link
     * CuckooFilterTest}.
     */
    @Override
    protected long roomFor(long puts, long expectedKeys) {
      return Math.max(2 * puts, expectedKeys);
    }
  }

  @Nested
  class Fpp extends FppConformance {
    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return filter(expectedKeys, fpp);
    }

    /** Bits of a fingerprint are whole; and at 0.3 there must be five, for enough partners. */
    @Override
    protected double leastFppWhenFull(double fpp) {
      return 0.48 * fpp;
    }

    @Override
    protected double mostLoad() {
      return 1;
    }
  }

  @Nested
  class Removal extends RemovableConformance {
    @Override
    protected RemovableFilter<Long> create(long expectedKeys, double fpp) {
      return filter(expectedKeys, fpp);
    }

    @Override
    protected int mostCopies() {
      return 7;
    }
  }

  @Nested
  class RoundTrip extends RoundTripConformance<CuckooFilter<Long>> {
    /** With room for all the keys: what is full takes no more. */
    @Override
    protected CuckooFilter<Long> filled(long expectedKeys, int keys) {
      CuckooFilter<Long> filter = filter(Math.max(expectedKeys, keys), 0.01);
      dev.tamis.Keys.hashes(1, keys).forEach(filter::putHash);
      return filter;
    }

    @Override
    protected CuckooFilter<Long> read(InputStream in, long maxBytes) throws IOException {
      return CuckooFilter.readFrom(in, KeyHasher.longs(), maxBytes);
    }

    @Test
    void whatIsReadTakesMoreKeysAndLetsThemGo() throws IOException {
      CuckooFilter<Long> written = filled(1_000, 500);
      CuckooFilter<Long> read = readAll(bytesOf(written));
      assertThat(read.acceptedKeys()).isEqualTo(500);
      assertThat(read.expectedWrongDrops()).isZero();

      dev.tamis.Keys.hashes(2, 500).forEach(written::putHash);
      long taken = dev.tamis.Keys.hashes(2, 500).filter(read::putHash).count();

      assertThat(read).isEqualTo(written);
      assertThat(read.acceptedKeys()).isEqualTo(500 + taken);
      assertThat(dev.tamis.Keys.hashes(1, 500).allMatch(read::removeHash)).isTrue();
      assertThat(dev.tamis.Keys.hashes(2, 500).allMatch(read::removeHash)).isTrue();
      assertThat(read).isEqualTo(filter(1_000, 0.01));
    }
  }

  /** With room for all puts of all threads, each of which takes a slot. */
  @Nested
  class Racing extends ConcurrentConformance {
    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return filter(10 * Math.max(100, expectedKeys), Math.max(fpp, 2e-9));
    }

    /** Where a fingerprint lies depends on what others were there before. */
    @Override
    protected boolean dependsOnOrder() {
      return true;
    }
  }
}
