package dev.tamis.hash;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * How a filter hashes its keys: which bytes count, and the function they go through.
 *
 * @param <T> the type of key
 */
public final class BoundHasher<T> {

  private final KeyHasher<? super T> hasher;
  private final HashFunction function;
  private final HashId id;

  /** Puts the two together. */
  public BoundHasher(KeyHasher<? super T> hasher, HashFunction function) {
    this.hasher = requireNonNull(hasher, "hasher");
    this.function = function;
    this.id = function.id();
  }

  /**
   * Returns the hashing of a new filter: by the hasher's key if it has one, by the seed otherwise.
   *
   * @throws IllegalStateException if there are both
   */
  public static <T> BoundHasher<T> of(KeyHasher<? super T> hasher, long seed) {
    Optional<HashKey> key = requireNonNull(hasher, "hasher").hashKey();
    if (key.isPresent() && seed != 0) {
      throw new IllegalStateException("a filter with a hash key has no seed, got " + seed);
    }
    return new BoundHasher<>(
        hasher, key.map(HashFunction::sipHash).orElseGet(() -> HashFunction.xxh3(seed)));
  }

  /**
   * Returns the hash of {@code key}.
   *
   * @throws NullPointerException if it is null
   */
  public long hash(T key) {
    return hasher.hash(requireNonNull(key, "key"), function);
  }

  /** Returns which function it is. */
  public HashId id() {
    return id;
  }
}
