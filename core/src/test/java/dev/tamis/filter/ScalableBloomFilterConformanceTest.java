package dev.tamis.filter;

import dev.tamis.EstimateConformance;
import dev.tamis.FppConformance;
import dev.tamis.KeyHasher;
import dev.tamis.MutableFilter;
import dev.tamis.MutableFilterConformance;
import dev.tamis.MutableRoundTripConformance;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Nested;

/** The suites, with a filter whose first stage is for the expected keys. */
class ScalableBloomFilterConformanceTest {

  @Nested
  class Keys extends MutableFilterConformance {
    @Override
    protected MutableFilter<Long> create(long expectedKeys, double fpp) {
      return ScalableBloomFilter.create(KeyHasher.longs(), expectedKeys, fpp);
    }
  }

  @Nested
  class Fpp extends FppConformance {
    @Override
    protected MutableFilter<Long> create(long expectedKeys, double fpp) {
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
    protected MutableFilter<Long> create(long expectedKeys, double fpp) {
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
}
