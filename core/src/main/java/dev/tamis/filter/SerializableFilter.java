package dev.tamis.filter;

import dev.tamis.HashedFilter;
import dev.tamis.Storable;
import dev.tamis.hash.KeyHasher;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;

/**
 * A filter that goes through Java's serialization as the bytes of {@link Storable#writeTo},
 * together with its key hasher.
 *
 * <p>Reading verifies the bytes like any other reader, and takes no more memory than the system
 * property {@code dev.tamis.maxDeserializedBytes} says, a quarter of the heap unless it is set.
 * What is read is thread-safe; a window of time goes on by the system's clock. A {@link KeyHasher}
 * says when it is serializable; a secret key never is.
 *
 * <p>For streams from outside an {@link java.io.ObjectInputFilter} should admit {@code
 * dev.tamis.filter.*}, {@code dev.tamis.hash.*}, {@code java.lang.Enum} and the classes of your own
 * hashers, and nothing else.
 *
 * @param <T> the type of key
 */
@SuppressWarnings("serial") // no field of a filter is ever serialized
public abstract sealed class SerializableFilter<T>
    implements HashedFilter<T>, Storable, Serializable
    permits BloomFilter,
        CountingBloomFilter,
        CuckooFilter,
        FuseFilter,
        RibbonFilter,
        ScalableBloomFilter,
        WindowedBloomFilter {

  /** Only this package defines them. */
  SerializableFilter() {}

  final Object writeReplace() {
    return new SerializedFilter<>(this);
  }

  private void readObject(ObjectInputStream in) throws InvalidObjectException {
    throw new InvalidObjectException("a filter is serialized as its own bytes");
  }
}
