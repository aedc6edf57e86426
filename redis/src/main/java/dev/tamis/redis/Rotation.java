package dev.tamis.redis;

/**
 * How a window rotates: generations, each filled for a span of time.
 *
 * @param generations g; the current one is filled, all are queried
 * @param windowMillis how long a key is remembered at least
 */
record Rotation(int generations, long windowMillis) {

  static final int MIN_GENERATIONS = 2;
  static final int MAX_GENERATIONS = 32;

  /** A hundred years. */
  static final long MAX_WINDOW_MILLIS = 36_525L * 24 * 60 * 60 * 1_000;

  Rotation {
    requireGenerations(generations);
    if (windowMillis < 1 || windowMillis > MAX_WINDOW_MILLIS) {
      throw new IllegalArgumentException(
          "window: must be 1 to " + MAX_WINDOW_MILLIS + " ms, got " + windowMillis);
    }
  }

  static int requireGenerations(int generations) {
    if (generations < MIN_GENERATIONS || generations > MAX_GENERATIONS) {
      throw new IllegalArgumentException(
          "generations: must be "
              + MIN_GENERATIONS
              + " to "
              + MAX_GENERATIONS
              + ", got "
              + generations);
    }
    return generations;
  }

  /**
   * Returns how long a generation is filled. A key put at its end has only the spans of the other g
   * − 1 before it is cleared.
   */
  long spanMillis() {
    return (windowMillis - 1) / (generations - 1) + 1;
  }

  long periodAt(long epochMillis) {
    return Math.max(0, epochMillis) / spanMillis();
  }
}
