package dev.tamis.filter;

import static java.util.Objects.requireNonNull;

import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Checks;
import dev.tamis.sizing.WindowSizing;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link WindowedBloomFilter}: fpp, and either a window of puts or a window of time.
 *
 * <p>A window of time needs expectedKeys and a clock too. Each setter checks its own value at once;
 * {@link #build} checks that together they are enough.
 *
 * @param <T> the type of key
 */
public final class WindowedBloomFilterBuilder<T>
    extends FilterBuilder<T, WindowedBloomFilterBuilder<T>> {

  /** The longest window of time: a century, so that instants in nanoseconds fit 64 bits. */
  public static final Duration MAX_TIME = Duration.ofDays(36_525);

  private final WindowSizing.Builder builder = WindowSizing.builder();
  private long puts;
  private long expectedKeys;
  private @Nullable Duration time;
  private @Nullable InstantSource clock;

  WindowedBloomFilterBuilder(KeyHasher<? super T> hasher) {
    super(hasher);
  }

  /**
   * Sets W, the minimum of puts remembered; at least 1, rounded up to a multiple of 7. A put of a
   * known key counts too.
   */
  public WindowedBloomFilterBuilder<T> window(long puts) {
    builder.window(puts);
    this.puts = puts;
    return this;
  }

  /** Sets the time for which a put is remembered at least; 1 ns to {@link #MAX_TIME}. */
  public WindowedBloomFilterBuilder<T> window(Duration time) {
    requireNonNull(time, "time");
    if (time.isZero() || time.isNegative() || time.compareTo(MAX_TIME) > 0) {
      throw new IllegalArgumentException("window must be 1 ns to " + MAX_TIME + ", got " + time);
    }
    this.time = time;
    return this;
  }

  /**
   * Sets n, the puts expected within a window of time, evenly spread; at least 1. Puts of one key
   * within a generation, a seventh of the window, count as one.
   */
  public WindowedBloomFilterBuilder<T> expectedKeys(long expectedKeys) {
    this.expectedKeys = Checks.expectedKeys(expectedKeys);
    builder.window(expectedKeys);
    return this;
  }

  /** Sets p, the fpp that is not passed at any time; strictly between 0 and 1. */
  public WindowedBloomFilterBuilder<T> fpp(double fpp) {
    builder.fpp(fpp);
    return this;
  }

  /** Sets the clock of a window of time, which every put and lookup reads once, in its thread. */
  public WindowedBloomFilterBuilder<T> clock(InstantSource clock) {
    this.clock = requireNonNull(clock, "clock");
    return this;
  }

  /**
   * Builds an empty filter. A window of time begins at the clock's present instant.
   *
   * @throws IllegalStateException if settings are missing or contradict each other
   * @throws IllegalArgumentException if no such filter is possible, or the heap cannot hold it
   */
  public WindowedBloomFilter<T> build() {
    requireOneForm();
    WindowSizing sizing = builder.solve();
    WindowedBloomFilter.Pace pace = pace();
    return new WindowedBloomFilter<>(
        hashing(),
        sizing,
        pace,
        new WindowBlocks(sizing),
        new long[WindowSizing.LIVE_GENERATIONS],
        new WindowedBloomFilter.Start(0, pace.now(), isThreadSafe()));
  }

  private void requireOneForm() {
    if ((puts > 0) == (time != null)) {
      throw new IllegalStateException("need either a window of puts or a window of time");
    }
    if (time == null && (expectedKeys > 0 || clock != null)) {
      throw new IllegalStateException("a window of puts has no expectedKeys and no clock");
    }
    if (time != null && (expectedKeys == 0 || clock == null)) {
      throw new IllegalStateException("a window of time needs expectedKeys and a clock");
    }
  }

  private WindowedBloomFilter.Pace pace() {
    if (time == null || clock == null) {
      return WindowedBloomFilter.Pace.BY_PUTS;
    }
    long generation = (time.toNanos() - 1) / WindowSizing.GENERATIONS + 1;
    return new WindowedBloomFilter.Pace(clock, generation);
  }
}
