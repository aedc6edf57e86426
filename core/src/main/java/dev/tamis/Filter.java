package dev.tamis;

import java.util.Collection;

/**
 * A set that answers "certainly absent" or "probably present", without false negatives.
 *
 * <p>This is what every filter can do. Further capabilities are types of their own: {@link
 * HashedFilter} is queried by 64-bit hashes too, {@link MutableFilter} takes keys after it is
 * built, {@link RemovableFilter} removes them, {@link Mergeable} merges another of its kind, {@link
 * Storable} can be written to a file. No method of any of them throws {@link
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
   * Queries several keys, in the collection's order; see {@link #mightContain}.
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
   * Returns the false-positive probability, in [0, 1]: that a key never put is reported present,
   * computed from the set bits. Costs one pass over the bits.
   */
  double expectedFpp();

  /**
   * Returns an estimate of the distinct keys in the filter from its bits, with the interval that
   * contains the true number 95 times in 100. Costs one pass over the bits.
   */
  default Estimate approximateElementCount() {
    return approximateElementCount(Confidence.DEFAULT);
  }

  /** Returns the same estimate with the interval of another confidence. */
  Estimate approximateElementCount(Confidence confidence);

  /** Returns the memory that holds the keys, in bits. */
  long bitSize();

  /** Returns the traits of the filter: its parameters and its hash, not its keys. */
  Traits traits();
}
