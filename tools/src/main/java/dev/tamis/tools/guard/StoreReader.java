package dev.tamis.tools.guard;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The reading side of a store, such as a reference to the method that looks a key up. */
@FunctionalInterface
public interface StoreReader<K, V> {

  /** Returns the value of {@code key}, or null if the store has none. */
  @Nullable V get(K key);

  /**
   * Returns the values of those of {@code keys} that have one. The default reads one key at a time;
   * to be overridden by stores that can read several at once.
   */
  default Map<K, V> getAll(Collection<? extends K> keys) {
    Map<K, V> found = new HashMap<>();
    for (K key : keys) {
      V value = get(key);
      if (value != null) {
        found.put(key, value);
      }
    }
    return found;
  }
}
