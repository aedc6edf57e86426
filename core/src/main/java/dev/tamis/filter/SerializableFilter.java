package dev.tamis.filter;

import static java.util.Objects.requireNonNull;

import dev.tamis.Filter;
import dev.tamis.HashedFilter;
import dev.tamis.Storable;
import dev.tamis.format.Kind;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

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
    return new Serialized<>(this);
  }

  private void readObject(ObjectInputStream in) throws InvalidObjectException {
    throw new InvalidObjectException("a filter is serialized as its own bytes");
  }

  /** The serialized form: the key hasher, then the bytes of the filter. */
  private static final class Serialized<T> implements Serializable {

    private static final long serialVersionUID = 1;

    private static final String MAX_BYTES = "dev.tamis.maxDeserializedBytes";
    private static final int SHARE_OF_HEAP = 4;

    private transient @Nullable Filter<T> filter;

    <F extends SerializableFilter<T>> Serialized(F filter) {
      this.filter = filter;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      SerializableFilter<T> written = (SerializableFilter<T>) requireNonNull(filter, "not read");
      out.writeObject(written.hasher().keyHasher());
      written.writeTo(out);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      long maxBytes = Long.getLong(MAX_BYTES, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
      filter = Filters.<T>readFrom(in, readHasher(in), maxBytes, InstantSource.system());
    }

    @SuppressWarnings({"unchecked", "BanSerializableRead"}) // of what type of key nobody can tell
    private static <T> KeyHasher<? super T> readHasher(ObjectInputStream in)
        throws IOException, ClassNotFoundException {
      Object read;
      try {
        read = in.readObject();
      } catch (RuntimeException e) { // the JDK's, where a stream is damaged
        throw (IOException) new InvalidObjectException("filter: hasher: is damaged").initCause(e);
      }
      if (read instanceof KeyHasher<?> hasher) {
        return (KeyHasher<? super T>) hasher;
      }
      String type = read == null ? "null" : read.getClass().getName();
      throw new InvalidObjectException("filter: hasher: must be a KeyHasher, got " + type);
    }

    private Object readResolve() throws InvalidObjectException {
      if (filter == null) {
        throw new InvalidObjectException("filter: bytes: must be those of a filter, got none");
      }
      return filter;
    }
  }
}
