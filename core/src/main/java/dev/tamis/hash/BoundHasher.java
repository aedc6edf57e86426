package dev.tamis.hash;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * How a filter hashes its keys: a {@link KeyHasher} together with a {@link HashFunction}.
 *
 * <p>The function includes its seed or secret key.
 *
 * <p>Immutable and safe for any number of threads.
 *
 * @param <T> the type of key
 */
public final class BoundHasher<T> {

  private final KeyHasher<? super T> hasher;
  private final HashFunction function;
  private final HashId id;
  private final String keyType;

  private BoundHasher(KeyHasher<? super T> hasher, HashFunction function, String keyType) {
    int most = KeyHasher.MAX_RULE_LENGTH;
    if (keyType.length() > most || !keyType.matches("[ -~]*")) {
      throw new IllegalArgumentException(
          "rule must be at most " + most + " characters of ASCII, got '" + keyType + "'");
    }
    this.keyType = keyType;
    this.hasher = requireNonNull(hasher, "hasher");
    this.function = requireNonNull(function, "function");
    this.id = function.id();
  }

  /** Returns the combination of a hasher and a function; a secret key of the hasher is not used. */
  public static <T> BoundHasher<T> of(KeyHasher<? super T> hasher, HashFunction function) {
    return new BoundHasher<>(hasher, function, hasher.rule());
  }

  /**
   * Returns the hasher of a new filter: SipHash by the hasher's secret key if it has one, XXH3 by
   * the seed otherwise.
   *
   * @throws IllegalStateException if there are both a secret key and a seed other than 0
   */
  public static <T> BoundHasher<T> of(KeyHasher<? super T> hasher, long seed) {
    Optional<HashKey> key = requireNonNull(hasher, "hasher").hashKey();
    if (key.isPresent() && seed != 0) {
      throw new IllegalStateException("a filter with a hash key has no seed, got " + seed);
    }
    return of(hasher, key.map(HashFunction::sipHash).orElseGet(() -> HashFunction.xxh3(seed)));
  }

  /**
   * Returns the hasher of a filter that exists: SipHash by the hasher's secret key if it has one,
   * XXH3 by the seed in {@code id} otherwise. {@link HashId#difference} of the two ids tells
   * whether it is the right one.
   *
   * @param id the hash function that the filter was filled with
   */
  public static <T> BoundHasher<T> forFilter(KeyHasher<? super T> hasher, HashId id) {
    boolean keyed = requireNonNull(hasher, "hasher").hashKey().isPresent();
    return of(hasher, keyed || id.algorithm().isKeyed() ? 0 : id.number());
  }

  /** Returns the hash of {@code key}, which must not be null. */
  public long hash(T key) {
    return hasher.hash(requireNonNull(key, "key"), function);
  }

  /** Returns the hasher that says which bytes of a key count. */
  public KeyHasher<? super T> keyHasher() {
    return hasher;
  }

  /** Returns the function, which takes longs, ints, bytes and text without a key object. */
  public HashFunction function() {
    return function;
  }

  /**
   * Returns the type of the keys, or the rule that makes them, that a file states, as
   * docs/format.md spells it, or nothing.
   */
  public String keyType() {
    return keyType;
  }

  /** Returns the same hasher of keys that are stated to be of this type. */
  public BoundHasher<T> withKeyType(String type) {
    return new BoundHasher<>(hasher, function, type);
  }

  /** Returns the name of the function. */
  public HashId id() {
    return id;
  }
}
