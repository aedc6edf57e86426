package dev.tamis;

import java.util.Optional;

/**
 * What a filter of fixed size was sized for.
 *
 * @param expectedKeys the distinct keys
 * @param requestedFpp the fpp with so many keys
 */
public record Capacity(long expectedKeys, double requestedFpp) {

  /** How far the fpp may be above the requested one before that is worth a warning. */
  private static final double TOLERANCE = 1.1;

  /** From how many times the requested fpp a filter is overfull. */
  private static final double OVERFULL = 10;

  /** Returns the capacity of a filter, by its traits; empty if it has none, as one that grows. */
  public static Optional<Capacity> of(Filter<?> filter) {
    Traits traits = filter.traits();
    return traits.find("expected keys") instanceof Long expectedKeys
            && traits.find("requested fpp") instanceof Double requestedFpp
        ? Optional.of(new Capacity(expectedKeys, requestedFpp))
        : Optional.empty();
  }

  /**
   * Returns whether a filter is past its capacity so far that its fpp shows it: by a tenth.
   *
   * @param keys the distinct keys that are known to be in it
   * @param fpp its present fpp
   */
  public boolean isExceeded(long keys, double fpp) {
    return keys > expectedKeys && fpp > TOLERANCE * requestedFpp;
  }

  /**
   * Returns whether a filter is so full that what was decided by it should not be relied upon: its
   * fpp is more than ten times the requested one, or closer to 1 than to that.
   *
   * @param fpp its present fpp
   */
  public boolean isOverfull(double fpp) {
    return fpp > Math.min(OVERFULL * requestedFpp, (1 + requestedFpp) / 2);
  }
}
