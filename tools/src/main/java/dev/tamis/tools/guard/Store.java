package dev.tamis.tools.guard;

/**
 * A store behind a guard, with one value for each key.
 *
 * <p>Must be thread-safe. {@link #put} and {@link #remove} must return what they did atomically: of
 * several threads that remove a key at once, at most one gets true. The update counts of a database
 * and the results of a {@code ConcurrentMap} do that; reading first and then writing does not. A
 * guard with a removable filter depends on these results.
 */
public interface Store<K, V> extends StoreReader<K, V> {

  /**
   * Stores or replaces a value. A read that begins after this has returned finds it.
   *
   * @return false if it certainly replaced a value; true if the key is new, or the store cannot
   *     tell
   */
  boolean put(K key, V value);

  /**
   * Removes a key and its value.
   *
   * @return true if the key was there and this call removed it, false if it was not there
   */
  boolean remove(K key);

  /**
   * Makes removals durable. A guard calls this before it saves a filter without those keys. To be
   * overridden by stores whose {@link #remove} returns before its effect is durable.
   */
  default void sync() {}
}
