package dev.tamis.redis;

/**
 * An empty filter beside another one, to be filled and then to take its place.
 *
 * <pre>{@code
 * try (Rebuild<String> rebuild = builder.expectedKeys(200_000_000).replace(seen)) {
 *   rebuild.filter().putAll(keysToKeep);
 *   rebuild.swap();
 * }
 * }</pre>
 *
 * <p>Whoever has the old filter open goes on with the new one by itself: with its next call to a
 * shard that has been replaced. Each shard is replaced in one step, the first one first. Nobody
 * sees a filter that is half full. A key that somebody puts into the old filter meanwhile is gone
 * with it, unless it is put into the new one too.
 *
 * <p>For one thread at a time; the filters are for any number.
 *
 * @param <T> the type of key
 */
public final class Rebuild<T> implements AutoCloseable {

  private final ShardStore store;
  private final RedisBloomFilter<T> old;
  private final Epoch replaced;
  private final Epoch beside;
  private final RedisBloomFilter<T> filter;
  private boolean finished;

  Rebuild(
      ShardStore store,
      RedisBloomFilter<T> old,
      Epoch replaced,
      Epoch beside,
      RedisBloomFilter<T> filter) {
    this.store = store;
    this.old = old;
    this.replaced = replaced;
    this.beside = beside;
    this.filter = filter;
  }

  /** Returns the new filter, until it is swapped in. */
  public RedisBloomFilter<T> filter() {
    return filter;
  }

  /**
   * Puts the new filter in the place of the old one, and makes the old object follow. {@link
   * #filter} is of no use afterwards.
   *
   * @throws FilterExistsException if somebody else has replaced the old one since this began; the
   *     new one is removed then
   * @throws FilterLostException if a part of the new one is missing; nothing has changed then
   * @throws RedisUnavailableException if the server does not answer: it may be swapped or not, and
   *     this may be called again
   */
  public void swap() {
    if (finished) {
      throw new IllegalStateException("the filter was swapped in or closed before");
    }
    if (!isSwapped()) {
      filter.current().requireWhole();
      if (!store.commit(beside.header(), replaced.stamp(0)) && !isSwapped()) {
        close();
        throw new FilterExistsException(
            "somebody else has replaced the filter " + old.name() + " meanwhile");
      }
    }
    filter.current().retire();
    store.open();
    old.current().follow(replaced, 0, 0);
    finished = true;
  }

  /** Returns whether an earlier attempt, whose reply was lost, has done it. */
  private boolean isSwapped() {
    return Header.readStamp(store.firstHeader()) == beside.stamp(0);
  }

  /**
   * Removes the new filter, if it was not swapped in. It stays if it was and nobody has heard of
   * it, because the reply to {@link #swap} was lost.
   *
   * @throws RedisUnavailableException if the server does not answer: a part of it may be left then
   */
  @Override
  public void close() {
    if (!finished) {
      finished = true;
      filter.current().retire();
      store.abandon(beside.header());
    }
  }
}
