package dev.tamis.filter;

import static java.util.Objects.requireNonNull;

import dev.tamis.Filter;
import dev.tamis.Storable;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** What is written in place of a {@link SerializableFilter}: the key hasher, then its bytes. */
final class SerializedFilter<T> implements Serializable {

  private static final long serialVersionUID = 1;

  private static final String MAX_BYTES = "dev.tamis.maxDeserializedBytes";
  private static final int SHARE_OF_HEAP = 4;

  private final KeyHasher<? super T> hasher;
  private transient @Nullable Filter<T> filter;

  <F extends SerializableFilter<T>> SerializedFilter(F filter) {
    this.hasher = filter.hasher().keyHasher();
    this.filter = filter;
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    out.defaultWriteObject();
    ((Storable) requireNonNull(filter, "set unless it is read")).writeTo(out);
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    if (hasher == null) {
      throw new InvalidObjectException("filter: hasher: must be one, got null");
    }
    long maxBytes = Long.getLong(MAX_BYTES, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    filter = Filters.<T>readFrom(in, hasher, maxBytes, InstantSource.system());
  }

  private Object readResolve() {
    return requireNonNull(filter, "read by now");
  }
}
