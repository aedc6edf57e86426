package dev.tamis.tools.dedup;

import dev.tamis.DropAware;
import dev.tamis.HashedMutableFilter;
import dev.tamis.Sized.Capacity;
import java.util.OptionalDouble;

/**
 * The summary of a deduplicator: what it has seen, and how far its answers can be trusted.
 *
 * @param seen elements seen since it was created or loaded
 * @param unique those of them that were certainly seen for the first time
 * @param fpp the probability that the next new element is taken for a repeat
 * @param overfull whether that is more than ten times the requested one: then most new elements are
 *     taken for repeats
 * @param expectedWrongDrops how many of the duplicates are expected to be new elements that were
 *     taken for repeats; where others put into the filter too, how many of theirs and ours; empty
 *     if the filter is not {@link dev.tamis.DropAware}
 * @param memoryBytes the memory of the filter's bits
 */
public record DedupSummary(
    long seen,
    long unique,
    double fpp,
    boolean overfull,
    OptionalDouble expectedWrongDrops,
    long memoryBytes) {

  /**
   * Returns the summary of who counted what a filter took. Costs one pass over the filter's bits,
   * for the fpp.
   *
   * @param seen elements seen
   * @param unique those of them that the filter did not report
   */
  public static DedupSummary of(HashedMutableFilter<?> filter, long seen, long unique) {
    double fpp = filter.expectedFpp();
    return new DedupSummary(
        seen,
        unique,
        fpp,
        Capacity.of(filter).map(capacity -> capacity.isOverfull(fpp)).orElse(false),
        filter instanceof DropAware aware
            ? OptionalDouble.of(aware.expectedWrongDrops())
            : OptionalDouble.empty(),
        filter.bitSize() / Byte.SIZE);
  }

  /** Returns the elements that were taken for repeats: {@code seen − unique}. */
  public long duplicates() {
    return seen - unique;
  }
}
