package dev.tamis;

import java.util.Optional;

/** A filter, or the sizing of one, of fixed capacity: a number of keys at an fpp. */
public interface Sized {

  /** Returns n, the distinct keys it was built for. */
  long expectedKeys();

  /** Returns the fpp it was built for, or has when the expected keys are in. */
  double fpp();

  /** Returns both. */
  default Capacity capacity() {
    return new Capacity(expectedKeys(), fpp());
  }

  /**
   * The capacity of a filter of fixed size.
   *
   * @param expectedKeys n, distinct keys
   * @param requestedFpp the fpp with n keys
   */
  record Capacity(long expectedKeys, double requestedFpp) {

    /** The ratio of fpp to requested fpp from which a warning is due. */
    private static final double TOLERANCE = 1.1;

    /** The ratio from which a filter is overfull. */
    private static final double OVERFULL = 10;

    /** Returns the capacity of a filter; empty if it grows or has no size of its own. */
    public static Optional<Capacity> of(Filter<?> filter) {
      return filter instanceof Sized sized ? Optional.of(sized.capacity()) : Optional.empty();
    }

    /**
     * Returns whether the filter holds more keys than expected and its fpp is more than a tenth
     * above the requested one.
     *
     * @param keys the least number of distinct keys in it
     * @param fpp its present fpp
     */
    public boolean isExceeded(long keys, double fpp) {
      return keys > expectedKeys && fpp > TOLERANCE * requestedFpp;
    }

    /**
     * Returns whether the filter's answers should not be relied upon: its fpp is more than ten
     * times the requested one, or closer to 1 than to that.
     *
     * @param fpp its present fpp
     */
    public boolean isOverfull(double fpp) {
      return fpp > Math.min(OVERFULL * requestedFpp, (1 + requestedFpp) / 2);
    }
  }
}
