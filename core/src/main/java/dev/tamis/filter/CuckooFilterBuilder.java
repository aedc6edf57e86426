package dev.tamis.filter;

import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.CuckooSizing;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link CuckooFilter}; expectedKeys and fpp are required.
 *
 * @param <T> the type of key
 */
public final class CuckooFilterBuilder<T> {
  private final KeyHasher<? super T> hasher;
  private @Nullable Long expectedKeys;
  private @Nullable Double fpp;
  private long seed;
  private boolean threadSafe = true;

  CuckooFilterBuilder(KeyHasher<? super T> hasher) {
    this.hasher = hasher;
  }

  /**
   * Sets n, the distinct keys expected at a time; at least 1.
   *
   * @throws IllegalArgumentException if it is less
   */
  public CuckooFilterBuilder<T> expectedKeys(long expectedKeys) {
    if (expectedKeys < 1) {
      throw new IllegalArgumentException("expectedKeys must be at least 1, got " + expectedKeys);
    }
    this.expectedKeys = expectedKeys;
    return this;
  }

  /**
   * Sets p, the false-positive probability once all keys are in; from about 1.8e-9, below 1.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public CuckooFilterBuilder<T> fpp(double fpp) {
    this.fpp = CuckooSizing.forKeys(1, fpp).fpp();
    return this;
  }

  /** Sets the seed of the hash function, 0 without. */
  public CuckooFilterBuilder<T> seed(long seed) {
    this.seed = seed;
    return this;
  }

  /**
   * Makes a filter that is not safe for several threads, unless none of them writes, and saves the
   * cost of a lock at each put and removal.
   */
  public CuckooFilterBuilder<T> singleThreaded() {
    this.threadSafe = false;
    return this;
  }

  /**
   * Builds an empty filter.
   *
   * @throws IllegalStateException if expectedKeys or fpp was not set, or there is a seed and the
   *     hasher has a key
   * @throws IllegalArgumentException if no filter can be so large, or this JVM's heap cannot hold
   *     it; nothing has been allocated then
   */
  public CuckooFilter<T> build() {
    if (expectedKeys == null || fpp == null) {
      throw new IllegalStateException("need both of expectedKeys and fpp");
    }
    CuckooSizing sizing = CuckooSizing.forKeys(expectedKeys, fpp);
    return new CuckooFilter<>(BoundHasher.of(hasher, seed), sizing, threadSafe);
  }
}
