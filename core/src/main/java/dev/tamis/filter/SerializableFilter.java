package dev.tamis.filter;

import dev.tamis.HashedFilter;
import dev.tamis.Storable;
import dev.tamis.format.Kind;
import dev.tamis.hash.BoundHasher;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;

/**
 * A filter that Java serializes as the bytes of {@link Storable#writeTo} and its key hasher.
 *
 * <p>Deserialization verifies the bytes like any other reader, and takes no more memory than the
 * system property {@code dev.tamis.maxDeserializedBytes} says, by default a quarter of the heap.
 * The filter is thread-safe then; a window of time continues by the system clock. A hasher with a
 * secret key is never serialized.
 *
 * <p>For streams from outside, an {@link java.io.ObjectInputFilter} should admit {@code
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

  final BoundHasher<T> hashing;
  private final Kind kind;

  SerializableFilter(Kind kind, BoundHasher<T> hashing) {
    this.kind = kind;
    this.hashing = hashing;
  }

  @Override
  public BoundHasher<T> hasher() {
    return hashing;
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public String toString() {
    return traits().toString();
  }

  final Object writeReplace() {
    return new SerializedFilter<>(this);
  }

  private void readObject(ObjectInputStream in) throws InvalidObjectException {
    throw new InvalidObjectException("a filter is serialized as its own bytes");
  }
}
