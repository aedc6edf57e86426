package dev.tamis.filter;

import dev.tamis.ConcurrentConformance;
import dev.tamis.EstimateConformance;
import dev.tamis.FppConformance;
import dev.tamis.HashedMutableFilter;
import dev.tamis.MergeableConformance;
import dev.tamis.MutableFilterConformance;
import dev.tamis.MutableRoundTripConformance;
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

/** The suites, each over every kind of Bloom filter. */
class BloomFilterConformanceTest {

  @Nested
  @ParameterizedClass
  @MethodSource("dev.tamis.filter.BloomSpec#all")
  class Keys extends MutableFilterConformance {
    @Parameter BloomSpec spec;

    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return spec.create(expectedKeys, fpp);
    }
  }

  @Nested
  @ParameterizedClass
  @MethodSource("dev.tamis.filter.BloomSpec#allSingleThreaded")
  class Fpp extends FppConformance {
    @Parameter BloomSpec spec;

    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return spec.create(expectedKeys, fpp);
    }
  }

  @Nested
  @ParameterizedClass
  @MethodSource("dev.tamis.filter.BloomSpec#allSingleThreaded")
  class Counts extends EstimateConformance {
    @Parameter BloomSpec spec;

    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return spec.create(expectedKeys, fpp);
    }
  }

  @Nested
  @ParameterizedClass
  @MethodSource("dev.tamis.filter.BloomSpec#all")
  class RoundTrip extends MutableRoundTripConformance<BloomFilter<Long>> {
    @Parameter BloomSpec spec;

    @Override
    protected BloomFilter<Long> create(long expectedKeys, double fpp) {
      return spec.create(expectedKeys, fpp);
    }

    @Override
    protected BloomFilter<Long> read(InputStream in, long maxBytes) throws IOException {
      return BloomFilter.readFrom(in, KeyHasher.longs(), maxBytes);
    }
  }

  @Nested
  @ParameterizedClass
  @MethodSource("dev.tamis.filter.BloomSpec#all")
  class Merging extends MergeableConformance<BloomFilter<Long>> {
    @Parameter BloomSpec spec;

    @Override
    protected BloomFilter<Long> create(long expectedKeys, double fpp) {
      return spec.create(expectedKeys, fpp);
    }

    @Override
    protected Map<String, BloomFilter<Long>> incompatible() {
      Shape shape = create(1_000, 0.01).shape();
      Layout layout = shape.layout();
      Layout otherLayout = layout == Layout.CLASSIC ? Layout.LINE : Layout.CLASSIC;
      int fewest = layout.minHashes();
      int otherHashes = shape.hashes() == fewest ? layout.maxHashes() : fewest;
      return Map.of(
          "layout",
          spec.builder().layout(otherLayout).bits(shape.bits()).hashes(shape.hashes()).build(),
          "bits",
          spec.builder().layout(layout).bits(2 * shape.bits()).hashes(shape.hashes()).build(),
          "hashes",
          spec.builder().layout(layout).bits(shape.bits()).hashes(otherHashes).build(),
          "seed",
          spec.builder().expectedKeys(1_000).fpp(0.01).seed(1).build());
    }
  }

  @Nested
  @ParameterizedClass
  @MethodSource("dev.tamis.filter.BloomSpec#allThreadSafe")
  class Racing extends ConcurrentConformance {
    @Parameter BloomSpec spec;

    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return spec.create(expectedKeys, fpp);
    }
  }
}
