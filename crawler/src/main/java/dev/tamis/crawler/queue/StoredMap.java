package dev.tamis.crawler.queue;

import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.Page;

/**
 * A sorted map in a {@link QueueStore}, whose only errors are {@link MVStoreException}s.
 *
 * @param <K> the type of key
 * @param <V> the type of value
 */
final class StoredMap<K, V> {

  /*
   * The library trusts its file: on damaged or crafted pages it fails with whatever exception or
   * error comes up, and where an inner page is its own descendant it never returns. So inner
   * pages, about one in fifty, are visited when a map is opened, and errors are converted here.
   *
   * A map without types would read Java objects, hence the constructor that takes them.
   */

  /** Deeper than a tree with two children per page and a URL per byte of the largest file. */
  private static final int MAX_DEPTH = 64;

  private final MVMap<K, V> map;

  StoredMap(MVStore store, String name, StoredType<K> keys, StoredType<V> values) {
    map =
        checked(
            () -> {
              MVMap<K, V> opened =
                  store.openMap(name, new MVMap.Builder<K, V>().keyType(keys).valueType(values));
              requireTree(opened);
              return opened;
            });
  }

  /**
   * Checks that the inner pages of a map form a tree.
   *
   * @throws MVStoreException if they do not
   */
  static void requireTree(MVMap<?, ?> map) {
    visit(map.getRootPage(), 0, new HashSet<>());
  }

  private static void visit(Page<?, ?> page, int depth, Set<Long> visited) {
    if (page.isLeaf()) {
      return;
    }
    if (depth == MAX_DEPTH) {
      throw QueueStore.damage("pages are nested more than " + MAX_DEPTH + " deep");
    }
    for (int child = 0; child < page.getRawChildPageCount(); child++) {
      long position = page.getChildPagePos(child);
      if (!DataUtils.isLeafPosition(position)) {
        if (!visited.add(position)) {
          throw QueueStore.damage("page " + Long.toHexString(position) + " has two parents");
        }
        visit(page.getChildPage(child), depth + 1, visited);
      }
    }
  }

  /** Runs an operation of the library and converts what it throws on a damaged file. */
  static <R> R checked(Supplier<R> operation) {
    try {
      return operation.get();
    } catch (MVStoreException e) {
      throw e;
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError | AssertionError e) {
      throw QueueStore.damage(e);
    }
  }

  Optional<V> get(K key) {
    return checked(() -> Optional.ofNullable(map.get(key)));
  }

  void put(K key, V value) {
    checked(() -> Optional.ofNullable(map.put(key, value)));
  }

  Optional<V> remove(K key) {
    return checked(() -> Optional.ofNullable(map.remove(key)));
  }

  boolean containsKey(K key) {
    return checked(() -> map.containsKey(key));
  }

  Optional<K> firstKey() {
    return checked(() -> Optional.ofNullable(map.firstKey()));
  }

  /** Returns the least key that is at least {@code key}. */
  Optional<K> ceilingKey(K key) {
    return checked(() -> Optional.ofNullable(map.ceilingKey(key)));
  }

  Collection<K> keys() {
    return checked(map::keyList);
  }

  long size() {
    return checked(map::sizeAsLong);
  }
}
