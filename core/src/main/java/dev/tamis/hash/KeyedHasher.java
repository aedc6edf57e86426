package dev.tamis.hash;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.function.Function;

/** A hasher together with the secret key that its filters' hash is to have. */
@SuppressWarnings("serial") // it is not: a key must not get into a stream unnoticed
record KeyedHasher<T>(KeyHasher<T> hasher, HashKey secret) implements KeyHasher<T> {

  KeyedHasher {
    requireNonNull(secret, "key");
  }

  @Override
  public long hash(T key, HashFunction function) {
    return hasher.hash(key, function);
  }

  @Override
  public String label() {
    return hasher.label();
  }

  @Override
  public Optional<HashKey> hashKey() {
    return Optional.of(secret);
  }

  @Override
  public String rule() {
    return hasher.rule();
  }

  @Override
  public KeyHasher<T> keyedBy(HashKey key) {
    return new KeyedHasher<>(hasher, key);
  }

  @Override
  public <U> KeyHasher<U> on(Function<? super U, ? extends T> part) {
    return new KeyedHasher<>(hasher.on(part), secret);
  }
}
