package dev.tamis.sketch;

import static java.util.Objects.requireNonNull;

/**
 * A frequent key, with certain lower and upper bounds of its count.
 *
 * @param key the key
 * @param count never less than its true count, and more by {@code error} at most
 * @param error 0 to {@code count}; 0 if the count is exact
 * @param <T> the type of key
 */
public record HeavyHitter<T>(T key, long count, long error) {

  /** Checks that 0 ≤ error ≤ count. */
  public HeavyHitter {
    requireNonNull(key, "key");
    if (error < 0 || count < error) {
      throw new IllegalArgumentException(
          "a count needs 0 <= error <= count, got " + error + " and " + count);
    }
  }

  /** Returns how often the key was put at least. */
  public long atLeast() {
    return count - error;
  }
}
