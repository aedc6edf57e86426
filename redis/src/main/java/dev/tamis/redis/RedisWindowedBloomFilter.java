package dev.tamis.redis;

import static java.util.Objects.requireNonNull;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.Traits;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.KeyCounts;
import dev.tamis.sizing.Shape;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter in Redis or Valkey that remembers the keys put within a window of time.
 *
 * <pre>{@code
 * RedisWindowedBloomFilter<String> recent =
 *     RedisWindowedBloomFilter.<String>builder(link, "recent", KeyHasher.text())
 *         .window(Duration.ofHours(1))
 *         .expectedKeys(10_000_000)
 *         .fpp(0.001)
 *         .createOrOpen();
 * if (recent.put(messageId)) {
 *   handle(message); // true for no other process within the last hour
 * }
 * }</pre>
 *
 * <p>It rotates through g generations: the current one is filled for T / (g − 1), T the window, all
 * of them are queried, and the oldest is cleared to become the next current one. A key stays for T
 * after its put has returned, and for at most T · g / (g − 1) after its last put, until the next
 * call of any client. A put of a known key refreshes it. Memory is constant, and nothing is lost
 * while no process runs.
 *
 * <p>A put is one command and one round trip, which reads all generations of the key and sets its
 * bits in the current one. A server runs commands one at a time. So exactly one put of a key
 * returns true (or none, if it is a false positive), also while the filter rotates: if two return
 * true, the second one ended more than T after the first one began. The first call in a new period
 * rotates each shard atomically.
 *
 * <p>The time is that of the server, and of each master in a cluster for its own shards, so the
 * clocks of the processes do not matter; {@link RedisWindowedBloomFilterBuilder#clock} documents
 * the guarantee for supplied clocks. A server's clock that is set back makes keys stay longer; one
 * that is set forward makes them leave earlier by as much.
 *
 * <p>The next call detects a filter that was flushed, evicted, deleted or recreated, as in {@link
 * RedisBloomFilter}, with the same exceptions. All generations of a shard are in one string: none
 * can be lost alone. It cannot be written to a file: its contents are valid at one moment only, and
 * no file format rotates as it does. It does not know how many new keys were taken for known ones,
 * so it is not {@link dev.tamis.DropAware}.
 *
 * <p>Safe for any number of threads.
 *
 * @param <T> the type of key
 */
public final class RedisWindowedBloomFilter<T> extends StoredFilter<T> {

  private final Epoch epoch;
  private final Rotation rotation;
  private final WindowBatches batches;

  private RedisWindowedBloomFilter(
      Server server, BoundHasher<T> hasher, String name, Epoch epoch, RotationClock clock) {
    super(server, hasher, name);
    this.epoch = epoch;
    this.rotation = clock.rotation();
    this.batches = new WindowBatches(server, epoch, clock);
  }

  /** Starts a filter; the parameters are those of {@link RedisBloomFilter#builder}. */
  public static <T> RedisWindowedBloomFilterBuilder<T> builder(
      RedisLink link, String name, KeyHasher<? super T> hasher) {
    return new RedisWindowedBloomFilterBuilder<>(link, name, hasher);
  }

  /**
   * Opens an existing filter with its stored parameters and the server's clock.
   *
   * @throws FilterLostException if it does not exist, or a part of it is missing
   * @throws FilterMismatchException if the name is used by something else, or the hasher does not
   *     match
   */
  public static <T> RedisWindowedBloomFilter<T> open(
      RedisLink link, String name, KeyHasher<? super T> hasher) {
    Server server = new Server(requireNonNull(link, "link"));
    Epoch epoch = ShardStore.ofWindow(server, name).open();
    return opened(server, epoch.header().requireFit(hasher), name, epoch, null);
  }

  /** Returns a filter that has read the period of each shard. */
  static <T> RedisWindowedBloomFilter<T> opened(
      Server server,
      BoundHasher<T> hasher,
      String name,
      Epoch epoch,
      @Nullable InstantSource clock) {
    RotationClock rotation = new RotationClock(server, epoch, clock);
    var filter = new RedisWindowedBloomFilter<T>(server, hasher, name, epoch, rotation);
    filter.batches.rotateAllIfDue();
    return filter;
  }

  /**
   * Deletes a filter, or its remains. Clients that have it open get a {@link FilterLostException}.
   *
   * @return whether anything was deleted
   */
  public static boolean delete(RedisLink link, String name) {
    return ShardStore.ofWindow(new Server(requireNonNull(link, "link")), name).delete();
  }

  /**
   * Puts {@code key}, for one window from now on.
   *
   * @return true if it was certainly not put within the last window; false if it probably was
   * @throws UncertainPutException if the reply did not arrive, or the key may be forgotten early
   * @throws RedisUnavailableException if the command was not sent
   * @throws RedisRefusedException if the server refuses
   */
  @Override
  public boolean put(T key) {
    return putHash(hashOf(key));
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
  Epoch lastSeen() {
    return epoch;
  }

  @Override
  void putBatch(long[] hashes, int from, int to, boolean[] isNew) {
    batches.put(hashes, from, to, isNew);
  }

  @Override
  void queryBatch(long[] hashes, int from, int to, boolean[] answers) {
    batches.query(hashes, from, to, answers);
  }

  /**
   * Checks whether the server replies and every shard is there, and how durable they are. Throws no
   * {@link RedisFilterException}. Reads nine bytes of each shard.
   */
  public RedisHealth health() {
    return RedisHealth.of(server, epoch.shards(), batches::requireWhole);
  }

  /** Returns T, for which a key is remembered at least. */
  public Duration window() {
    return Duration.ofMillis(rotation.windowMillis());
  }

  /** Returns T · g / (g − 1), in whole milliseconds, for which a key is remembered at most. */
  public Duration longestMemory() {
    return Duration.ofMillis(rotation.spanMillis() * generations());
  }

  /** Returns g, the generations that are queried. */
  public int generations() {
    return rotation.generations();
  }

  /** Returns the memory that holds the keys, of all generations, in bits. */
  @Override
  public long bitSize() {
    return shape().bits() * generations();
  }

  Shape shape() {
    return epoch.header().sizing().shape();
  }

  /**
   * Returns the probability that a key never put is reported present. The server counts the set
   * bits for it, which reads the whole filter, a millisecond for every 6 MB.
   */
  @Override
  public double expectedFpp() {
    double fpp = 0; // and not 1 less the share that nothing reports, which rounds to 0
    for (long setBits : batches.countSetBits()) {
      Estimate keys = KeyCounts.keys(shape(), setBits);
      fpp += (1 - fpp) * (keys.isBounded() ? shape().fpp(keys.rounded()) : 1);
    }
    return fpp;
  }

  /**
   * Estimates the keys that the filter remembers from its set bits, which are counted as for {@link
   * #expectedFpp}. A key counts once for each generation in which it was put.
   *
   * @param confidence the probability that the interval contains the number
   */
  @Override
  public Estimate approximateElementCount(Confidence confidence) {
    double value = 0;
    double low = 0;
    double variance = 0;
    for (long setBits : batches.countSetBits()) {
      Estimate keys = KeyCounts.keys(shape(), setBits, confidence);
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
}
