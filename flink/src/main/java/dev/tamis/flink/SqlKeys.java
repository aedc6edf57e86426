package dev.tamis.flink;

import dev.tamis.hash.HashFunction;
import dev.tamis.hash.KeyHasher;
import org.apache.flink.table.api.ValidationException;

/**
 * Hashes keys of SQL by their own types, as {@link KeyHasher} does.
 *
 * @param rule the type of all keys, which a new filter states in its file; otherwise empty
 */
record SqlKeys(String rule) implements KeyHasher<Object> {

  /** For a filter that exists, which states the type itself, or none. */
  static final SqlKeys AS_STATED = new SqlKeys("");

  /** Returns the hasher for a filter of keys of the same type. */
  static SqlKeys of(Object key) {
    return new SqlKeys(typeOf(key));
  }

  @Override
  public long hash(Object key, HashFunction by) {
    return switch (typeOf(key)) {
      case "t" -> by.hashText((String) key);
      case "l" -> by.hashLong((Long) key);
      case "i" -> by.hashInt((Integer) key);
      default -> by.hashBytes((byte[]) key, 0, ((byte[]) key).length);
    };
  }

  private static String typeOf(Object key) {
    if (key instanceof String) {
      return "t";
    }
    return key instanceof Long ? "l" : key instanceof Integer ? "i" : "b";
  }

  /**
   * Returns a key as one of the type that a filter was built from: an INT is widened to a BIGINT.
   *
   * @param stated the type that the filter states, or nothing
   * @throws ValidationException if the key is of another type
   */
  static Object asStated(String function, Object key, String stated) {
    if (stated.isEmpty() || stated.equals(typeOf(key))) {
      return key;
    }
    if (stated.equals("l") && key instanceof Integer number) {
      return number.longValue();
    }
    throw new ValidationException(
        function
            + ": key: must be of the type that the filter was built from, "
            + name(stated)
            + ", got "
            + name(typeOf(key))
            + "; use CAST");
  }

  private static String name(String type) {
    return switch (type) {
      case "t" -> "STRING";
      case "l" -> "BIGINT";
      case "i" -> "INT";
      case "b" -> "BYTES";
      default -> "a row of several columns";
    };
  }
}
