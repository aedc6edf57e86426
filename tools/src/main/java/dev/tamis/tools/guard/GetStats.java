package dev.tamis.tools.guard;

import java.util.OptionalDouble;

/**
 * Counters of the gets of a guard; each get is in exactly one of these.
 *
 * @param skipped the filter said "absent", so the store was not read
 * @param found the filter said "maybe", and the store had the key
 * @param falsePositives the filter said "maybe", and the store did not have the key
 * @param failedReads the filter said "maybe", and the store threw an exception
 * @param passedThrough the guard was not ready, so the filter was not queried
 */
public record GetStats(
    long skipped, long found, long falsePositives, long failedReads, long passedThrough) {

  static final GetStats NONE = new GetStats(0, 0, 0, 0, 0);

  /** Returns how often the filter was queried. */
  public long asked() {
    return skipped + passed();
  }

  /** Returns how often it said "maybe", so that the store was read. */
  public long passed() {
    return found + falsePositives + failedReads;
  }

  /** Returns the measured fpp, in [0, 1]; empty while no absent key was queried. */
  public OptionalDouble measuredFpp() {
    long absent = skipped + falsePositives;
    return absent == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((double) falsePositives / absent);
  }

  GetStats since(GetStats earlier) {
    return new GetStats(
        skipped - earlier.skipped,
        found - earlier.found,
        falsePositives - earlier.falsePositives,
        failedReads - earlier.failedReads,
        passedThrough - earlier.passedThrough);
  }
}
