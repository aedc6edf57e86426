package dev.tamis.redis;

import static java.util.Objects.requireNonNull;

import dev.tamis.Confidence;
import dev.tamis.DropAware;
import dev.tamis.Estimate;
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
 *   visit(url); // true for no other process
 * }
 * }</pre>
 *
 * <p>It has the hash and the bits of a {@link BloomFilter} of the same shape: {@link #putAll}
 * uploads one, {@link #writeTo} downloads it byte for byte. A put is one command and one round
 * trip, and of all puts of a key, by any process, at most one returns true. (Unless the server
 * loses writes: see "What a server can lose" in docs/redis.md.) Safe for any number of threads.
 *
 * <p>Every command compares the header. The next call detects a filter that was flushed, evicted,
 * deleted or recreated by another client, and throws {@link FilterLostException}. If it was
 * replaced by {@link Rebuild}, the call continues with the replacement. All calls to the server
 * throw subclasses of {@link RedisFilterException}.
 *
 * @param <T> the type of key
 */
public final class RedisBloomFilter<T> extends StoredFilter<T> implements DropAware, Storable {

  private final CurrentEpoch current;
  private final KeyBatches batches;

  RedisBloomFilter(
      Server server, Supplier<Epoch> opener, BoundHasher<T> hasher, String name, Epoch epoch) {
    super(server, hasher, name);
    this.current = new CurrentEpoch(server, opener, name, epoch);
    this.batches = new KeyBatches(server, current);
  }

  /**
   * Starts a filter.
   *
   * @param link the link to the server; the filter does not close it
   * @param name the prefix of the server's keys; without braces
   * @param hasher determines which bytes of a key are hashed
   */
  public static <T> RedisBloomFilterBuilder<T> builder(
      RedisLink link, String name, KeyHasher<? super T> hasher) {
    return new RedisBloomFilterBuilder<>(link, name, hasher);
  }

  /**
   * Opens an existing filter with its stored parameters. Counts its set bits.
   *
   * @throws FilterLostException if it does not exist, or a part of it is missing
   * @throws FilterMismatchException if the name is used by something else, or the hasher does not
   *     match
   */
  public static <T> RedisBloomFilter<T> open(
      RedisLink link, String name, KeyHasher<? super T> hasher) {
    Server server = new Server(requireNonNull(link, "link"));
    ShardStore store = new ShardStore(server, name);
    Epoch epoch = store.open();
    BoundHasher<T> bound = epoch.header().requireFit(hasher);
    return new RedisBloomFilter<>(server, store::open, bound, name, epoch);
  }

  /**
   * Deletes a filter, or its remains. Clients that have it open get a {@link FilterLostException}.
   *
   * @return whether anything was deleted
   */
  public static boolean delete(RedisLink link, String name) {
    return new ShardStore(new Server(requireNonNull(link, "link")), name).delete();
  }

  /**
   * Checks whether the server replies and every shard is there, and how durable they are. Throws no
   * {@link RedisFilterException}. Reads nine bytes of each shard.
   */
  public RedisHealth health() {
    return RedisHealth.of(server, lastSeen().shards(), current::requireWhole);
  }

  @Override
  Epoch lastSeen() {
    return current.lastSeen();
  }

  @Override
  void putBatch(long[] hashes, int from, int to, boolean[] isNew) {
    batches.put(hashes, from, to, isNew);
  }

  @Override
  void queryBatch(long[] hashes, int from, int to, boolean[] answers) {
    batches.query(hashes, from, to, answers);
  }

  KeyBatches batches() {
    return batches;
  }

  boolean isOver(RedisLink link) {
    return server.isOver(link);
  }

  CurrentEpoch current() {
    return current;
  }

  /** Returns the layout, bits and hashes. */
  public Shape shape() {
    return lastSeen().header().sizing().shape();
  }

  /**
   * {@inheritDoc}
   *
   * <p>Here the server counts the set bits, and the fpp is that of a filter with as many keys as
   * they indicate. It reads the whole filter, a millisecond for every 6 MB.
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
   * <p>Here: the keys estimated from the set bits when this object was created or the filter was
   * replaced, and those that this object accepted since. Keys that other processes put since then
   * count in {@link #approximateElementCount} only.
   */
  @Override
  public long acceptedKeys() {
    return current.acceptedKeys();
  }

  /**
   * {@inheritDoc}
   *
   * <p>Here: by puts of this object. The server counts the set bits, as for {@link #expectedFpp},
   * because keys that others put make its own collide too; the keys of this object are taken to be
   * spread evenly over all those that came since it was created. Objects that share the filter may
   * add up their numbers.
   */
  @Override
  public double expectedWrongDrops() {
    return current.expectedWrongDrops();
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
    return Frame.bytes(lastSeen().shards().payloadBytes());
  }

  /**
   * Downloads the filter as a file that {@link BloomFilter#readFrom} reads. Other clients may put
   * keys during the download: every key whose put returned before the call is in the file, others
   * may be.
   *
   * @throws FilterLostException if the filter is lost; the bytes written so far are incomplete then
   * @throws IOException if {@code out} fails, or the filter is replaced concurrently
   */
  @Override
  public void writeTo(OutputStream out) throws IOException {
    Epoch now = current.requireWhole();
    FrameWriter writer = new FrameWriter(out, Kind.BLOOM, now.shards().payloadBytes());
    now.header().copyParameters(writer.header());
    new Transfer(server).download(now, writer.payload(), current);
    writer.finish();
  }

  /**
   * Merges {@code other} into this filter, as if each of its keys had been put. Uploads its bits
   * under temporary keys and merges them shard by shard, each atomically. The two must have the
   * same shape, which by default they have not: see {@link RedisBloomFilterBuilder#layout}.
   *
   * @throws IllegalArgumentException if the two are not compatible, naming the difference; nothing
   *     has changed then
   * @throws UncertainPutException if it was interrupted: some of the keys may have been put. It is
   *     safe to merge again.
   */
  public void putAll(BloomFilter<T> other) {
    Epoch now = current.get();
    now.header()
        .incompatibility(other.shape(), other.hashId())
        .ifPresent(
            difference -> {
              throw new IllegalArgumentException(
                  "filter "
                      + name
                      + ": not compatible: "
                      + difference
                      + "; both need the same layout, bits and hashes");
            });
    new Transfer(server).merge(other, now, name, current);
    try {
      current.recount();
    } catch (RedisUnavailableException | RedisRefusedException e) {
      throw new UncertainPutException(
          "filter " + name + ": the keys were put but not counted: " + e.getMessage(), 0, e);
    }
  }

  /**
   * Sets the time after which the server expires the filter, from now on. It is lost then, which
   * the next call of each process detects.
   *
   * @param timeToLive at least a millisecond
   */
  public void expireAfter(Duration timeToLive) {
    Epoch now = current.requireWhole();
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
      throw new IllegalArgumentException("timeToLive: must be at least 1 ms, got " + timeToLive);
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
}
