package dev.tamis.filter;

import static java.util.Objects.requireNonNull;

import dev.tamis.KeyHasher;
import dev.tamis.internal.Hashing;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Sizing;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link BloomFilter}. Each setter checks its own value at once; {@link #build}
 * checks that together they are enough: two of expectedKeys, fpp, bits and hashes.
 *
 * @param <T> the type of key
 */
public final class BloomFilterBuilder<T> {
  private final KeyHasher<? super T> hasher;
  private final Sizing.Question question = Sizing.ask();
  private long seed;
  private boolean concurrent;
  private KeyTally.@Nullable Notice notice;

  BloomFilterBuilder(KeyHasher<? super T> hasher) {
    this.hasher = hasher;
  }

  /** Sets n, the distinct keys expected; at least 1. */
  public BloomFilterBuilder<T> expectedKeys(long expectedKeys) {
    question.expectedKeys(expectedKeys);
    return this;
  }

  /** Sets p, the false-positive probability once they are all in; strictly between 0 and 1. */
  public BloomFilterBuilder<T> fpp(double fpp) {
    question.fpp(fpp);
    return this;
  }

  /** Sets where the bits of a key lie; without it, the blocked layout that fits the fpp. */
  public BloomFilterBuilder<T> layout(Layout layout) {
    question.layout(layout);
    return this;
  }

  /** Sets m, the most bits the filter may have, for those who insist. */
  public BloomFilterBuilder<T> bits(long bits) {
    question.bits(bits);
    return this;
  }

  /** Sets k, the bits set for each key, for those who insist; in the layout's range. */
  public BloomFilterBuilder<T> hashes(int hashes) {
    question.hashes(hashes);
    return this;
  }

  /**
   * Sets the seed of the hash function, 0 without; only filters of one seed can be merged. Not for
   * a hasher with a hash key, which is its seed.
   */
  public BloomFilterBuilder<T> seed(long seed) {
    this.seed = seed;
    return this;
  }

  /** Lets several threads put and ask at once. */
  public BloomFilterBuilder<T> concurrent() {
    this.concurrent = true;
    return this;
  }

  /**
   * Runs {@code action} once, in the thread whose put makes {@link BloomFilter#acceptedKeys} reach
   * {@code keys}. What it throws comes out of that put, after the key is in.
   *
   * @param keys at least 1
   */
  public BloomFilterBuilder<T> whenKeysReach(long keys, Runnable action) {
    if (keys < 1) {
      throw new IllegalArgumentException("keys must be at least 1, got " + keys);
    }
    this.notice = new KeyTally.Notice(keys, requireNonNull(action, "action"));
    return this;
  }

  /**
   * Builds an empty filter.
   *
   * @throws IllegalStateException if the settings are too few or contradict each other
   * @throws IllegalArgumentException if no filter can be so, or this JVM's heap cannot hold it;
   *     nothing has been allocated then
   */
  public BloomFilter<T> build() {
    return new BloomFilter<>(Hashing.of(hasher, seed), question.answer(), concurrent, notice);
  }
}
