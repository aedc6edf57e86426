package dev.tamis;

/**
 * A filter or sketch that can estimate how many keys it has in common with another of its kind.
 *
 * @param <F> the kind itself
 */
public interface Overlapping<F extends Overlapping<F>> {

  /** Estimates the keys in common, with intervals that contain the true number 95 times in 100. */
  default Overlap estimateOverlap(F other) {
    return estimateOverlap(other, Confidence.DEFAULT);
  }

  /**
   * Estimates the keys in common. Costs at least one pass over both.
   *
   * @param confidence how often the intervals contain the true number
   * @throws IllegalArgumentException if the two are not compatible, naming what differs
   */
  Overlap estimateOverlap(F other, Confidence confidence);
}
