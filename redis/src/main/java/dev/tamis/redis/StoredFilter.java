package dev.tamis.redis;

import dev.tamis.HashedMutableFilter;
import dev.tamis.Sized;
import dev.tamis.hash.BoundHasher;
import java.util.Objects;

/**
 * The common part of plain filters and windows, which put and query keys in batches of commands.
 *
 * @param <T> the type of key
 */
abstract sealed class StoredFilter<T> implements HashedMutableFilter<T>, Sized
    permits RedisBloomFilter, RedisWindowedBloomFilter {

  final Server server;
  private final BoundHasher<T> hasher;
  final String name;

  StoredFilter(Server server, BoundHasher<T> hasher, String name) {
    this.server = server;
    this.hasher = hasher;
    this.name = name;
  }

  /** Returns the epoch that was last seen, lost or not. */
  abstract Epoch lastSeen();

  /** Puts the hashes from index {@code from} up to {@code to}, exclusive: no more than a batch. */
  abstract void putBatch(long[] hashes, int from, int to, boolean[] isNew);

  /** Queries the hashes from index {@code from} up to {@code to}, exclusive. */
  abstract void queryBatch(long[] hashes, int from, int to, boolean[] answers);

  /**
   * {@inheritDoc}
   *
   * @throws UncertainPutException if the reply did not arrive; from a window also if the key may be
   *     forgotten early
   * @throws RedisUnavailableException if the command was not sent
   * @throws RedisRefusedException if the server refuses, for example when out of memory
   */
  @Override
  public boolean putHash(long hash) {
    boolean[] isNew = new boolean[1];
    putBatch(new long[] {hash}, 0, 1, isNew);
    return isNew[0];
  }

  /**
   * {@inheritDoc}
   *
   * <p>Here up to 256 of them are in flight.
   *
   * @throws UncertainPutException if a reply did not arrive, or was a refusal after others; it says
   *     how many results are valid
   */
  @Override
  public void putHashes(long[] hashes, int count, boolean[] isNew) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, isNew.length));
    for (int from = 0; from < count; from += Server.BATCH) {
      putBatch(hashes, from, Math.min(count, from + Server.BATCH), isNew);
    }
  }

  @Override
  public boolean mightContainHash(long hash) {
    boolean[] answers = new boolean[1];
    queryBatch(new long[] {hash}, 0, 1, answers);
    return answers[0];
  }

  @Override
  public void mightContainHashes(long[] hashes, int count, boolean[] answers) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, answers.length));
    for (int from = 0; from < count; from += Server.BATCH) {
      queryBatch(hashes, from, Math.min(count, from + Server.BATCH), answers);
    }
  }

  @Override
  public BoundHasher<T> hasher() {
    return hasher;
  }

  /** Returns the name by which it was created or opened. */
  public String name() {
    return name;
  }

  /** Returns n, the distinct keys that were expected, within a window if it is one. */
  @Override
  public long expectedKeys() {
    return lastSeen().header().sizing().expectedKeys();
  }

  /** Returns the fpp that is not exceeded while no more keys come, evenly over a window. */
  @Override
  public double fpp() {
    return lastSeen().header().sizing().fpp();
  }

  /** Returns the number of shards, each one string of the server. */
  public int shards() {
    return lastSeen().shards().count();
  }

  @Override
  public String toString() {
    return traits().toString();
  }
}
