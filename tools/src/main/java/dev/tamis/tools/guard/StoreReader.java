package dev.tamis.tools.guard;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The reading side of a store: a method reference to whatever looks a key up.
 *
 * @param <K> the type of key
 * @param <V> the type of value
 */
@FunctionalInterface
public interface StoreReader<K, V> {

  /** Returns the value of {@code key}, or null if the store has none. */
  @Nullable V get(K key);

  /**
   * Returns the values of those of {@code keys} that have one. Asks for one after the other; a
   * store that can answer many at once overrides this.
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
