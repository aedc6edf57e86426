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
   * <p>Where several threads put a key, exactly one of them gets true, unless the filter already
   * reported the key when its put took effect.
   *
   * @return true if {@code key} was certainly new; false if it was probably here already
   * @throws NullPointerException if {@code key} is null
   */
  boolean put(T key);

  /** Puts several keys in order, and returns their answers; before a null key, some may be in. */
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
   * Returns how many keys the filter took as new. Takes a microsecond at most.
   *
   * <p>Counts the puts that returned true, less the keys that were removed since; a window counts
   * all of them, also those it has forgotten. After deserialization or a merge, the number of keys
   * that came that way is an estimate from the bits.
   */
  long acceptedKeys();
}
