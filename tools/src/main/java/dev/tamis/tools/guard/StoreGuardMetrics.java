package dev.tamis.tools.guard;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;

/**
 * Publishes the counters of a guard through Micrometer, an optional dependency.
 *
 * <p>Every meter has the tag {@code name}, the name of the guard:
 *
 * <ul>
 *   <li>{@code tamis.guard.gets}, with {@code result} one of {@code skipped}, {@code found}, {@code
 *       false_positive}, {@code failed} and {@code passed_through}
 *   <li>{@code tamis.guard.fpp}, the measured fpp of the filter in use; NaN while there is none
 *   <li>{@code tamis.guard.state}, with {@code state} one of the states in lower case: 1 for the
 *       one it is in, 0 for the others
 * </ul>
 */
public final class StoreGuardMetrics implements MeterBinder {

  private final Guard guard;

  /** Creates the binder of a guard, which the registry then holds weakly. */
  public StoreGuardMetrics(Guard guard) {
    this.guard = requireNonNull(guard, "guard");
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    count(registry, "skipped", GetStats::skipped);
    count(registry, "found", GetStats::found);
    count(registry, "false_positive", GetStats::falsePositives);
    count(registry, "failed", GetStats::failedReads);
    count(registry, "passed_through", GetStats::passedThrough);
    Gauge.builder("tamis.guard.fpp", guard, one -> one.measuredFpp().orElse(Double.NaN))
        .description("Share of absent keys that the filter did not recognise")
        .tags(tags())
        .register(registry);
    for (GuardState state : GuardState.values()) {
      Gauge.builder("tamis.guard.state", guard, one -> one.state() == state ? 1 : 0)
          .description("1 for the state the guard is in")
          .tags(tags().and("state", state.name().toLowerCase(java.util.Locale.ROOT)))
          .register(registry);
    }
  }

  private void count(MeterRegistry registry, String result, ToDoubleFunction<GetStats> counter) {
    FunctionCounter.builder("tamis.guard.gets", guard, one -> counter.applyAsDouble(one.gets()))
        .description("What became of the gets")
        .tags(tags().and("result", result))
        .register(registry);
  }

  private Tags tags() {
    return Tags.of("name", guard.name());
  }
}
