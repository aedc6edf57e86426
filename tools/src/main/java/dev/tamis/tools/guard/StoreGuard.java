package dev.tamis.tools.guard;

import static java.util.Objects.requireNonNull;

import dev.tamis.hash.KeyHasher;

/**
 * A filter in memory before a store, so that most absent keys are never looked up in it.
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
 * <p>See {@link ReadGuard} for the rest. <b>All writes must go through this guard</b>: a key that
 * another program puts into the store is not in the filter and looks absent. After such a write
 * call {@link #rebuild}; if no guard runs, remove its file.
 *
 * <p>A removed key stays in the filter, where it costs reads until a rebuild; once such keys are
 * too large a share, the state is {@link GuardState#STALE}. With {@link GuardBuilder#removable} it
 * leaves the filter.
 */
public final class StoreGuard<K, V> extends ReadGuard<K, V> implements Store<K, V> {

  private final Store<K, V> store;

  StoreGuard(GuardBuilder<K> settings, Store<K, V> store) {
    super(settings, store, store::sync);
    this.store = store;
  }

  /** Starts a guard for reading and writing, or for reading alone. */
  public static <K> GuardBuilder<K> builder(KeyHasher<? super K> hasher) {
    return new GuardBuilder<>(requireNonNull(hasher, "hasher"));
  }

  /**
   * Puts the key into the filter and then the value into the store. Exceptions of the store
   * propagate.
   *
   * @throws java.io.UncheckedIOException if the saved filter, out of date with this put, cannot be
   *     removed; nothing was written then
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
   * Removes a key from the store, and then from a {@link GuardBuilder#removable} filter. If the
   * store throws, the key is still in the filter.
   *
   * @throws java.io.UncheckedIOException if the saved filter, out of date with this, cannot be
   *     removed; nothing was removed then
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
