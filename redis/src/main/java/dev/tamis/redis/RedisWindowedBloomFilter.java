package dev.tamis.redis;

import static java.util.Objects.requireNonNull;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.KeyCounts;
import dev.tamis.sizing.Shape;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Locale;
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
 * none can be lost alone. It is no {@code MutableFilter}, because it cannot be written as a file:
 * what it holds is true for a moment only, and no kind of file turns as it does.
 *
 * <p>Safe for any number of threads.
 *
 * @param <T> the type of key
 */
public final class RedisWindowedBloomFilter<T> {

  private final Keying<T> keying;
  private final String name;
  private final Ring ring;
  private final WindowBatches batches;

  private RedisWindowedBloomFilter(
      Server server, Keying<T> keying, String name, Ring ring, Turner turner) {
    this.keying = keying;
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
    return opened(server, Keying.of(hasher, ring.header().hashId()), name, ring, null);
  }

  /** Returns a filter that knows the period of each shard. */
  static <T> RedisWindowedBloomFilter<T> opened(
      Server server, Keying<T> keying, String name, Ring ring, @Nullable InstantSource clock) {
    Turner turner = new Turner(server, ring, clock);
    var filter = new RedisWindowedBloomFilter<T>(server, keying, name, ring, turner);
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
  public boolean put(T key) {
    return putHash(hashOf(key));
  }

  /**
   * Does what {@link #put} does for the key with this hash.
   *
   * @param hash 64 well mixed bits, as {@link #hashOf} gives them
   */
  public boolean putHash(long hash) {
    boolean[] isNew = new boolean[1];
    batches.put(new long[] {hash}, 0, 1, isNew);
    return isNew[0];
  }

  /**
   * Does what {@link #putHash} does for several keys, of which 256 are under way together.
   *
   * @param count how many of the hashes to put, from index 0 on
   * @param isNew where the answers go, from index 0 on
   * @throws UncertainPutException if a reply did not come, or was a refusal after others; it says
   *     how far the answers go
   */
  public void putHashes(long[] hashes, int count, boolean[] isNew) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, isNew.length));
    for (int from = 0; from < count; from += Server.BATCH) {
      batches.put(hashes, from, Math.min(count, from + Server.BATCH), isNew);
    }
  }

  /**
   * Puts several keys in, in the collection's order.
   *
   * @return for each key what {@link #put} would have returned
   * @throws NullPointerException if one of them is null; none is put then
   */
  public boolean[] putAll(Collection<? extends T> keys) {
    long[] hashes = keys.stream().mapToLong(this::hashOf).toArray();
    boolean[] isNew = new boolean[hashes.length];
    putHashes(hashes, hashes.length, isNew);
    return isNew;
  }

  /**
   * Returns {@code false} if {@code key} was certainly not put within the last window, {@code true}
   * if it probably was, or a generation earlier.
   */
  public boolean mightContain(T key) {
    return mightContainHash(hashOf(key));
  }

  /** Answers as {@link #mightContain} does for the key with this hash. */
  public boolean mightContainHash(long hash) {
    boolean[] answers = new boolean[1];
    batches.ask(new long[] {hash}, 0, 1, answers);
    return answers[0];
  }

  /**
   * Answers as {@link #mightContainHash} does for several keys, of which 256 are under way
   * together.
   *
   * @param count how many of the hashes to look for, from index 0 on
   * @param answers where the answers go, from index 0 on
   */
  public void mightContainHashes(long[] hashes, int count, boolean[] answers) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, answers.length));
    for (int from = 0; from < count; from += Server.BATCH) {
      batches.ask(hashes, from, Math.min(count, from + Server.BATCH), answers);
    }
  }

  /**
   * Answers as {@link #mightContain} does for each of several keys, in the collection's order.
   *
   * @throws NullPointerException if one of them is null
   */
  public boolean[] mightContainAll(Collection<? extends T> keys) {
    long[] hashes = keys.stream().mapToLong(this::hashOf).toArray();
    boolean[] answers = new boolean[hashes.length];
    mightContainHashes(hashes, hashes.length, answers);
    return answers;
  }

  /** Returns the 64-bit hash this filter uses for {@code key}. */
  public long hashOf(T key) {
    return keying.hash(key);
  }

  /** Returns which hash function this filter uses. */
  public HashId hashId() {
    return keying.function().id();
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
  public double expectedFpp() {
    double denied = 1;
    for (long ones : batches.countOnes()) {
      Estimate keys = KeyCounts.keys(shape(), ones);
      denied *= keys.isBounded() ? 1 - shape().fpp(keys.rounded()) : 0;
    }
    return 1 - denied;
  }

  /** Does what {@link #approximateElementCount(Confidence)} does, 95 times in 100. */
  public Estimate approximateElementCount() {
    return approximateElementCount(Confidence.DEFAULT);
  }

  /**
   * Returns how many keys the filter remembers, as far as its bits tell; they are counted as for
   * {@link #expectedFpp}. A key counts once for each generation in which it was put.
   *
   * @param confidence how often the interval holds the number
   */
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
  public long acceptedKeys() {
    return batches.accepted();
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "RedisWindowedBloomFilter(name=%s, window=%s, generations=%d, bits=%d, expectedKeys=%d,"
            + " fpp=%s, hash=%s, shards=%d)",
        name,
        window(),
        generations(),
        bitSize(),
        expectedKeys(),
        fpp(),
        hashId(),
        shards());
  }
}
