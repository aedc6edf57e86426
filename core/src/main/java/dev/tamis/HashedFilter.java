package dev.tamis;

import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import java.util.Collection;
import java.util.Objects;

/**
 * A filter that derives everything from a 64-bit hash of the key, and can be queried by that hash.
 *
 * <p>{@code mightContainHash(hashOf(key))} is {@code mightContain(key)}. The overloads by hash are
 * for callers who hash once and query several filters, or have no object to pass.
 *
 * @param <T> the type of key
 */
public interface HashedFilter<T> extends Filter<T> {

  /** Returns how this filter hashes its keys. */
  BoundHasher<T> hasher();

  /**
   * Returns the 64-bit hash this filter uses for {@code key}. Filters with the same hasher and
   * {@link #hashId} agree on it.
   *
   * @throws NullPointerException if {@code key} is null
   */
  default long hashOf(T key) {
    return hasher().hash(key);
  }

  /** Returns which hash function this filter uses. */
  default HashId hashId() {
    return hasher().id();
  }

  @Override
  default boolean mightContain(T key) {
    return mightContainHash(hashOf(key));
  }

  /**
   * Queries the key that {@link KeyHasher#longs} hashes to the eight little-endian bytes of {@code
   * key}, without boxing it.
   */
  default boolean mightContainLong(long key) {
    return mightContainHash(hasher().function().hashLong(key));
  }

  /**
   * Queries the key with this hash.
   *
   * @param hash 64 well mixed bits, as {@link #hashOf} returns them; a counter or an object's
   *     {@code hashCode} is not enough, because every position is derived from these bits alone
   */
  boolean mightContainHash(long hash);

  /**
   * Queries the first {@code count} hashes, and puts the answers into {@code answers}. Bloom
   * filters prefetch the memory of all of them: two to four times as fast where the filter is
   * larger than the cache.
   *
   * @throws IndexOutOfBoundsException if an array is shorter than {@code count}
   */
  default void mightContainHashes(long[] hashes, int count, boolean[] answers) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, answers.length));
    for (int i = 0; i < count; i++) {
      answers[i] = mightContainHash(hashes[i]);
    }
  }

  @Override
  default boolean[] mightContainAll(Collection<? extends T> keys) {
    long[] hashes = keys.stream().mapToLong(this::hashOf).toArray();
    boolean[] answers = new boolean[hashes.length];
    mightContainHashes(hashes, hashes.length, answers);
    return answers;
  }
}
