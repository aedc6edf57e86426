package dev.tamis.redis;

/**
 * An empty filter that is to replace another one once it is filled.
 *
 * <pre>{@code
 * try (Rebuild<String> rebuild = builder.expectedKeys(200_000_000).replace(seen)) {
 *   rebuild.filter().putAll(keysToKeep);
 *   rebuild.swap();
 * }
 * }</pre>
 *
 * <p>Clients that have the old filter open continue with the new one, from their next call to a
 * shard that has been replaced. Each shard is replaced atomically, the first one first. No client
 * sees a partly filled filter. A key that is put only into the old filter during the rebuild is
 * lost with it.
 *
 * <p>Not safe for concurrent use; the filters are.
 *
 * @param <T> the type of key
 */
public final class Rebuild<T> implements AutoCloseable {

  private final ShardStore store;
  private final RedisBloomFilter<T> old;
  private final Epoch replaced;
  private final Epoch building;
  private final RedisBloomFilter<T> filter;
  private boolean finished;

  Rebuild(
      ShardStore store,
      RedisBloomFilter<T> old,
      Epoch replaced,
      Epoch building,
      RedisBloomFilter<T> filter) {
    this.store = store;
    this.old = old;
    this.replaced = replaced;
    this.building = building;
    this.filter = filter;
  }

  /** Returns the new filter, until it is swapped in. */
  public RedisBloomFilter<T> filter() {
    return filter;
  }

  /**
   * Replaces the old filter by the new one, with which the old object continues. {@link #filter} is
   * invalid afterwards.
   *
   * @throws FilterExistsException if another client has replaced the old one since this began; the
   *     new one is deleted then
   * @throws FilterLostException if a part of the new one is missing; nothing has changed then
   * @throws RedisUnavailableException if the server does not reply: the swap may have happened, and
   *     this may be called again
   */
  public void swap() {
    if (finished) {
      throw new IllegalStateException(
          "rebuild of filter "
              + old.name()
              + ": was swapped in or closed before; begin another one");
    }
    if (!isSwapped()) {
      filter.current().requireWhole();
      if (!store.commit(building.header(), replaced.stamp(0)) && !isSwapped()) {
        close();
        throw new FilterExistsException(
            "filter "
                + old.name()
                + ": was replaced concurrently by another client; rebuild again");
      }
    }
    filter.current().retire();
    store.open();
    old.current().follow(replaced, 0, 0);
    finished = true;
  }

  /** Returns whether an earlier attempt, whose reply was lost, has succeeded. */
  private boolean isSwapped() {
    return Header.readStamp(store.firstHeader()) == building.stamp(0);
  }

  /**
   * Deletes the new filter, if it was not swapped in. It stays if it was swapped in by a {@link
   * #swap} whose reply was lost.
   *
   * @throws RedisUnavailableException if the server does not reply: a part of it may be left then
   */
  @Override
  public void close() {
    if (!finished) {
      finished = true;
      filter.current().retire();
      store.abandon(building.header());
    }
  }
}
