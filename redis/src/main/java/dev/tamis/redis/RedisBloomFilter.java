package dev.tamis.redis;

import static java.util.Objects.requireNonNull;

import dev.tamis.Confidence;
import dev.tamis.DropAware;
import dev.tamis.Estimate;
import dev.tamis.HashedMutableFilter;
import dev.tamis.Storable;
import dev.tamis.Traits;
import dev.tamis.filter.BloomFilter;
import dev.tamis.format.Frame;
import dev.tamis.format.FrameWriter;
import dev.tamis.format.Kind;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Shape;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * A Bloom filter that lives in a Redis or Valkey server, or in a cluster, shared by any number of
 * processes.
 *
 * <pre>{@code
 * RedisLink link = JedisLink.to(URI.create("redis://localhost:6379"), Duration.ofSeconds(1), 8);
 * RedisBloomFilter<String> seen =
 *     RedisBloomFilter.<String>builder(link, "visited", KeyHasher.text())
 *         .expectedKeys(100_000_000)
 *         .fpp(0.01)
 *         .createOrOpen();
 * if (seen.put(url)) {
 *   visit(url); // no other process was told the same
 * }
 * }</pre>
 *
 * <p>It has the hash and the bits of a {@link BloomFilter} of the same parameters: {@link #putAll}
 * uploads one, {@link #writeTo} downloads it byte for byte. A put is one command and one round
 * trip, and of all puts of one key, by whichever process, at most one returns true. (Unless the
 * server forgets: see docs/redis.md for what replication and restarts can lose.) Safe for any
 * number of threads.
 *
 * <p>Every command compares the header. A filter that was flushed, evicted, deleted or made anew by
 * somebody else is noticed by the next call, which throws {@link FilterLostException}. One that was
 * replaced on purpose, by {@link Rebuild}, is followed without further ado. All calls that speak to
 * the server throw subclasses of {@link RedisFilterException}.
 *
 * @param <T> the type of key
 */
public final class RedisBloomFilter<T> implements HashedMutableFilter<T>, DropAware, Storable {

  private final Server server;
  private final BoundHasher<T> hasher;
  private final String name;
  private final Current current;
  private final KeyBatches batches;

  RedisBloomFilter(
      Server server,
      Supplier<Generation> opener,
      BoundHasher<T> hasher,
      String name,
      Generation generation) {
    this.server = server;
    this.hasher = hasher;
    this.name = name;
    this.current = new Current(server, opener, name, generation);
    this.batches = new KeyBatches(server, current);
  }

  /**
   * Starts a filter.
   *
   * @param link the way to the server; the filter does not close it
   * @param name begins the names of the server's keys; without braces
   * @param hasher says which bytes of a key count
   */
  public static <T> RedisBloomFilterBuilder<T> builder(
      RedisLink link, String name, KeyHasher<? super T> hasher) {
    return new RedisBloomFilterBuilder<>(link, name, hasher);
  }

  /**
   * Opens a filter that somebody has made, with the parameters it has. Counts its ones.
   *
   * @throws FilterLostException if there is none, or a part of it is missing
   * @throws FilterMismatchException if the name is taken by something else, or the hasher does not
   *     fit
   */
  public static <T> RedisBloomFilter<T> open(
      RedisLink link, String name, KeyHasher<? super T> hasher) {
    Server server = new Server(requireNonNull(link, "link"));
    ShardStore store = new ShardStore(server, name);
    Generation generation = store.open();
    BoundHasher<T> bound = generation.header().requireFit(hasher);
    return new RedisBloomFilter<>(server, store::open, bound, name, generation);
  }

  /**
   * Deletes a filter, or what is left of one. Whoever has it open gets a {@link
   * FilterLostException}.
   *
   * @return whether there was anything
   */
  public static boolean delete(RedisLink link, String name) {
    return new ShardStore(new Server(requireNonNull(link, "link")), name).delete();
  }

  /**
   * {@inheritDoc}
   *
   * @throws UncertainPutException if the reply did not come
   * @throws RedisUnavailableException if the command was not sent
   * @throws RedisRefusedException if the server refuses, for want of memory for example
   */
  @Override
  public boolean putHash(long hash) {
    boolean[] isNew = new boolean[1];
    batches.put(new long[] {hash}, 0, 1, isNew);
    return isNew[0];
  }

  /**
   * {@inheritDoc}
   *
   * <p>Here 256 of them are under way together. Where it fails, the exception says how far the
   * answers go.
   *
   * @throws UncertainPutException if a reply did not come, or was a refusal after others
   */
  @Override
  public void putHashes(long[] hashes, int count, boolean[] isNew) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, isNew.length));
    for (int from = 0; from < count; from += Server.BATCH) {
      batches.put(hashes, from, Math.min(count, from + Server.BATCH), isNew);
    }
  }

  @Override
  public boolean mightContainHash(long hash) {
    boolean[] answers = new boolean[1];
    batches.ask(new long[] {hash}, 0, 1, answers);
    return answers[0];
  }

  /**
   * {@inheritDoc}
   *
   * <p>Here a few hundred commands are under way together.
   */
  @Override
  public void mightContainHashes(long[] hashes, int count, boolean[] answers) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, answers.length));
    int batch = Server.BATCH / 2; // leaves room for a stamp for each shard that they are in
    for (int from = 0; from < count; from += batch) {
      batches.ask(hashes, from, Math.min(count, from + batch), answers);
    }
  }

  /** Returns the state behind this object, for those who replace it. */
  Current current() {
    return current;
  }

  @Override
  public BoundHasher<T> hasher() {
    return hasher;
  }

  /** Returns the name it was made or opened by. */
  public String name() {
    return name;
  }

  /** Returns the layout, bits and hashes. */
  public Shape shape() {
    return current.lastSeen().header().sizing().shape();
  }

  /** Returns n, the distinct keys the filter was made for. */
  public long expectedKeys() {
    return current.lastSeen().header().sizing().expectedKeys();
  }

  /** Returns the fpp the filter was made for, or has when the expected keys are in. */
  public double fpp() {
    return current.lastSeen().header().sizing().fpp();
  }

  /** Returns into how many of the server's strings it is cut. */
  public int shards() {
    return current.lastSeen().shards().count();
  }

  /**
   * {@inheritDoc}
   *
   * <p>Here the server counts the ones, and the fpp is that of a filter with as many keys as they
   * tell. It reads through the whole filter, a millisecond for every 6 MB.
   */
  @Override
  public double expectedFpp() {
    Estimate keys = approximateElementCount();
    return keys.isBounded() ? shape().fpp(keys.rounded()) : 1;
  }

  @Override
  public Estimate approximateElementCount(Confidence confidence) {
    return current.estimate(confidence);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Here: the keys that were in when this object was made or the filter was replaced, as its
   * bits told, and those that this object took as new since. What other processes put meanwhile is
   * in {@link #approximateElementCount} only.
   */
  @Override
  public long acceptedKeys() {
    return current.tally().keys();
  }

  @Override
  public double expectedWrongDrops() {
    return current.tally().expectedWrongDrops(shape()::fpp);
  }

  @Override
  public long bitSize() {
    return shape().bits();
  }

  @Override
  public Kind kind() {
    return Kind.BLOOM;
  }

  @Override
  public long serializedSize() {
    return Frame.bytes(current.lastSeen().shards().payloadBytes());
  }

  /**
   * Downloads the filter as a file that {@link BloomFilter#readFrom} reads. Others may go on: every
   * key whose put returned before the call is in the bytes, others may be.
   *
   * @throws FilterLostException if the filter is lost; what was written is no whole file then
   * @throws IOException if {@code out} fails, or the filter is replaced meanwhile
   */
  @Override
  public void writeTo(OutputStream out) throws IOException {
    Generation now = current.requireWhole();
    FrameWriter writer = new FrameWriter(out, Kind.BLOOM, now.shards().payloadBytes());
    now.header().copyParameters(writer.header());
    new Transfer(server).download(now, writer.payload(), current::follow);
    writer.finish();
  }

  /**
   * Puts everything in that {@code other} holds, as if each of its keys had been put here. Uploads
   * its bits beside the filter and merges them shard by shard, each in one step.
   *
   * @throws IllegalArgumentException if the two are not compatible, naming what differs; nothing
   *     has changed then
   * @throws UncertainPutException if it could not be finished: some of the keys may be in. To merge
   *     again does no harm.
   */
  public void putAll(BloomFilter<T> other) {
    Generation now = current.get();
    now.header()
        .incompatibility(other.shape(), other.hashId())
        .ifPresent(
            difference -> {
              throw new IllegalArgumentException("the two are not compatible: " + difference);
            });
    new Transfer(server).merge(other, now, name, current::follow);
    try {
      current.recount();
    } catch (RedisUnavailableException | RedisRefusedException e) {
      throw new UncertainPutException(
          "the keys are in, but they could not be counted: " + e.getMessage(), 0, e);
    }
  }

  /**
   * Lets the server forget the filter after this time, counted from now. It is lost then, which the
   * next call of each process notices.
   *
   * @param timeToLive at least a millisecond
   */
  public void expireAfter(Duration timeToLive) {
    Generation now = current.requireWhole();
    List<Command> commands = ShardStore.expire(now.shards(), requireTimeToLive(timeToLive));
    List<Reply> replies = server.send(commands);
    for (int i = 0; i < commands.size(); i++) {
      if (Server.number(commands.get(i), replies.get(i)) == 0) {
        current.requireWhole();
      }
    }
  }

  static Duration requireTimeToLive(Duration timeToLive) {
    if (timeToLive.toMillis() < 1) {
      throw new IllegalArgumentException(
          "timeToLive must be at least a millisecond, got " + timeToLive);
    }
    return timeToLive;
  }

  @Override
  public Traits traits() {
    return Traits.of("RedisBloomFilter")
        .with("name", name)
        .with(shape().traits())
        .with("expected keys", expectedKeys())
        .with("requested fpp", fpp())
        .matching("hash", hashId())
        .with("shards", shards());
  }

  @Override
  public String toString() {
    return traits().toString();
  }
}
