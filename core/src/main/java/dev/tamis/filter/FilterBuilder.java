package dev.tamis.filter;

import static java.util.Objects.requireNonNull;

import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;

/** The settings of every filter that takes keys after it is built. */
abstract class FilterBuilder<T, B extends FilterBuilder<T, B>> {

  private final KeyHasher<? super T> hasher;
  private long seed;
  private boolean threadSafe = true;

  FilterBuilder(KeyHasher<? super T> hasher) {
    this.hasher = requireNonNull(hasher, "hasher");
  }

  /**
   * Sets the seed of the hash function (default: 0); only filters of one seed can be merged. Not
   * for a hasher with a hash key, which is its seed.
   */
  public B seed(long seed) {
    this.seed = seed;
    return self();
  }

  /** Makes the filter safe for a single thread only, which saves some nanoseconds a put. */
  public B singleThreaded() {
    this.threadSafe = false;
    return self();
  }

  @SuppressWarnings("unchecked") // each builder extends this with its own type
  final B self() {
    return (B) this;
  }

  final BoundHasher<T> hashing() {
    return BoundHasher.of(hasher, seed);
  }

  final boolean isThreadSafe() {
    return threadSafe;
  }
}
