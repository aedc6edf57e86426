package dev.tamis.redis;

import static java.util.Objects.requireNonNull;

import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.Sizing;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link RedisWindowedBloomFilter} that does not exist yet, or may not.
 *
 * <p>Window, expectedKeys and fpp must be set. Each setter checks its own value at once.
 *
 * @param <T> the type of key
 */
public final class RedisWindowedBloomFilterBuilder<T> {

  private static final int DEFAULT_GENERATIONS = 4;

  private final RedisLink link;
  private final String name;
  private final KeyHasher<? super T> hasher;
  private @Nullable Long windowMillis;
  private @Nullable Long expectedKeys;
  private @Nullable Double fpp;
  private @Nullable InstantSource clock;
  private int generations = DEFAULT_GENERATIONS;
  private long seed;
  private @Nullable Long shardBytes;

  RedisWindowedBloomFilterBuilder(RedisLink link, String name, KeyHasher<? super T> hasher) {
    this.link = requireNonNull(link, "link");
    this.name = Shards.requireName(name);
    this.hasher = requireNonNull(hasher, "hasher");
  }

  /**
   * Sets T, for which a key is remembered at least.
   *
   * @param window a millisecond to a hundred years; rounded up to whole milliseconds
   */
  public RedisWindowedBloomFilterBuilder<T> window(Duration window) {
    long millis = window.toMillis();
    millis += window.compareTo(Duration.ofMillis(millis)) > 0 ? 1 : 0;
    this.windowMillis = new Rotation(generations, millis).windowMillis();
    return this;
  }

  /** Sets n, the distinct keys expected within a window, evenly spread; at least 1. */
  public RedisWindowedBloomFilterBuilder<T> expectedKeys(long expectedKeys) {
    Sizing.builder().expectedKeys(expectedKeys);
    this.expectedKeys = expectedKeys;
    return this;
  }

  /** Sets p, the fpp that is not exceeded while no more come; strictly between 0 and 1. */
  public RedisWindowedBloomFilterBuilder<T> fpp(double fpp) {
    Sizing.builder().fpp(fpp);
    this.fpp = fpp;
    return this;
  }

  /**
   * Sets g, by default 4. More generations forget sooner, after at most T · g / (g − 1), and make
   * every command longer.
   *
   * @param generations 2 to 32
   */
  public RedisWindowedBloomFilterBuilder<T> generations(int generations) {
    this.generations = Rotation.requireGenerations(generations);
    return this;
  }

  /** Sets the seed of the hash function, by default 0. Not for a hasher with a hash key. */
  public RedisWindowedBloomFilterBuilder<T> seed(long seed) {
    this.seed = seed;
    return this;
  }

  /**
   * Sets the maximum size of a shard, all generations together; by default 1 MiB, or 32 MiB in a
   * layout that needs a single one. A rotation blocks the server while it clears one generation of
   * a shard.
   *
   * @param shardBytes 64 to {@link RedisBloomFilterBuilder#MAX_SHARD_BYTES}; each generation has at
   *     least 64
   */
  public RedisWindowedBloomFilterBuilder<T> shardBytes(long shardBytes) {
    this.shardBytes = Shards.requireShardBytes(shardBytes);
    return this;
  }

  /**
   * Replaces the server's clock, for time other than wall-clock time. The fastest clock of all
   * processes determines the period: a key is remembered for at least T minus the skew of the
   * clocks. Instants before 1970 count as its beginning.
   */
  public RedisWindowedBloomFilterBuilder<T> clock(InstantSource clock) {
    this.clock = requireNonNull(clock, "clock");
    return this;
  }

  /**
   * Creates an empty filter.
   *
   * @throws FilterExistsException if there is one of that name
   * @throws IllegalStateException if a setting is missing
   */
  public RedisWindowedBloomFilter<T> create() {
    ShardStore store = store();
    if (!store.create(header(), null, null, building -> {})) {
      throw new FilterExistsException(
          "filter " + name + ": already exists; open it, delete it or use another name");
    }
    return opened(store);
  }

  /**
   * Opens the filter, or creates it if there is none; of several processes that do so at once, one
   * creates it and the others open it. As with {@link RedisBloomFilterBuilder#createOrOpen}, an
   * empty one also replaces one that was lost completely.
   *
   * @throws FilterMismatchException if there is one with different parameters
   * @throws FilterLostException if a part of it is missing
   */
  public RedisWindowedBloomFilter<T> createOrOpen() {
    ShardStore store = store();
    if (Header.isBlank(store.firstHeader())) {
      store.create(header(), null, null, building -> {});
    }
    return opened(store);
  }

  /**
   * Opens the filter if it is complete, and otherwise replaces it by an empty one, exactly once
   * however many processes do so at once.
   *
   * @throws FilterMismatchException if there is one with different parameters
   */
  public RedisWindowedBloomFilter<T> recreateIfLost() {
    ShardStore store = store();
    byte[] before = store.firstHeader();
    try {
      return createOrOpen();
    } catch (FilterLostException e) {
      store.create(header(), null, Header.readStamp(before), building -> {});
      return opened(store);
    }
  }

  private RedisWindowedBloomFilter<T> opened(ShardStore store) {
    Epoch epoch = store.openWindow();
    epoch
        .header()
        .difference(header())
        .ifPresent(
            difference -> {
              throw new FilterMismatchException(
                  "filter "
                      + name
                      + ": "
                      + difference
                      + "; open it without parameters, or rebuild it");
            });
    return RedisWindowedBloomFilter.opened(
        new Server(link), BoundHasher.of(hasher, seed), name, epoch, clock);
  }

  private Header header() {
    if (windowMillis == null || expectedKeys == null || fpp == null) {
      throw new IllegalStateException(
          "filter: window, expectedKeys and fpp: required; set all three");
    }
    Rotation rotation = new Rotation(generations, windowMillis);
    Sizing generation = generation(null, expectedKeys, fpp);
    if (!isPossible(generation.shape())) {
      generation = generation(Layout.SPLIT, expectedKeys, fpp); // all bits of a key in one string
    }
    Shape shape = ServerSizing.fewestHashes(generation, this::isPossible).shape();
    int shards = shardsFor(shape);
    Sizing sizing = new Sizing(shape, expectedKeys, fpp);
    long epoch = ShardStore.newEpoch();
    return new Header(BoundHasher.of(hasher, seed).id(), sizing, shards, 0, epoch, rotation);
  }

  private boolean isPossible(Shape shape) {
    return Shards.isPossible(shape.layout(), shardsFor(shape));
  }

  private int shardsFor(Shape shape) {
    long bytes = shardBytes == null ? Shards.defaultBytes(shape.layout()) : shardBytes;
    return Shards.countFor(
        shape, generations, Math.max(Shards.LINE_BYTES, (bytes - Shards.LINE_BYTES) / generations));
  }

  /** Returns the sizing of one generation; all g together have the fpp when full. */
  private Sizing generation(@Nullable Layout layout, long keys, double fppOfAll) {
    Sizing.Builder builder =
        Sizing.builder()
            .expectedKeys((keys - 1) / (generations - 1) + 1)
            .fpp(-Math.expm1(Math.log1p(-fppOfAll) / generations));
    return (layout == null ? builder : builder.layout(layout)).solve();
  }

  private ShardStore store() {
    return ShardStore.ofWindow(new Server(link), name);
  }
}
