package dev.tamis.redis;

import static java.util.Objects.requireNonNull;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.HashedMutableFilter;
import dev.tamis.Traits;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.KeyCounts;
import dev.tamis.sizing.Shape;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter in Redis or Valkey that remembers what was put within a window of time.
 *
 * <pre>{@code
 * RedisWindowedBloomFilter<String> recent =
 *     RedisWindowedBloomFilter.<String>builder(link, "recent", KeyHasher.text())
 *         .window(Duration.ofHours(1))
 *         .expectedKeys(10_000_000)
 *         .fpp(0.001)
 *         .createOrOpen();
 * if (recent.put(messageId)) {
 *   handle(message); // no process was told the same within the last hour
 * }
 * }</pre>
 *
 * <p>It has g generations in turn: the present one is filled for T / (g − 1), T the window, all of
 * them are asked, and the oldest is cleared to become the next present one. A key is in for T after
 * its put has returned, and for T · g / (g − 1) at most once it was last put, up to the first call
 * of anybody after that. A put of a known key refreshes it. Memory is the same however long it
 * runs, and nothing is lost while no process runs.
 *
 * <p>A put is one command and one round trip, which reads all generations of the key and sets its
 * bits in the present one. A server runs commands one at a time. So of the puts of one key exactly
 * one is told that it is new (or none, if it is a false positive), also while the ring turns: where
 * two return true, the second one ended more than T after the first one began. The ring is turned
 * by the first call in a new period, in one step of the server for each shard.
 *
 * <p>The time is that of the server, and of each master in a cluster for its own shards, so the
 * clocks of the processes do not matter; {@link RedisWindowedBloomFilterBuilder#clock} says what
 * holds for clocks that are handed in. A server's clock that is set back makes keys stay longer;
 * one that is set forward makes them leave earlier by as much.
 *
 * <p>A filter that was flushed, evicted, deleted or made anew is noticed by the next call as in
 * {@link RedisBloomFilter}, with the same exceptions. All generations of a shard are in one string:
 * none can be lost alone. It cannot be written to a file: what it holds is true for a moment only,
 * and no kind of file rotates as it does.
 *
 * <p>Safe for any number of threads.
 *
 * @param <T> the type of key
 */
public final class RedisWindowedBloomFilter<T> implements HashedMutableFilter<T> {

  private final BoundHasher<T> hasher;
  private final String name;
  private final Ring ring;
  private final WindowBatches batches;

  private RedisWindowedBloomFilter(
      Server server, BoundHasher<T> hasher, String name, Ring ring, Turner turner) {
    this.hasher = hasher;
    this.name = name;
    this.ring = ring;
    this.batches = new WindowBatches(server, ring, turner);
  }

  /**
   * Starts a filter.
   *
   * @param link the way to the server; the filter does not close it
   * @param name begins the names of the server's keys; without braces
   * @param hasher says which bytes of a key count
   */
  public static <T> RedisWindowedBloomFilterBuilder<T> builder(
      RedisLink link, String name, KeyHasher<? super T> hasher) {
    return new RedisWindowedBloomFilterBuilder<>(link, name, hasher);
  }

  /**
   * Opens a filter that somebody has made, with the parameters it has, by the server's clock.
   *
   * @throws FilterLostException if there is none, or a part of it is missing
   * @throws FilterMismatchException if the name is taken by something else, or the hasher does not
   *     fit
   */
  public static <T> RedisWindowedBloomFilter<T> open(
      RedisLink link, String name, KeyHasher<? super T> hasher) {
    Server server = new Server(requireNonNull(link, "link"));
    Ring ring = ShardStore.ofWindow(server, name).openRing();
    return opened(server, ring.header().requireFit(hasher), name, ring, null);
  }

  /** Returns a filter that knows the period of each shard. */
  static <T> RedisWindowedBloomFilter<T> opened(
      Server server, BoundHasher<T> hasher, String name, Ring ring, @Nullable InstantSource clock) {
    Turner turner = new Turner(server, ring, clock);
    var filter = new RedisWindowedBloomFilter<T>(server, hasher, name, ring, turner);
    filter.batches.turnAllIfDue();
    return filter;
  }

  /**
   * Deletes a filter, or what is left of one. Whoever has it open gets a {@link
   * FilterLostException}.
   *
   * @return whether there was anything
   */
  public static boolean delete(RedisLink link, String name) {
    return ShardStore.ofWindow(new Server(requireNonNull(link, "link")), name).delete();
  }

  /**
   * Puts {@code key} in, for the window from now on.
   *
   * @return true if it was certainly not put within the last window; false if it probably was
   * @throws UncertainPutException if the reply did not come, or the key may be forgotten early
   * @throws RedisUnavailableException if the command was not sent
   * @throws RedisRefusedException if the server refuses
   */
  @Override
  public boolean put(T key) {
    return putHash(hashOf(key));
  }

  @Override
  public boolean putHash(long hash) {
    boolean[] isNew = new boolean[1];
    batches.put(new long[] {hash}, 0, 1, isNew);
    return isNew[0];
  }

  /**
   * {@inheritDoc}
   *
   * <p>Here 256 of them are under way together.
   *
   * @throws UncertainPutException if a reply did not come, or was a refusal after others; it says
   *     how far the answers go
   */
  @Override
  public void putHashes(long[] hashes, int count, boolean[] isNew) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, isNew.length));
    for (int from = 0; from < count; from += Server.BATCH) {
      batches.put(hashes, from, Math.min(count, from + Server.BATCH), isNew);
    }
  }

  /**
   * Returns {@code false} if {@code key} was certainly not put within the last window, {@code true}
   * if it probably was, or a generation earlier.
   */
  @Override
  public boolean mightContain(T key) {
    return mightContainHash(hashOf(key));
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
   * <p>Here 256 of them are under way together.
   */
  @Override
  public void mightContainHashes(long[] hashes, int count, boolean[] answers) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, answers.length));
    for (int from = 0; from < count; from += Server.BATCH) {
      batches.ask(hashes, from, Math.min(count, from + Server.BATCH), answers);
    }
  }

  @Override
  public BoundHasher<T> hasher() {
    return hasher;
  }

  /** Returns the name it was made or opened by. */
  public String name() {
    return name;
  }

  /** Returns T, for which a key is remembered at least. */
  public Duration window() {
    return Duration.ofMillis(ring.rotation().windowMillis());
  }

  /** Returns T · g / (g − 1), in whole milliseconds, for which a key is remembered at most. */
  public Duration longestMemory() {
    return Duration.ofMillis(ring.rotation().spanMillis() * generations());
  }

  /** Returns g, the generations that are asked. */
  public int generations() {
    return ring.rotation().generations();
  }

  /** Returns n, the distinct keys that were expected within a window. */
  public long expectedKeys() {
    return ring.header().sizing().expectedKeys();
  }

  /** Returns the fpp that is not passed while no more come, evenly spread over the window. */
  public double fpp() {
    return ring.header().sizing().fpp();
  }

  /** Returns into how many of the server's strings it is cut. */
  public int shards() {
    return ring.shards().count();
  }

  /** Returns the memory that holds the keys, of all generations, in bits. */
  @Override
  public long bitSize() {
    return shape().bits() * generations();
  }

  private Shape shape() {
    return ring.header().sizing().shape();
  }

  /**
   * Returns the probability that a key never put is reported present. The server counts the ones
   * for it, which reads through the whole filter, a millisecond for every 6 MB.
   */
  @Override
  public double expectedFpp() {
    double denied = 1;
    for (long ones : batches.countOnes()) {
      Estimate keys = KeyCounts.keys(shape(), ones);
      denied *= keys.isBounded() ? 1 - shape().fpp(keys.rounded()) : 0;
    }
    return 1 - denied;
  }

  /**
   * Returns how many keys the filter remembers, as far as its bits tell; they are counted as for
   * {@link #expectedFpp}. A key counts once for each generation in which it was put.
   *
   * @param confidence how often the interval holds the number
   */
  @Override
  public Estimate approximateElementCount(Confidence confidence) {
    double value = 0;
    double low = 0;
    double variance = 0;
    for (long ones : batches.countOnes()) {
      Estimate keys = KeyCounts.keys(shape(), ones, confidence);
      double margin = keys.high() - keys.value();
      value += keys.value();
      low += keys.low();
      variance += margin * margin;
    }
    return Double.isFinite(value)
        ? Estimate.around(value, Math.sqrt(variance))
        : new Estimate(value, low, value);
  }

  /** Returns how many puts of this object returned true, also of keys forgotten since. */
  @Override
  public long acceptedKeys() {
    return batches.accepted();
  }

  @Override
  public boolean isThreadSafe() {
    return true;
  }

  @Override
  public Traits traits() {
    return Traits.of("RedisWindowedBloomFilter")
        .with("name", name)
        .matching("window", window())
        .matching("generations", generations())
        .with("bits", bitSize())
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
