package dev.tamis;

/**
 * A filter that keys can be taken out of again.
 *
 * <p>It keeps a count of each key's puts, as a multiset does: a key put twice is there until it has
 * been removed twice. Counts have an upper end that each type states; a key that reached it stays
 * for good, because a filter that lost count must not forget a key that may still be there.
 *
 * <p><b>Remove only what was put.</b> A key that was never put may look present. Removing it takes
 * away what belongs to other keys, and from then on the filter may deny a key that it holds. No
 * filter of this kind can tell; its caller has to know.
 *
 * @param <T> the type of key
 */
public interface RemovableFilter<T> extends HashedMutableFilter<T> {

  /**
   * Takes one put of {@code key} back.
   *
   * @return true if the key was probably present and one put of it has been taken back; false if it
   *     was certainly absent, and then nothing has changed
   * @throws NullPointerException if {@code key} is null
   */
  default boolean remove(T key) {
    return removeHash(hashOf(key));
  }

  /**
   * Does what {@link #remove} does for the key with this hash.
   *
   * @param hash 64 well mixed bits, as {@link #hashOf} gives them
   * @return true if one put of the key has been taken back; false if it was certainly absent
   */
  boolean removeHash(long hash);

  /**
   * Returns how many puts of {@code key} there are that were not taken back: never fewer, as long
   * as only keys that were put are removed, and more where other keys look like this one. Stands
   * still at the most that the type can count.
   *
   * @throws NullPointerException if {@code key} is null
   */
  default long approximateCount(T key) {
    return approximateCountHash(hashOf(key));
  }

  /**
   * Does what {@link #approximateCount} does for the key with this hash.
   *
   * @param hash 64 well mixed bits, as {@link #hashOf} gives them
   */
  long approximateCountHash(long hash);
}
