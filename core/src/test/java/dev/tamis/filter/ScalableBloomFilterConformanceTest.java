package dev.tamis.filter;

import dev.tamis.ConcurrentConformance;
import dev.tamis.EstimateConformance;
import dev.tamis.FppConformance;
import dev.tamis.KeyHasher;
import dev.tamis.MutableFilter;
import dev.tamis.MutableFilterConformance;
import dev.tamis.MutableRoundTripConformance;
import dev.tamis.sizing.Layout;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The suites, with a filter whose first stage is for the expected keys. */
class ScalableBloomFilterConformanceTest {

  @Nested
  class Puts extends MutableFilterConformance {
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

  @Nested
  class Racing extends ConcurrentConformance {
    @Override
    protected MutableFilter<Long> create(long expectedKeys, double fpp) {
      return ScalableBloomFilter.create(KeyHasher.longs(), expectedKeys, fpp);
    }

    /** Which stage a key gets into depends on the order in which they come. */
    @Override
    protected boolean dependsOnOrder() {
      return true;
    }
  }

  /** From a first stage so small that it grows a dozen times. */
  @Nested
  @ParameterizedClass
  @EnumSource
  class RacingWhileItGrows extends ConcurrentConformance {
    @Parameter Layout layout;

    @Override
    protected MutableFilter<Long> create(long expectedKeys, double fpp) {
      return ScalableBloomFilter.<Long>builder(KeyHasher.longs())
          .initialKeys(20)
          .fpp(fpp)
          .layout(layout)
          .build();
    }

    @Override
    protected int keys() {
      return 20_000;
    }

    @Override
    protected boolean dependsOnOrder() {
      return true;
    }
  }
}
