package dev.tamis.hash;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;

/**
 * Turns the bytes of a key into the 64 bits a filter works with.
 *
 * <p>The same bytes give the same hash whichever method they come through, on every machine and
 * whatever its byte order: a long is its eight little-endian bytes, text is its UTF-8 bytes. So a
 * filter of text can be queried with bytes, and a program in another language can read either.
 *
 * <p>Implementations are immutable and safe for any number of threads.
 */
public interface HashFunction {

  /**
   * Returns XXH3 in its 64-bit form with {@code seed}: fast, well mixed, and no protection against
   * adversarial keys.
   *
   * @see <a href="https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md">xxHash
   *     specification</a>
   */
  static HashFunction xxh3(long seed) {
    return new Xxh3(seed);
  }

  /**
   * Returns SipHash-2-4 with {@code key}: for keys that an attacker may choose. Without the key,
   * finding keys that share bits, or false positives, takes exhaustive search. Costs 7 ns more than
   * XXH3 for a long, 15 for a URL of 43 characters.
   *
   * @see <a href="https://doi.org/10.1007/978-3-642-34931-7_28">Aumasson, Bernstein 2012, SipHash:
   *     a fast short-input PRF</a>
   */
  static HashFunction sipHash(HashKey key) {
    return new SipHash(requireNonNull(key, "key"));
  }

  /** Returns the name of this function, which files hold. */
  HashId id();

  /** Hashes {@code length} bytes from {@code offset}, which must be within the array. */
  long hashBytes(byte[] bytes, int offset, int length);

  /** Hashes the bytes between the buffer's position and limit, which stay where they are. */
  long hashBuffer(ByteBuffer buffer);

  /**
   * Hashes the UTF-8 bytes of {@code text}. An unpaired surrogate is encoded as {@code ?}, as in
   * {@link String#getBytes(java.nio.charset.Charset)}. Text of up to 4,096 characters is hashed
   * without allocating.
   */
  long hashText(CharSequence text);

  /** Hashes the four little-endian bytes of {@code value}. */
  long hashInt(int value);

  /** Hashes the eight little-endian bytes of {@code value}. */
  long hashLong(long value);

  /** Hashes the eight little-endian bytes of {@code first}, then those of {@code second}. */
  long hashLongs(long first, long second);
}
