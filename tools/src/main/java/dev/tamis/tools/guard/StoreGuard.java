package dev.tamis.tools.guard;

import static java.util.Objects.requireNonNull;

import dev.tamis.hash.KeyHasher;

/**
 * A filter in memory before a store, so that most absent keys are never looked for in it.
 *
 * <pre>{@code
 * StoreGuard<String, User> users =
 *     StoreGuard.<String>builder(KeyHasher.text())
 *         .expectedKeys(1_000_000)
 *         .fpp(0.01)
 *         .file(Path.of("users.tamis"))
 *         .build(table);
 * if (users.state() != GuardState.READY) {
 *   users.rebuild(table::keys);
 * }
 * User user = users.get("ann"); // null, and no query to the database, if there is no Ann
 * }</pre>
 *
 * <p>Everything that {@link ReadGuard} says holds. <b>All writes must go through this guard</b>: a
 * key that another program puts into the store is unknown to the filter and looks absent. After
 * such a write call {@link #rebuild}, and while no guard runs, remove its file.
 *
 * <p>A removed key stays in the filter, where it costs reads until a rebuild, and once such keys
 * are too large a share the state is {@link GuardState#STALE}. With {@link GuardBuilder#removable}
 * it leaves the filter.
 *
 * @param <K> the type of key
 * @param <V> the type of value
 */
public final class StoreGuard<K, V> extends ReadGuard<K, V> implements Store<K, V> {

  private final Store<K, V> store;

  StoreGuard(GuardBuilder<K> settings, Store<K, V> store) {
    super(settings, store, store::sync);
    this.store = store;
  }

  /** Starts a guard, for reading and writing or for reading alone, with keys hashed so. */
  public static <K> GuardBuilder<K> builder(KeyHasher<? super K> hasher) {
    return new GuardBuilder<>(requireNonNull(hasher, "hasher"));
  }

  /**
   * Puts a value into the store, after its key into the filter. What the store throws comes out as
   * it is.
   *
   * @throws java.io.UncheckedIOException if the saved filter, out of date with this put, cannot be
   *     taken away; nothing was written then
   */
  @Override
  public boolean put(K key, V value) {
    requireNonNull(key, "key");
    requireNonNull(value, "value");
    GuardCore<K> core = core();
    GuardVersion<K> version = core.beginWrite();
    try {
      GuardCore.NewTo newTo = core.putInto(version, key);
      boolean done = false;
      boolean newToStore = false;
      try {
        newToStore = store.put(key, value);
        done = true;
      } finally {
        if (!done) {
          core.putFailed(version, key, newTo);
        }
      }
      core.stored(version, key, newToStore, newTo);
      return newToStore;
    } finally {
      core.endWrite(version);
    }
  }

  /**
   * Removes a key from the store, and then from the filter if that can be. What the store throws
   * comes out as it is; the key is still in the filter then.
   *
   * @throws java.io.UncheckedIOException if the saved filter, out of date with this, cannot be
   *     taken away; nothing was removed then
   */
  @Override
  public boolean remove(K key) {
    requireNonNull(key, "key");
    GuardCore<K> core = core();
    GuardVersion<K> version = core.beginWrite();
    try {
      boolean removed = store.remove(key);
      if (removed) {
        core.removed(version, key);
      }
      return removed;
    } finally {
      core.endWrite(version);
    }
  }

  @Override
  public void sync() {
    store.sync();
  }
}
