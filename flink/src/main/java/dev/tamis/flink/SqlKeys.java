package dev.tamis.flink;

import dev.tamis.hash.HashFunction;
import org.apache.flink.table.api.ValidationException;

/** Hashes keys of SQL as {@link KeyHasher} does. */
final class SqlKeys {

  private SqlKeys() {}

  /**
   * Returns the hash of a key.
   *
   * @param function who asks, for the message
   * @throws ValidationException if keys of this type have no hash
   */
  static long hash(String function, Object key, HashFunction by) {
    if (key instanceof String text) {
      return by.hashText(text);
    }
    if (key instanceof Long number) {
      return by.hashLong(number);
    }
    if (key instanceof Integer number) {
      return by.hashInt(number);
    }
    if (key instanceof byte[] bytes) {
      return by.hashBytes(bytes, 0, bytes.length);
    }
    throw new ValidationException(
        function
            + ": key: must be of type STRING, BIGINT, INT or BYTES, got a "
            + key.getClass().getSimpleName()
            + "; use CAST");
  }
}
