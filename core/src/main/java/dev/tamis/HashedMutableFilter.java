package dev.tamis;

import dev.tamis.hash.KeyHasher;
import java.util.Collection;
import java.util.Objects;

/**
 * A filter that takes keys by their 64-bit hashes too.
 *
 * @param <T> the type of key
 */
public interface HashedMutableFilter<T> extends HashedFilter<T>, MutableFilter<T> {

  @Override
  default boolean put(T key) {
    return putHash(hashOf(key));
  }

  /**
   * Puts the key that {@link KeyHasher#longs} hashes to the eight little-endian bytes of {@code
   * key}, without boxing it.
   */
  default boolean putLong(long key) {
    return putHash(hasher().function().hashLong(key));
  }

  /**
   * Puts the key with this hash.
   *
   * @param hash 64 well mixed bits, as {@link #hashOf} returns them
   * @return true if the key was certainly new; false if it was probably here already
   */
  boolean putHash(long hash);

  /**
   * Puts the first {@code count} hashes, in order, and their answers into {@code isNew}. Bloom
   * filters prefetch the memory of all of them: about three times as fast where the filter is
   * larger than the cache.
   *
   * @throws IndexOutOfBoundsException if an array is shorter than {@code count}
   */
  default void putHashes(long[] hashes, int count, boolean[] isNew) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, isNew.length));
    for (int i = 0; i < count; i++) {
      isNew[i] = putHash(hashes[i]);
    }
  }

  /** Puts several keys in order, and returns their answers; if one is null, none is put. */
  @Override
  default boolean[] putAll(Collection<? extends T> keys) {
    long[] hashes = keys.stream().mapToLong(this::hashOf).toArray();
    boolean[] isNew = new boolean[hashes.length];
    putHashes(hashes, hashes.length, isNew);
    return isNew;
  }
}
