package dev.tamis.tools.guard;

/**
 * A store that a guard can stand before: it keeps one value for each key.
 *
 * <p>Any number of threads may call it at once. {@link #put} and {@link #remove} must say what they
 * did, as one step: of several threads that remove a key at once, at most one gets true. The counts
 * of a database's UPDATE and DELETE and the answers of a {@code ConcurrentMap} are of that kind;
 * reading first and writing then is not. A guard that can remove goes by these answers.
 *
 * @param <K> the type of key
 * @param <V> the type of value
 */
public interface Store<K, V> extends StoreReader<K, V> {

  /**
   * Stores {@code value}, in place of the one before if there is one. A reader that asks once this
   * has returned finds it.
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
   * Makes what was removed stay removed even if the machine stops now. A guard calls this before it
   * saves a filter from which those keys are missing. Does nothing unless overridden: right for
   * stores whose {@link #remove} returns when that is so, wrong for those that write later.
   */
  default void sync() {}
}
