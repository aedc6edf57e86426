package dev.tamis.redis;

import static java.util.Objects.requireNonNull;

import dev.tamis.Estimate;
import dev.tamis.HashId;
import dev.tamis.KeyHasher;
import dev.tamis.MutableFilter;
import dev.tamis.filter.BloomFilter;
import dev.tamis.format.Frame;
import dev.tamis.format.FrameWriter;
import dev.tamis.format.Kind;
import dev.tamis.sizing.KeyCounts;
import dev.tamis.sizing.Shape;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
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
public final class RedisBloomFilter<T> implements MutableFilter<T> {

  private final Server server;
  private final Supplier<Generation> opener;
  private final Keying<T> keying;
  private final String name;
  private final Tally tally;
  private volatile Generation generation;
  private volatile boolean lost;

  RedisBloomFilter(
      Server server,
      Supplier<Generation> opener,
      Keying<T> keying,
      String name,
      Generation generation) {
    this.server = server;
    this.opener = opener;
    this.keying = keying;
    this.name = name;
    this.generation = generation;
    this.tally = new Tally();
    tally.continueFrom(estimate(generation).rounded(), shape()::fpp);
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
    Keying<T> keying = Keying.of(hasher, generation.header().hashId());
    return new RedisBloomFilter<>(server, store::open, keying, name, generation);
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
    putBatch(new long[] {hash}, 0, 1, isNew);
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
      putBatch(hashes, from, Math.min(count, from + Server.BATCH), isNew);
    }
  }

  private void putBatch(long[] hashes, int from, int to, boolean[] isNew) {
    Generation now = current();
    List<Command> commands = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      commands.add(now.put(hashes[i]));
    }
    List<Reply> replies = server.send(commands);
    int taken = 0;
    try {
      for (int i = from; i < to; i++) {
        Command command = commands.get(i - from);
        isNew[i] = wasNew(now, hashes[i], command, replies.get(i - from), i, to - from > 1);
        taken += isNew[i] ? 1 : 0;
      }
    } finally {
      tally.add(taken);
    }
  }

  private boolean wasNew(
      Generation now, long hash, Command command, Reply reply, int index, boolean several) {
    boolean uncertain = reply instanceof Reply.Missing missing && missing.mayHaveRun();
    if (uncertain || (several && !(reply instanceof Reply.Numbers))) {
      throw uncertain(command, reply, index);
    }
    List<Long> values = Server.numbers(command, reply, now.putReplies());
    int shard = now.shardOf(hash);
    long found = values.get(0);
    if (found == now.stamp(shard)) {
      return Generation.wasNew(values);
    }
    Generation next = follow(now, shard, found);
    if (found == next.stamp(Math.min(shard, next.shards().count() - 1)) && next.placesAs(now)) {
      return Generation.wasNew(values); // it was put into the new one, at the right places
    }
    return putHash(hash);
  }

  private static UncertainPutException uncertain(Command command, Reply reply, int index) {
    try {
      Server.requireSuccess(command, reply);
    } catch (RedisFilterException e) {
      return new UncertainPutException(
          "key " + index + " and those after it may be in or not: " + e.getMessage(), index, e);
    }
    throw new AssertionError("a put was answered by " + reply);
  }

  @Override
  public boolean mightContainHash(long hash) {
    boolean[] answers = new boolean[1];
    askBatch(new long[] {hash}, 0, 1, answers, true);
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
      askBatch(hashes, from, Math.min(count, from + batch), answers, true);
    }
  }

  /*
   * The stamps are read after the bits, by the same connection. If a shard is the right one then, it
   * was so before, because what was lost or replaced does not come back under its own epoch.
   */
  private void askBatch(long[] hashes, int from, int to, boolean[] answers, boolean replicasToo) {
    Generation now = current();
    List<Command> commands = new ArrayList<>();
    int[] shards = new int[to - from];
    for (int i = from; i < to; i++) {
      now.addReads(hashes[i], commands);
      shards[i - from] = now.shardOf(hashes[i]);
    }
    int reads = commands.size();
    int[] touched = Arrays.stream(shards).distinct().toArray();
    for (int shard : touched) {
      commands.add(now.readStamp(shard));
    }
    if (replicasToo) {
      commands.replaceAll(Command::orOfReplica);
    }
    List<Reply> replies = server.send(commands);
    for (int i = 0; i < touched.length; i++) {
      byte[] start = Server.bytes(commands.get(reads + i), replies.get(reads + i));
      long found = Header.readStamp(start);
      if (found != now.stamp(touched[i])) {
        if (!replicasToo) {
          follow(now, touched[i], found);
        }
        askBatch(hashes, from, to, answers, false); // a replica may only be behind
        return;
      }
    }
    for (int i = from; i < to; i++) {
      answers[i] = now.holds(hashes[i], commands, replies, (i - from) * now.readsPerKey());
    }
  }

  Generation current() {
    if (lost) {
      throw new FilterLostException(
          "the filter "
              + name
              + " was lost or given up by an earlier call: open or create another");
    }
    return generation;
  }

  /**
   * Returns what has come in the place of {@code seen}, if that was on purpose.
   *
   * @param found what the shard begins with instead
   * @throws FilterLostException if it was not
   */
  private synchronized Generation follow(Generation seen, int shard, long found) {
    Generation now = current();
    if (now != seen) {
      return now; // another thread was here first
    }
    Generation next = succeed(seen);
    if (next.header().epoch() == seen.header().epoch()) {
      // not for good: it is whole now
      throw new FilterLostException(
          String.format(
              Locale.ROOT,
              "the key %s was another for a moment: it should begin with %016x, and did with %016x",
              seen.shards().printedKey(shard),
              seen.stamp(shard),
              found));
    }
    tally.continueFrom(estimate(next).rounded(), seen.header().sizing().shape()::fpp);
    generation = next;
    return next;
  }

  /** Goes on with what was put in the place of {@code seen}. */
  void follow(Generation seen) {
    follow(seen, 0, 0);
  }

  /** Makes every later call fail, and none of them reach the server. */
  void retire() {
    lost = true;
  }

  /** Checks that every shard is there, and returns the generation that they are of. */
  Generation requireWhole() {
    Generation now = current();
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < now.shards().count(); i++) {
      commands.add(now.readStamp(i));
    }
    List<Reply> replies = server.send(commands);
    for (int i = 0; i < commands.size(); i++) {
      long found = Header.readStamp(Server.bytes(commands.get(i), replies.get(i)));
      if (found != now.stamp(i)) {
        return follow(now, i, found);
      }
    }
    return now;
  }

  /** Opens what is there now, and checks that it may come in the place of {@code seen}. */
  private Generation succeed(Generation seen) {
    try {
      Generation next = opener.get();
      if (next.header().family() != seen.header().family()) {
        throw new FilterLostException(
            "the filter " + name + " was lost and somebody has made another one of that name");
      }
      if (!next.header().hashId().equals(hashId())) {
        throw new FilterLostException(
            "the filter " + name + " was replaced by one with " + next.header().hashId());
      }
      return next;
    } catch (FilterLostException | FilterMismatchException e) {
      lost = true;
      throw e;
    }
  }

  @Override
  public long hashOf(T key) {
    return keying.hash(key);
  }

  @Override
  public HashId hashId() {
    return keying.function().id();
  }

  /** Returns the name it was made or opened by. */
  public String name() {
    return name;
  }

  /** Returns the layout, bits and hashes. */
  public Shape shape() {
    return generation.header().sizing().shape();
  }

  /** Returns n, the distinct keys the filter was made for. */
  public long expectedKeys() {
    return generation.header().sizing().expectedKeys();
  }

  /** Returns the fpp the filter was made for, or has when the expected keys are in. */
  public double fpp() {
    return generation.header().sizing().fpp();
  }

  /** Returns into how many of the server's strings it is cut. */
  public int shards() {
    return generation.shards().count();
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
  public Estimate approximateElementCount() {
    Generation now = current();
    while (true) {
      Estimate estimate = estimate(now);
      Generation after = requireWhole(); // what is whole now was so while it was counted
      if (after == now) {
        return estimate;
      }
      now = after;
    }
  }

  private Estimate estimate(Generation of) {
    return KeyCounts.keys(of.header().sizing().shape(), ones(of));
  }

  private long ones(Generation of) {
    List<Command> commands = of.countOnes();
    List<Reply> replies = server.send(commands);
    long ones = 0;
    for (int i = 0; i < commands.size(); i++) {
      ones += Server.number(commands.get(i), replies.get(i));
    }
    return ones;
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
    return tally.keys();
  }

  @Override
  public double expectedWrongDrops() {
    return tally.expectedWrongDrops(shape()::fpp);
  }

  @Override
  public boolean isConcurrent() {
    return true;
  }

  @Override
  public long bitSize() {
    return shape().bits();
  }

  @Override
  public long serializedSize() {
    return Frame.bytes(generation.shards().payloadBytes());
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
    Generation now = requireWhole();
    FrameWriter writer = new FrameWriter(out, Kind.BLOOM, now.shards().payloadBytes());
    now.header().copyParameters(writer.header());
    new Transfer(server).download(now, writer.payload(), this::follow);
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
    Generation now = current();
    now.header()
        .incompatibility(other.shape(), other.hashId())
        .ifPresent(
            difference -> {
              throw new IllegalArgumentException("the filters are not compatible: " + difference);
            });
    new Transfer(server).merge(other, now, name, this::follow);
    tally.continueFrom(estimate(current()).rounded(), shape()::fpp);
  }

  /**
   * Lets the server forget the filter after this time, counted from now. It is lost then, which the
   * next call of each process notices.
   *
   * @param timeToLive at least a millisecond
   */
  public void expireAfter(Duration timeToLive) {
    Generation now = requireWhole();
    List<Command> commands = ShardStore.expire(now.shards(), requireTimeToLive(timeToLive));
    List<Reply> replies = server.send(commands);
    for (int i = 0; i < commands.size(); i++) {
      if (Server.number(commands.get(i), replies.get(i)) == 0) {
        requireWhole();
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
  public String toString() {
    Shape shape = shape();
    return String.format(
        Locale.ROOT,
        "RedisBloomFilter(name=%s, layout=%s, bits=%d, hashes=%d, expectedKeys=%d, fpp=%s, hash=%s,"
            + " shards=%d)",
        name,
        shape.layout().label(),
        shape.bits(),
        shape.hashes(),
        expectedKeys(),
        fpp(),
        hashId(),
        shards());
  }
}
