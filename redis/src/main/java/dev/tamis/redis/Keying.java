package dev.tamis.redis;

import static java.util.Objects.requireNonNull;

import dev.tamis.hash.HashFunction;
import dev.tamis.hash.HashId;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import java.util.Optional;

/**
 * How a filter hashes its keys: which bytes count, and the function they go through.
 *
 * @param <T> the type of key
 */
record Keying<T>(KeyHasher<? super T> hasher, HashFunction function) {

  /**
   * Returns that of a new filter.
   *
   * @throws IllegalStateException if there are both a seed and a hash key
   */
  static <T> Keying<T> of(KeyHasher<? super T> hasher, long seed) {
    Optional<HashKey> key = requireNonNull(hasher, "hasher").hashKey();
    if (key.isPresent() && seed != 0) {
      throw new IllegalStateException("a filter with a hash key has no seed, got " + seed);
    }
    return new Keying<>(
        hasher, key.map(HashFunction::sipHash).orElseGet(() -> HashFunction.xxh3(seed)));
  }

  /**
   * Returns that of a filter that is there.
   *
   * @throws FilterMismatchException if the hasher lacks the hash key, or has another
   */
  static <T> Keying<T> of(KeyHasher<? super T> hasher, HashId id) {
    Optional<HashKey> key = requireNonNull(hasher, "hasher").hashKey();
    HashFunction function =
        key.map(HashFunction::sipHash)
            .orElseGet(() -> HashFunction.xxh3(id.algorithm().isKeyed() ? 0 : id.number()));
    function
        .id()
        .difference(id)
        .ifPresent(
            difference -> {
              throw new FilterMismatchException(
                  "the hasher does not fit the filter (hasher first): " + difference);
            });
    return new Keying<>(hasher, function);
  }

  long hash(T key) {
    return hasher.hash(requireNonNull(key, "key"), function);
  }
}
