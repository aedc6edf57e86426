package dev.tamis;

import dev.tamis.hash.HashId;
import java.util.Collection;
import java.util.Objects;

/**
 * A set that answers "certainly not" or "probably", and never denies a key it holds.
 *
 * <p>This is the read side, and every filter has it. What else a filter can do is said by its type:
 * {@link MutableFilter} takes keys after it is built. No method here or in a subtype throws {@link
 * UnsupportedOperationException}.
 *
 * <p>Every question has two doors. The typed one takes a key. The one below it takes the key's
 * hash, for callers who hash once and ask many filters, or who have no object to hand over: {@code
 * mightContainHash(hashOf(key))} is {@code mightContain(key)}.
 *
 * @param <T> the type of key
 */
public interface Filter<T> extends Storable {

  /**
   * Returns {@code false} if {@code key} is certainly absent, {@code true} if it is probably
   * present.
   *
   * @throws NullPointerException if {@code key} is null
   */
  default boolean mightContain(T key) {
    return mightContainHash(hashOf(key));
  }

  /**
   * Answers as {@link #mightContain} does for the key with this hash.
   *
   * @param hash 64 well mixed bits, as {@link #hashOf} gives them; a counter or an object's {@code
   *     hashCode} is not enough, because every position is derived from these bits alone
   */
  boolean mightContainHash(long hash);

  /**
   * Answers as {@link #mightContainHash} does for several keys. Bloom filters fetch the memory of
   * all of them together: two to four times as fast where the filter is larger than the cache.
   *
   * @param hashes the hashes, from index 0 on; as many at once as the caller likes
   * @param count how many there are
   * @param answers where the answers go, from index 0 on
   * @throws IndexOutOfBoundsException if an array is shorter than {@code count}
   */
  default void mightContainHashes(long[] hashes, int count, boolean[] answers) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, answers.length));
    for (int i = 0; i < count; i++) {
      answers[i] = mightContainHash(hashes[i]);
    }
  }

  /**
   * Answers as {@link #mightContain} does for each of several keys, in the collection's order.
   *
   * @throws NullPointerException if one of them is null
   */
  default boolean[] mightContainAll(Collection<? extends T> keys) {
    long[] hashes = keys.stream().mapToLong(this::hashOf).toArray();
    boolean[] answers = new boolean[hashes.length];
    mightContainHashes(hashes, hashes.length, answers);
    return answers;
  }

  /**
   * Returns the 64-bit hash this filter uses for {@code key}. Filters with the same hasher and
   * {@link #hashId} agree on it.
   *
   * @throws NullPointerException if {@code key} is null
   */
  long hashOf(T key);

  /** Returns which hash function this filter uses. */
  HashId hashId();

  /**
   * Returns the probability, in [0, 1], that a key never put is reported present, computed from the
   * bits as they are. Costs one pass over the bits.
   */
  double expectedFpp();

  /**
   * Returns how many distinct keys the filter holds, as far as its bits tell, with the interval
   * that holds the number 95 times in 100. Costs one pass over the bits.
   */
  default Estimate approximateElementCount() {
    return approximateElementCount(Confidence.DEFAULT);
  }

  /**
   * Does what {@link #approximateElementCount()} does with another interval.
   *
   * @param confidence how often the interval holds the number
   */
  Estimate approximateElementCount(Confidence confidence);

  /** Returns the memory that holds the keys, in bits. */
  long bitSize();
}
