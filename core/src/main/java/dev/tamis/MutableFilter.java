package dev.tamis;

import java.util.Collection;
import java.util.Objects;

/**
 * A filter that takes keys after it is built.
 *
 * @param <T> the type of key
 */
public interface MutableFilter<T> extends Filter<T> {

  /**
   * Puts {@code key} in. Afterwards {@code mightContain(key)} is true, for good unless the type
   * says that keys can leave.
   *
   * <p>Where several threads put a key, exactly one of them gets true, unless the filter already
   * reported the key when its put took effect.
   *
   * @return true if {@code key} was certainly new; false if it was probably here already
   * @throws NullPointerException if {@code key} is null
   */
  default boolean put(T key) {
    return putHash(hashOf(key));
  }

  /**
   * Does what {@link #put} does for the key with this hash.
   *
   * @param hash 64 well mixed bits, as {@link #hashOf} gives them
   * @return true if the key was certainly new; false if it was probably here already
   */
  boolean putHash(long hash);

  /**
   * Does what {@link #putHash} does for several keys, one after the other. Bloom filters fetch the
   * memory of all of them together: about three times as fast where the filter is larger than the
   * cache.
   *
   * @param hashes the hashes, from index 0 on; as many at once as the caller likes
   * @param count how many there are
   * @param isNew where the answers go, from index 0 on
   * @throws IndexOutOfBoundsException if an array is shorter than {@code count}
   */
  default void putHashes(long[] hashes, int count, boolean[] isNew) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, isNew.length));
    for (int i = 0; i < count; i++) {
      isNew[i] = putHash(hashes[i]);
    }
  }

  /**
   * Puts several keys in, in the collection's order.
   *
   * @return for each key what {@link #put} would have returned
   * @throws NullPointerException if one of them is null; none is put then
   */
  default boolean[] putAll(Collection<? extends T> keys) {
    long[] hashes = keys.stream().mapToLong(this::hashOf).toArray();
    boolean[] isNew = new boolean[hashes.length];
    putHashes(hashes, hashes.length, isNew);
    return isNew;
  }

  /** Returns whether any number of threads may use the filter at once. */
  default boolean isThreadSafe() {
    return true;
  }

  /**
   * Returns how many keys the filter took as new. Takes a microsecond at most.
   *
   * <p>Counts the puts that returned true, less the keys that were removed since; a window counts
   * all of them, also those it has forgotten. Where the filter came from bytes or swallowed another
   * one whole, the keys that came that way are estimated from the bits.
   */
  long acceptedKeys();

  /**
   * Returns how many new keys {@link #put} is expected to have wrongly called "probably here
   * already" since the filter was created, read or cleared; at most so many where keys can leave.
   *
   * <p>It follows from the number of keys taken as new, by the sizing formula: while p is the fpp,
   * each of them stands for p / (1 − p) others that were not. At 1 % that comes to about 0.17 · n ·
   * p for a filter filled as planned.
   */
  double expectedWrongDrops();
}
