package dev.tamis.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.ConcurrentConformance;
import dev.tamis.EstimateConformance;
import dev.tamis.FppConformance;
import dev.tamis.HashedMutableFilter;
import dev.tamis.Keys;
import dev.tamis.MutableFilterConformance;
import dev.tamis.MutableRoundTripConformance;
import dev.tamis.Race;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The suites, with a filter whose first stage is for the expected keys. */
class ScalableBloomFilterConformanceTest {

  @Nested
  class Puts extends MutableFilterConformance {
    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return ScalableBloomFilter.create(KeyHasher.longs(), expectedKeys, fpp);
    }
  }

  @Nested
  class Fpp extends FppConformance {
    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return ScalableBloomFilter.create(KeyHasher.longs(), expectedKeys, fpp);
    }

    /** The first of many stages has 0.15 of the whole. */
    @Override
    protected double leastFppWhenFull(double fpp) {
      return 0.9 * 0.15 * fpp;
    }
  }

  @Nested
  class Counts extends EstimateConformance {
    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return ScalableBloomFilter.create(KeyHasher.longs(), expectedKeys, fpp);
    }
  }

  @Nested
  class RoundTrip extends MutableRoundTripConformance<ScalableBloomFilter<Long>> {
    @Override
    protected ScalableBloomFilter<Long> create(long expectedKeys, double fpp) {
      return ScalableBloomFilter.create(KeyHasher.longs(), expectedKeys, fpp);
    }

    @Override
    protected ScalableBloomFilter<Long> read(InputStream in, long maxBytes) throws IOException {
      return ScalableBloomFilter.readFrom(in, KeyHasher.longs(), maxBytes);
    }
  }

  @Nested
  class Racing extends ConcurrentConformance {
    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return ScalableBloomFilter.<Long>builder(KeyHasher.longs())
          .initialKeys(expectedKeys)
          .fpp(fpp)
          .concurrent()
          .build();
    }

    /** Which stage a key gets into depends on the order in which they come. */
    @Test
    @Override
    public void fewBitsAndManyThreadsStillLoseNothing() {
      HashedMutableFilter<Long> filter = create(1, 1e-6);
      Race.run(4, thread -> Keys.hashes(1, 50).forEach(filter::putHash));
      assertThat(Keys.hashes(1, 50).allMatch(filter::mightContainHash)).isTrue();
      assertThat(Keys.hashes(1, 50).noneMatch(filter::putHash)).isTrue();
    }
  }
}
