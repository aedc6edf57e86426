package dev.tamis.hash;

import java.util.List;

/** The hasher of {@link KeyHasher#fields}. */
@SuppressWarnings("serial") // an immutable list is serializable if its elements are
record FieldsHasher<T>(List<KeyHasher<? super T>> parts) implements KeyHasher<T> {

  @Override
  public long hash(T key, HashFunction function) {
    long hash = parts.size();
    for (KeyHasher<? super T> part : parts) {
      hash = function.hashLongs(hash, part.hash(key, function));
    }
    return hash;
  }
}
