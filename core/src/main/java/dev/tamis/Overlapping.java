package dev.tamis;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

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
   * Estimates the keys in common, with intervals of another confidence. Costs one pass at least.
   *
   * @throws IllegalArgumentException if the two are not compatible, naming what differs
   */
  Overlap estimateOverlap(F other, Confidence confidence);

  /**
   * What two sets of keys have in common, as numbers of distinct keys.
   *
   * <p>These are counts only. There is no filter of the intersection: the AND of two filters
   * reports keys that are in neither.
   *
   * @param first keys in the first
   * @param second keys in the second
   * @param union keys in either; unbounded if there are too many to count
   * @param intersection keys in both; if the union is unbounded, only the interval is meaningful
   * @param jaccard the intersection as a share of the union, in [0, 1]; empty if the union is
   *     unbounded or has no keys
   */
  record Overlap(
      Estimate first,
      Estimate second,
      Estimate union,
      Estimate intersection,
      Optional<Estimate> jaccard) {

    public Overlap {
      requireNonNull(first, "first");
      requireNonNull(second, "second");
      requireNonNull(union, "union");
      requireNonNull(intersection, "intersection");
      jaccard.ifPresent(
          share -> {
            if (share.high() > 1) {
              throw new IllegalArgumentException("jaccard must be at most 1, got " + share);
            }
          });
    }

    /** Returns the same overlap with first and second swapped. */
    public Overlap swapped() {
      return new Overlap(second, first, union, intersection, jaccard);
    }
  }
}
