package dev.tamis.flink;

import dev.tamis.sizing.Checks;
import java.time.Duration;

/**
 * Settings of {@link SeenWithin}.
 *
 * @param <T> the type of element
 */
public final class SeenWithinBuilder<T> {

  /** The most generations; each costs every element two lookups. */
  static final int MAX_GENERATIONS = 64;

  private static final int DEFAULT_GENERATIONS = 4;

  private final SeenBuilder<T> common;
  private final Duration window;
  private int generations = DEFAULT_GENERATIONS;
  private Duration allowedLateness = Duration.ZERO;

  SeenWithinBuilder(SeenBuilder<T> common, Duration window) {
    if (window.toMillis() < 1) {
      throw new IllegalArgumentException("window must be at least a millisecond, got " + window);
    }
    this.common = common;
    this.window = window;
  }

  /**
   * Sets G, into how many generations the window is divided; 1 to 64 (default: 4). A key is
   * remembered for at most (1 + 1/G) windows, and state takes about as many times the filter of one
   * window.
   */
  public SeenWithinBuilder<T> generations(int generations) {
    this.generations = (int) Checks.range("generations", generations, 1, MAX_GENERATIONS);
    return this;
  }

  /**
   * Sets how far an element may lag behind the watermark and still be judged (default: not at all).
   * State is kept for so much longer.
   */
  public SeenWithinBuilder<T> allowedLateness(Duration lateness) {
    if (lateness.isNegative()) {
      throw new IllegalArgumentException("allowedLateness must not be negative, got " + lateness);
    }
    this.allowedLateness = lateness;
    return this;
  }

  /**
   * Builds the function.
   *
   * @throws IllegalStateException if expectedKeys or fpp is missing
   * @throws IllegalArgumentException if no such filter is possible, or the window is not a whole
   *     number of milliseconds in each generation
   */
  public SeenWithin<T> build() {
    long millis = window.toMillis();
    if (millis % generations != 0) {
      throw new IllegalArgumentException(
          "window must be a multiple of "
              + generations
              + " ms, as many as it has generations, got "
              + millis
              + " ms");
    }
    return new SeenWithin<>(
        common.elementHasher(), common.parameters(millis, generations), allowedLateness.toMillis());
  }
}
