package dev.tamis.filter;

import dev.tamis.DropAware;
import dev.tamis.EstimateConformance;
import dev.tamis.FppConformance;
import dev.tamis.HashedMutableFilter;
import dev.tamis.Mergeable;
import dev.tamis.MergeableConformance;
import dev.tamis.MutableFilterConformance;
import dev.tamis.MutableRoundTripConformance;
import dev.tamis.RemovableConformance;
import dev.tamis.RemovableFilter;
import dev.tamis.Storable;
import dev.tamis.filter.FilterSpec.Suite;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The suites, each over every kind of filter in {@link FilterSpec#all} that makes its promises. */
class ConformanceTest {

  static Stream<FilterSpec<?>> puts() {
    return FilterSpec.all().filter(spec -> spec.isIn(Suite.PUTS));
  }

  static Stream<FilterSpec<?>> fpp() {
    return FilterSpec.all().filter(spec -> spec.isIn(Suite.FPP));
  }

  static Stream<FilterSpec<?>> counts() {
    return FilterSpec.all().filter(spec -> spec.isIn(Suite.COUNTS));
  }

  static Stream<FilterSpec<?>> roundTrip() {
    return FilterSpec.all().filter(spec -> spec.isIn(Suite.ROUND_TRIP));
  }

  static Stream<FilterSpec<?>> merging() {
    return FilterSpec.all().filter(spec -> spec.isIn(Suite.MERGING));
  }

  static Stream<FilterSpec<?>> removals() {
    return FilterSpec.all().filter(spec -> spec.isIn(Suite.REMOVALS));
  }

  @Nested
  @ParameterizedClass(allowZeroInvocations = true)
  @MethodSource("dev.tamis.filter.ConformanceTest#puts")
  class Puts extends MutableFilterConformance {
    @Parameter FilterSpec<?> spec;

    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return spec.create(Suite.PUTS, expectedKeys, fpp);
    }

    @Override
    protected long roomFor(long puts, long expectedKeys) {
      int repeats = spec.roomForRepeats;
      return repeats == 1 ? expectedKeys : Math.max(repeats * puts, expectedKeys);
    }
  }

  @Nested
  @Tag("statistics")
  @ParameterizedClass(allowZeroInvocations = true)
  @MethodSource("dev.tamis.filter.ConformanceTest#fpp")
  class Fpp extends FppConformance {
    @Parameter FilterSpec<?> spec;

    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return spec.create(Suite.FPP, expectedKeys, fpp);
    }

    @Override
    protected double leastFppWhenFull(double fpp) {
      return spec.leastFppShare.isPresent()
          ? spec.leastFppShare.getAsDouble() * fpp
          : super.leastFppWhenFull(fpp);
    }

    @Override
    protected double mostLoad() {
      return spec.mostLoad;
    }
  }

  @Nested
  @Tag("statistics")
  @ParameterizedClass(allowZeroInvocations = true)
  @MethodSource("dev.tamis.filter.ConformanceTest#counts")
  class Counts extends EstimateConformance {
    @Parameter FilterSpec<?> spec;

    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return spec.create(Suite.COUNTS, expectedKeys, fpp);
    }
  }

  @Nested
  @ParameterizedClass(allowZeroInvocations = true)
  @MethodSource("dev.tamis.filter.ConformanceTest#roundTrip")
  class RoundTrip<F extends HashedMutableFilter<Long> & DropAware & Storable>
      extends MutableRoundTripConformance<F> {
    @Parameter FilterSpec<F> spec;

    @Override
    protected F create(long expectedKeys, double fpp) {
      return spec.create(Suite.ROUND_TRIP, expectedKeys, fpp);
    }

    @Override
    protected F read(InputStream in, long maxBytes) throws IOException {
      return spec.read(in, maxBytes);
    }
  }

  @Nested
  @ParameterizedClass(allowZeroInvocations = true)
  @MethodSource("dev.tamis.filter.ConformanceTest#merging")
  class Merging<F extends HashedMutableFilter<Long> & DropAware & Mergeable<F>>
      extends MergeableConformance<F> {
    @Parameter FilterSpec<F> spec;

    @Override
    protected F create(long expectedKeys, double fpp) {
      return spec.create(Suite.MERGING, expectedKeys, fpp);
    }

    @Override
    protected Map<String, F> incompatible() {
      return spec.incompatible();
    }

    @Override
    protected boolean mergingAdds() {
      return spec.mergingAdds;
    }
  }

  @Nested
  @ParameterizedClass(allowZeroInvocations = true)
  @MethodSource("dev.tamis.filter.ConformanceTest#removals")
  class Removals<F extends RemovableFilter<Long>> extends RemovableConformance {
    @Parameter FilterSpec<F> spec;

    @Override
    protected RemovableFilter<Long> create(long expectedKeys, double fpp) {
      return spec.create(Suite.REMOVALS, expectedKeys, fpp);
    }

    @Override
    protected int mostCopies() {
      return spec.mostCopies;
    }
  }
}
