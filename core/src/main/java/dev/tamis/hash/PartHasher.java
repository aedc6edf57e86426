package dev.tamis.hash;

import java.util.function.Function;

/** The hasher of {@link KeyHasher#on}. */
@SuppressWarnings("serial") // if the function is
record PartHasher<T, U>(KeyHasher<T> hasher, Function<? super U, ? extends T> part)
    implements KeyHasher<U> {

  @Override
  public long hash(U key, HashFunction function) {
    return hasher.hash(part.apply(key), function);
  }
}
