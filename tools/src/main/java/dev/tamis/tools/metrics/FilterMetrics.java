package dev.tamis.tools.metrics;

import static java.util.Objects.requireNonNull;

import dev.tamis.Estimate;
import dev.tamis.Filter;
import dev.tamis.Sized.Capacity;
import dev.tamis.file.ReloadingFilter;
import dev.tamis.file.ReloadingFilter.Status;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Publishes how full a filter is through Micrometer, an optional dependency.
 *
 * <p>Every meter has the tag {@code name}:
 *
 * <ul>
 *   <li>{@code tamis.filter.keys}, the estimated number of distinct keys
 *   <li>{@code tamis.filter.fpp}, the expected fpp
 *   <li>{@code tamis.filter.bits}, the memory that holds the keys, in bits
 *   <li>of a filter of fixed capacity {@code tamis.filter.fill}, the keys by the expected keys, and
 *       {@code tamis.filter.over.capacity}, 1 if it has more than those and its fpp is more than a
 *       tenth above the requested one, else 0
 *   <li>of a {@link ReloadingFilter} {@code tamis.filter.checks}, with {@code result} one of {@code
 *       unchanged}, {@code reloaded} and {@code refused}, and {@code tamis.filter.age}, the time
 *       since the file in use was last modified
 * </ul>
 *
 * <p>Keys and fpp cost a pass over the bits of most filters. All gauges share one measurement,
 * which is kept for ten seconds, and for a hundred times as long as it took: scraping takes at most
 * a hundredth of the time of one core.
 */
public final class FilterMetrics {

  private final MeterRegistry registry;
  private final Tags tags;

  private FilterMetrics(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
  }

  /**
   * Publishes a filter, which the registry then holds weakly. In Spring Boot, {@code registry ->
   * FilterMetrics.bind(registry, name, filter)} is a bean of type {@code MeterBinder}.
   *
   * @param name the value of the tag {@code name}
   */
  public static void bind(MeterRegistry registry, String name, Filter<?> filter) {
    requireNonNull(filter, "filter");
    FilterMetrics meters = new FilterMetrics(registry, Tags.of("name", name));
    // the registry holds the measurement strongly, which therefore does not hold the filter
    Measurement measured = new Measurement(registry.config().clock());
    meters.gauge("keys", "Estimated distinct keys", filter, one -> measured.of(one).keys.value());
    meters.gauge("fpp", "Expected false-positive probability", filter, one -> measured.of(one).fpp);
    meters.gauge("bits", "Memory that holds the keys", filter, Filter::bitSize);
    if (Capacity.of(inUse(filter)).isPresent()) {
      meters.gauge("fill", "Keys by expected keys", filter, one -> measured.of(one).fill());
      meters.gauge(
          "over.capacity",
          "1 with more keys than expected and a higher fpp than requested",
          filter,
          one -> measured.of(one).isOverCapacity() ? 1 : 0);
    }
    if (filter instanceof ReloadingFilter<?> reloading) {
      meters.bindChecks(reloading);
    }
  }

  private void bindChecks(ReloadingFilter<?> filter) {
    count("unchanged", filter, status -> status.checks() - status.reloads() - status.refusals());
    count("reloaded", filter, Status::reloads);
    count("refused", filter, Status::refusals);
    Clock clock = registry.config().clock();
    TimeGauge.builder(
            "tamis.filter.age",
            filter,
            TimeUnit.MILLISECONDS,
            one -> clock.wallTime() - one.status().modifiedAt().toEpochMilli())
        .description("Time since the file in use was last modified")
        .tags(tags)
        .register(registry);
  }

  private void count(String result, ReloadingFilter<?> filter, ToDoubleFunction<Status> counter) {
    FunctionCounter.builder(
            "tamis.filter.checks", filter, one -> counter.applyAsDouble(one.status()))
        .description("What became of the checks of the file")
        .tags(tags.and("result", result))
        .register(registry);
  }

  private void gauge(
      String figure, String description, Filter<?> filter, ToDoubleFunction<Filter<?>> value) {
    Gauge.builder("tamis.filter." + figure, filter, value)
        .description(description)
        .tags(tags)
        .register(registry);
  }

  private static Filter<?> inUse(Filter<?> filter) {
    return filter instanceof ReloadingFilter<?> reloading ? reloading.current() : filter;
  }

  /** What costs a pass over the bits, repeated only after a hundred times as long. */
  private static final class Measurement {

    private static final long MIN_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long INTERVAL_BY_COST = 100;

    private final Clock clock;
    private @Nullable Figures latest;
    private long takenAt;
    private long interval;

    Measurement(Clock clock) {
      this.clock = clock;
    }

    synchronized Figures of(Filter<?> filter) {
      long start = clock.monotonicTime();
      if (latest == null || start - takenAt >= interval) {
        latest = Figures.of(inUse(filter));
        takenAt = clock.monotonicTime();
        interval = Math.max(MIN_INTERVAL_NANOS, INTERVAL_BY_COST * (takenAt - start));
      }
      return latest;
    }
  }

  private record Figures(Estimate keys, double fpp, Optional<Capacity> capacity) {

    static Figures of(Filter<?> filter) {
      return new Figures(
          filter.approximateElementCount(), filter.expectedFpp(), Capacity.of(filter));
    }

    double fill() {
      return capacity.map(size -> keys.value() / size.expectedKeys()).orElse(Double.NaN);
    }

    boolean isOverCapacity() {
      return capacity.stream().anyMatch(size -> size.isExceeded((long) keys.low(), fpp));
    }
  }
}
