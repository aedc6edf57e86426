package dev.tamis;

import java.util.Collection;

/**
 * A set that answers "certainly not" or "probably", and never denies a key it holds.
 *
 * <p>This is what every filter can do. What else one can do is said by further types, each of its
 * own: {@link HashedFilter} is queried by 64-bit hashes too, {@link MutableFilter} takes keys after
 * it is built, {@link RemovableFilter} lets go of them, {@link Mergeable} takes in another of its
 * kind, {@link Storable} can be written to a file. No method of any of them throws {@link
 * UnsupportedOperationException}.
 *
 * @param <T> the type of key
 */
public interface Filter<T> {

  /**
   * Returns {@code false} if {@code key} is certainly absent, {@code true} if it is probably
   * present. Never blocks.
   *
   * @throws NullPointerException if {@code key} is null
   */
  boolean mightContain(T key);

  /**
   * Does what {@link #mightContain} does for each of several keys, in the collection's order.
   *
   * @throws NullPointerException if one of them is null
   */
  default boolean[] mightContainAll(Collection<? extends T> keys) {
    boolean[] answers = new boolean[keys.size()];
    int i = 0;
    for (T key : keys) {
      answers[i++] = mightContain(key);
    }
    return answers;
  }

  /**
   * Returns the false-positive probability, in [0, 1]: that of a key never put being reported
   * present, computed from the bits as they are. Costs one pass over the bits.
   */
  double expectedFpp();

  /**
   * Returns an estimate of the distinct keys in the filter from its bits, with the interval that
   * contains the true number 95 times in 100. Costs one pass over the bits.
   */
  default Estimate approximateElementCount() {
    return approximateElementCount(Confidence.DEFAULT);
  }

  /**
   * Does what {@link #approximateElementCount()} does with another interval.
   *
   * @param confidence how often the interval contains the true number
   */
  Estimate approximateElementCount(Confidence confidence);

  /** Returns the memory that holds the keys, in bits. */
  long bitSize();

  /** Returns what describes the filter: its parameters and its hash, not its keys. */
  Traits traits();
}
