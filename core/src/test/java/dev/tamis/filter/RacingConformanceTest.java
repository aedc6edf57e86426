package dev.tamis.filter;

import dev.tamis.ConcurrentConformance;
import dev.tamis.HashedMutableFilter;
import dev.tamis.filter.FilterSpec.Suite;
import java.util.stream.Stream;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The suite for many threads; apart from {@link ConformanceTest}, to run in parallel with it. */
@ParameterizedClass(allowZeroInvocations = true)
@MethodSource("racing")
class RacingConformanceTest extends ConcurrentConformance {

  @Parameter FilterSpec<?> spec;

  static Stream<FilterSpec<?>> racing() {
    return FilterSpec.all().filter(spec -> spec.isIn(Suite.RACING));
  }

  @Override
  protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
    return spec.create(Suite.RACING, expectedKeys, fpp);
  }

  @Override
  protected int keys() {
    return spec.racingKeys == 0 ? super.keys() : spec.racingKeys;
  }

  @Override
  protected boolean dependsOnOrder() {
    return spec.dependsOnOrder;
  }
}
