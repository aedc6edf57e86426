package dev.tamis;

import java.util.Collection;

/**
 * A filter that takes keys after it is built.
 *
 * @param <T> the type of key
 */
public interface MutableFilter<T> extends Filter<T> {

  /**
   * Puts {@code key} in. Afterwards {@code mightContain(key)} is true, permanently unless the type
   * says that keys can leave.
   *
   * @return true if {@code key} was certainly new; false if it was probably here already
   * @throws NullPointerException if {@code key} is null
   */
  boolean put(T key);

  /**
   * Puts several keys in, in the collection's order.
   *
   * @return for each key what {@link #put} would have returned
   * @throws NullPointerException if one of them is null; those before it may be in
   */
  default boolean[] putAll(Collection<? extends T> keys) {
    boolean[] isNew = new boolean[keys.size()];
    int i = 0;
    for (T key : keys) {
      isNew[i++] = put(key);
    }
    return isNew;
  }

  /** Returns whether the filter is thread-safe. */
  default boolean isThreadSafe() {
    return true;
  }

  /**
   * Returns how many keys the filter accepted as new. Costs next to nothing, so that a caller can
   * check after each put whether the filter is over capacity.
   *
   * <p>Counts the puts that returned true, less the keys that were removed since; a window counts
   * all of them, also those it has forgotten. After deserialization or a merge, the number of keys
   * that came that way is an estimate from the bits.
   */
  long acceptedKeys();
}
