package dev.tamis.hash;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * Says which bytes of a key count, by passing them to a {@link HashFunction}.
 *
 * <p>The filter owns the hash function and its seed; the hasher only picks the method that fits the
 * type. There are hashers for the usual types. One for a record of several fields is composed of
 * those:
 *
 * <pre>{@code
 * KeyHasher<Person> hasher =
 *     KeyHasher.fields(
 *         KeyHasher.text().on(Person::firstName),
 *         KeyHasher.text().on(Person::lastName));
 * }</pre>
 *
 * <p>A hasher must be stateless: any number of threads may call it at once.
 *
 * <p>The ready-made ones and those composed of them by {@link #fields} are serializable. Your own
 * hasher is if its fields are, such as the function of {@link #on}: {@code (Function<Person,
 * String> & Serializable) Person::firstName}. One with a secret key never is.
 *
 * @param <T> the type of key
 */
@FunctionalInterface
public interface KeyHasher<T> extends Serializable {

  /** The most characters of a {@link #rule}. */
  int MAX_RULE_LENGTH = 60;

  /** Returns {@code function}'s hash of the bytes that make up {@code key}. */
  long hash(T key, HashFunction function);

  /** Returns the hasher of text: its UTF-8 bytes. Also for {@code String}, which is text. */
  static KeyHasher<CharSequence> text() {
    return StandardHasher.TEXT.typed();
  }

  /** Returns the hasher of byte arrays, taken whole. */
  static KeyHasher<byte[]> bytes() {
    return StandardHasher.BYTES.typed();
  }

  /**
   * Returns the hasher of ranges of bytes: those between a buffer's position and limit, which stay
   * where they are. {@code ByteBuffer.wrap(bytes, offset, length)} makes such a range.
   */
  static KeyHasher<ByteBuffer> buffers() {
    return StandardHasher.BUFFERS.typed();
  }

  /** Returns the hasher of longs: eight bytes, little-endian. */
  static KeyHasher<Long> longs() {
    return StandardHasher.LONGS.typed();
  }

  /** Returns the hasher of ints: four bytes, little-endian, so not the hash of the same long. */
  static KeyHasher<Integer> ints() {
    return StandardHasher.INTS.typed();
  }

  /** Returns the hasher of UUIDs: sixteen bytes in the order in which they are printed. */
  static KeyHasher<UUID> uuids() {
    return StandardHasher.UUIDS.typed();
  }

  /**
   * Returns a hasher of keys made of several fields, in the order given.
   *
   * <p>Each field is hashed by itself, then the hashes one after the other, so no field can run
   * into the next: ("ab", "cd") and ("a", "bcd") differ, as do ("a", "") and ("", "a").
   *
   * @throws IllegalArgumentException if there are no fields, or one has a hash key of its own
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // List.of copies the array and only reads from it
  static <T> KeyHasher<T> fields(KeyHasher<? super T>... fields) {
    List<KeyHasher<? super T>> parts = List.of(fields);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a key needs at least one field, got none");
    }
    if (parts.stream().anyMatch(part -> part.hashKey().isPresent())) {
      throw new IllegalArgumentException(
          "a field has no hash key of its own: call keyedBy on the hasher of all fields");
    }
    return new StandardHasher.Fields<>(parts);
  }

  /**
   * Returns this hasher for filters whose hash has a secret key. What is filled with it can be read
   * and merged only with the same key.
   */
  default KeyHasher<T> keyedBy(HashKey key) {
    return new KeyedHasher<>(this, key);
  }

  /**
   * Returns this hasher with a new random key, for a filter that is never merged or stored; this
   * hasher itself if it has a key.
   */
  default KeyHasher<T> withRandomKey() {
    return hashKey().isPresent() ? this : keyedBy(HashKey.random(new SecureRandom()));
  }

  /** Returns the secret key of {@link #keyedBy}; empty if the hash is public. */
  default Optional<HashKey> hashKey() {
    return Optional.empty();
  }

  /**
   * Returns the name by which stored state tells this hasher from another: {@code longs}, {@code
   * fields(text, ints)}, or the name of your own class, unless it overrides this. All lambdas have
   * the same name, and so have all functions of {@link #on}.
   */
  default String label() {
    return getClass().isHidden() ? "lambda" : getClass().getName();
  }

  /**
   * Returns how keys are made of something else, as filters with this hasher state in their files:
   * at most {@value #MAX_RULE_LENGTH} characters of printable ASCII from {@code -} on; empty if
   * there is nothing to state.
   */
  default String rule() {
    return "";
  }

  /** Returns a hasher that applies this one to a part of a larger key. */
  default <U> KeyHasher<U> on(Function<? super U, ? extends T> part) {
    return new StandardHasher.Part<>(this, part);
  }
}
