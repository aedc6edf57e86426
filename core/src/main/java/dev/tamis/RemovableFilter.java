package dev.tamis;

/**
 * A filter from which keys can be removed.
 *
 * <p>It is a multiset: a key put twice is present until it has been removed twice. Counts have a
 * maximum that each type states; a key that reached it stays permanently, because its true count is
 * no longer known.
 *
 * <p><b>Remove only what was put.</b> A key that was never put may be a false positive. Removing it
 * removes data of other keys, which may be false negatives from then on. No filter of this kind can
 * detect that; the caller has to know.
 *
 * @param <T> the type of key
 */
public interface RemovableFilter<T> extends HashedMutableFilter<T> {

  /**
   * Undoes one put of {@code key}.
   *
   * @return true if the key was probably present and one put of it has been undone; false if it was
   *     certainly absent, and nothing has changed
   * @throws NullPointerException if {@code key} is null
   */
  default boolean remove(T key) {
    return removeHash(hashOf(key));
  }

  /** Removes the key with this {@linkplain #hashOf hash}, as {@link #remove} does. */
  boolean removeHash(long hash);

  /**
   * Returns how many puts of {@code key} were not undone: never too low, as long as only keys that
   * were put are removed, and too high where other keys collide with it. Saturates at the maximum
   * that the type can count.
   *
   * @throws NullPointerException if {@code key} is null
   */
  default long approximateCount(T key) {
    return approximateCountHash(hashOf(key));
  }

  /** Returns the count of the key with this {@linkplain #hashOf hash}. */
  long approximateCountHash(long hash);
}
