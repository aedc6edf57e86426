package dev.tamis.flink;

import static java.util.Objects.requireNonNull;

import dev.tamis.file.HashKeyFile;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import org.apache.flink.api.java.functions.KeySelector;
import org.jspecify.annotations.Nullable;

/**
 * Hashes the key of an element, in whichever process it has been sent to.
 *
 * @param <T> the type of element
 * @param <K> the type of key
 */
final class ElementHasher<T, K> implements Serializable {

  private static final long serialVersionUID = 1;

  private final KeySelector<T, K> selector;
  private final KeyHasher<? super K> hasher;
  private final long seed;
  private final @Nullable String keyFile;
  private transient @Nullable BoundHasher<K> bound;

  ElementHasher(
      KeySelector<T, K> selector,
      KeyHasher<? super K> hasher,
      long seed,
      @Nullable String keyFile) {
    this.selector = selector;
    this.hasher = hasher;
    this.seed = seed;
    this.keyFile = keyFile;
  }

  long hash(T element) throws Exception {
    return bound().hash(keyOf(selector, element));
  }

  /** Returns the key of an element, which fails the job if it is null. */
  static <T, K> K keyOf(KeySelector<T, K> selector, T element) throws Exception {
    return requireNonNull(
        selector.getKey(element),
        "key: must not be null; filter out elements without a key before Tamis");
  }

  HashId id() throws IOException {
    return bound().id();
  }

  private BoundHasher<K> bound() throws IOException {
    BoundHasher<K> function = bound;
    if (function == null) {
      function =
          keyFile == null
              ? BoundHasher.of(hasher, seed)
              : BoundHasher.of(hasher.keyedBy(HashKeyFile.read(Path.of(keyFile))), seed);
      bound = function;
    }
    return function;
  }
}
