package dev.tamis.filter;

import dev.tamis.ConcurrentConformance;
import dev.tamis.EstimateConformance;
import dev.tamis.FppConformance;
import dev.tamis.HashedMutableFilter;
import dev.tamis.MergeableConformance;
import dev.tamis.MutableFilterConformance;
import dev.tamis.MutableRoundTripConformance;
import dev.tamis.RemovableConformance;
import dev.tamis.RemovableFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The suites, each over every kind of counting Bloom filter. */
class CountingBloomFilterConformanceTest {

  @Nested
  @ParameterizedClass
  @MethodSource("dev.tamis.filter.CountingSpec#all")
  class Puts extends MutableFilterConformance {
    @Parameter CountingSpec spec;

    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return spec.create(expectedKeys, fpp);
    }
  }

  @Nested
  @ParameterizedClass
  @MethodSource("dev.tamis.filter.CountingSpec#all")
  class Removals extends RemovableConformance {
    @Parameter CountingSpec spec;

    @Override
    protected RemovableFilter<Long> create(long expectedKeys, double fpp) {
      return spec.create(expectedKeys, fpp);
    }

    @Override
    protected int mostCopies() {
      return (1 << spec.counterBits()) - 2;
    }
  }

  /** The fpp is the Bloom filter's of the same shape; one layout of each form will do. */
  @Nested
  class Fpp extends FppConformance {
    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return CountingBloomFilter.create(KeyHasher.longs(), expectedKeys, fpp);
    }
  }

  @Nested
  @ParameterizedClass
  @MethodSource("dev.tamis.filter.CountingSpec#plain")
  class Counts extends EstimateConformance {
    @Parameter CountingSpec spec;

    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return spec.create(expectedKeys, fpp);
    }
  }

  @Nested
  @ParameterizedClass
  @MethodSource("dev.tamis.filter.CountingSpec#all")
  class RoundTrip extends MutableRoundTripConformance<CountingBloomFilter<Long>> {
    @Parameter CountingSpec spec;

    @Override
    protected CountingBloomFilter<Long> create(long expectedKeys, double fpp) {
      return spec.create(expectedKeys, fpp);
    }

    @Override
    protected CountingBloomFilter<Long> read(InputStream in, long maxBytes) throws IOException {
      return CountingBloomFilter.readFrom(in, KeyHasher.longs(), maxBytes);
    }
  }

  @Nested
  @ParameterizedClass
  @MethodSource("dev.tamis.filter.CountingSpec#all")
  class Merging extends MergeableConformance<CountingBloomFilter<Long>> {
    @Parameter CountingSpec spec;

    @Override
    protected CountingBloomFilter<Long> create(long expectedKeys, double fpp) {
      return spec.create(expectedKeys, fpp);
    }

    @Override
    protected Map<String, CountingBloomFilter<Long>> incompatible() {
      Shape shape = create(1_000, 0.01).shape();
      Layout layout = shape.layout();
      Layout otherLayout = layout == Layout.CLASSIC ? Layout.LINE : Layout.CLASSIC;
      int fewest = layout.minHashes();
      int otherHashes = shape.hashes() == fewest ? layout.maxHashes() : fewest;
      return Map.of(
          "layout",
          spec.builder().layout(otherLayout).bits(shape.bits()).hashes(shape.hashes()).build(),
          "number of bits",
          spec.builder().bits(2 * shape.bits()).hashes(shape.hashes()).build(),
          "number of hashes",
          spec.builder().bits(shape.bits()).hashes(otherHashes).build(),
          "counter bits",
          spec.builder().expectedKeys(1_000).fpp(0.01).counterBits(3).build(),
          "seed",
          spec.builder().expectedKeys(1_000).fpp(0.01).seed(1).build());
    }
  }

  @Nested
  @ParameterizedClass
  @MethodSource("dev.tamis.filter.CountingSpec#shared")
  class Racing extends ConcurrentConformance {
    @Parameter CountingSpec spec;

    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return spec.create(expectedKeys, fpp);
    }
  }
}
