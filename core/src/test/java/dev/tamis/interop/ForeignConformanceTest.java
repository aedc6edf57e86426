package dev.tamis.interop;

import dev.tamis.ConcurrentConformance;
import dev.tamis.HashedMutableFilter;
import dev.tamis.Keys;
import dev.tamis.MergeableConformance;
import dev.tamis.MutableFilterConformance;
import dev.tamis.MutableRoundTripConformance;
import dev.tamis.StorableConformance;
import dev.tamis.Thorough;
import dev.tamis.filter.Filters;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The suites over foreign filters; what they ask of the fpp is another program's promise. */
class ForeignConformanceTest {

  @Nested
  @ParameterizedClass
  @MethodSource("dev.tamis.interop.ForeignSpec#all")
  class Puts extends MutableFilterConformance {
    @Parameter ForeignSpec spec;

    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return spec.create(expectedKeys, fpp);
    }
  }

  @Nested
  @ParameterizedClass
  @MethodSource("dev.tamis.interop.ForeignSpec#all")
  class Concurrent extends ConcurrentConformance {
    @Parameter ForeignSpec spec;

    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return spec.create(expectedKeys, fpp);
    }

    @Override
    protected int keys() {
      return Thorough.or(20_000, 50_000);
    }
  }

  @Nested
  @ParameterizedClass
  @MethodSource("dev.tamis.interop.ForeignSpec#all")
  class RoundTrip extends MutableRoundTripConformance<HashedBits<Long>> {
    @Parameter ForeignSpec spec;

    @Override
    protected HashedBits<Long> create(long expectedKeys, double fpp) {
      return spec.create(expectedKeys, fpp);
    }

    @Override
    protected HashedBits<Long> read(InputStream in, long maxBytes) throws IOException {
      return (HashedBits<Long>) Filters.<Long>readFrom(in, KeyHasher.longs(), maxBytes);
    }
  }

  /** Guava's later strategy, whose positions take 128 bits of hash. */
  @Nested
  class GuavaFrames extends StorableConformance<ForeignFilter<Long>> {
    @Override
    protected ForeignFilter<Long> filled(long expectedKeys, int keys) {
      ForeignFilter<Long> filter = GuavaBloomFilter.create(KeyHasher.longs(), expectedKeys, 0.01);
      Keys.hashes(1, keys).forEach(filter::put);
      return filter;
    }

    @Override
    protected ForeignFilter<Long> read(InputStream in, long maxBytes) throws IOException {
      return ForeignFilters.readFrom(in, KeyHasher.longs(), maxBytes);
    }
  }

  @Nested
  @ParameterizedClass
  @MethodSource("dev.tamis.interop.ForeignSpec#all")
  class Merging extends MergeableConformance<ForeignFilter<Long>> {
    @Parameter ForeignSpec spec;

    @Override
    protected ForeignFilter<Long> create(long expectedKeys, double fpp) {
      return spec.create(expectedKeys, fpp);
    }

    @Override
    protected Map<String, ForeignFilter<Long>> incompatible() {
      Map<String, ForeignFilter<Long>> others = new HashMap<>();
      String larger = spec == ForeignSpec.DCSO ? "expected keys" : "bits";
      others.put(larger, spec.create(9_000, 0.01));
      others.put(
          "format",
          spec == ForeignSpec.PARQUET
              ? ForeignSpec.SPARK_1.create(1_000, 0.01)
              : ForeignSpec.PARQUET.create(1_000, 0.01));
      switch (spec) {
        case SPARK_1 -> others.put("version", ForeignSpec.SPARK_2.create(1_000, 0.01));
        case SPARK_2 ->
            others.put("seed", SparkBloomFilter.create(KeyHasher.longs(), 1_000, 0.01, 43));
        case DCSO -> others.put("fpp", spec.create(1_000, 0.02));
        case PARQUET -> {}
      }
      return others;
    }
  }
}
