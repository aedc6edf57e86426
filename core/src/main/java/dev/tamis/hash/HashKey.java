package dev.tamis.hash;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A secret of 128 bits that keys the hash of one filter.
 *
 * <p>Give every filter that an attacker can put keys into, or query, a key of its own. A filter
 * never writes its key: its bytes contain only the {@link #id}, so store the key separately, as a
 * secret.
 *
 * <p>Immutable and safe for any number of threads.
 */
public final class HashKey {

  /** The bytes of a key. */
  public static final int BYTES = 16;

  private static final byte[] ID_CONTEXT = "tamis hash key id 1".getBytes(US_ASCII);

  private final long first;
  private final long second;
  private final long id;

  private HashKey(byte[] bytes) {
    ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    this.first = words.getLong();
    this.second = words.getLong();
    this.id = idOf(bytes);
  }

  /** Returns the key with these {@value #BYTES} bytes, from a cryptographically secure source. */
  public static HashKey of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("a hash key has " + BYTES + " bytes, got " + bytes.length);
    }
    return new HashKey(bytes);
  }

  /** Returns a new key, drawn from {@code random}. */
  public static HashKey random(SecureRandom random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return new HashKey(bytes);
  }

  /**
   * Returns the number by which files and messages name this key: the first eight bytes,
   * little-endian, of the SHA-256 of a fixed text and the key. They confirm a guess of the key, so
   * it must be random, and disclose nothing else about it.
   */
  public long id() {
    return id;
  }

  long first() {
    return first;
  }

  long second() {
    return second;
  }

  private static long idOf(byte[] bytes) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(ID_CONTEXT);
      return ByteBuffer.wrap(digest.digest(bytes)).order(ByteOrder.LITTLE_ENDIAN).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof HashKey other
        && id == other.id
        && first == other.first
        && second == other.second;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(id);
  }

  /** Returns the id; the key itself is never printed. */
  @Override
  public String toString() {
    return "HashKey(id=" + HexFormat.of().toHexDigits(id) + ")";
  }
}
