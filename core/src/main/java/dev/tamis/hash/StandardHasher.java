package dev.tamis.hash;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Function;

/** The ready-made hashers, as an enum so that they are serialized by name. */
enum StandardHasher implements KeyHasher<Object> {
  TEXT {
    @Override
    public long hash(Object key, HashFunction function) {
      return function.hashText((CharSequence) key);
    }
  },

  BYTES {
    @Override
    public long hash(Object key, HashFunction function) {
      byte[] bytes = (byte[]) key;
      return function.hashBytes(bytes, 0, bytes.length);
    }
  },

  BUFFERS {
    @Override
    public long hash(Object key, HashFunction function) {
      return function.hashBuffer((ByteBuffer) key);
    }
  },

  LONGS {
    @Override
    public long hash(Object key, HashFunction function) {
      return function.hashLong((Long) key);
    }
  },

  INTS {
    @Override
    public long hash(Object key, HashFunction function) {
      return function.hashInt((Integer) key);
    }
  },

  UUIDS {
    @Override
    public long hash(Object key, HashFunction function) {
      UUID uuid = (UUID) key;
      return function.hashLongs(
          Long.reverseBytes(uuid.getMostSignificantBits()),
          Long.reverseBytes(uuid.getLeastSignificantBits()));
    }
  };

  @Override
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns this as the hasher of the one type of key that it takes. */
  @SuppressWarnings("unchecked") // a key of another type is a ClassCastException above
  <T> KeyHasher<T> typed() {
    return (KeyHasher<T>) this;
  }

  /** The hasher of {@link KeyHasher#on}. */
  @SuppressWarnings("serial") // if the function is
  record Part<T, U>(KeyHasher<T> hasher, Function<? super U, ? extends T> part)
      implements KeyHasher<U> {

    Part {
      requireNonNull(hasher, "hasher");
      requireNonNull(part, "part");
    }

    @Override
    public long hash(U key, HashFunction function) {
      return hasher.hash(part.apply(key), function);
    }

    @Override
    public String label() {
      return hasher.label() + ".on";
    }
  }

  /** The hasher of {@link KeyHasher#fields}. */
  @SuppressWarnings("serial") // an immutable list is serializable if its elements are
  record Fields<T>(List<KeyHasher<? super T>> parts) implements KeyHasher<T> {

    Fields {
      parts = List.copyOf(parts);
      for (KeyHasher<?> part : parts) { // a damaged stream may contain anything
        requireNonNull(part, "part");
      }
    }

    @Override
    public long hash(T key, HashFunction function) {
      long hash = parts.size();
      for (KeyHasher<? super T> part : parts) {
        hash = function.hashLongs(hash, part.hash(key, function));
      }
      return hash;
    }

    @Override
    public String label() {
      return parts.stream().map(KeyHasher::label).collect(joining(", ", "fields(", ")"));
    }
  }
}
