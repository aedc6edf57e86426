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
  private long shardBytes = RedisBloomFilterBuilder.DEFAULT_SHARD_BYTES;

  RedisWindowedBloomFilterBuilder(RedisLink link, String name, KeyHasher<? super T> hasher) {
    this.link = requireNonNull(link, "link");
    this.name = Shards.requireName(name);
    this.hasher = requireNonNull(hasher, "hasher");
  }

  /**
   * Sets T, for which a key is remembered at least.
   *
   * @param window a millisecond to a hundred years; parts of a millisecond count as a whole one
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

  /** Sets p, the fpp that is not passed while no more come; strictly between 0 and 1. */
  public RedisWindowedBloomFilterBuilder<T> fpp(double fpp) {
    Sizing.builder().fpp(fpp);
    this.fpp = fpp;
    return this;
  }

  /**
   * Sets g; 4 without. More of them forget sooner, after T · g / (g − 1) at most, and make every
   * command longer.
   *
   * @param generations 2 to 32
   */
  public RedisWindowedBloomFilterBuilder<T> generations(int generations) {
    this.generations = Rotation.requireGenerations(generations);
    return this;
  }

  /** Sets the seed of the hash function, 0 without. Not for a hasher with a hash key. */
  public RedisWindowedBloomFilterBuilder<T> seed(long seed) {
    this.seed = seed;
    return this;
  }

  /**
   * Sets the most bytes of the filter, all generations together, that one string of the server
   * holds; 32 MiB without. A turn holds up the server while it clears one generation of a string.
   *
   * @param shardBytes 64 to 536,870,848; each generation has at least 64
   */
  public RedisWindowedBloomFilterBuilder<T> shardBytes(long shardBytes) {
    this.shardBytes = Shards.requireShardBytes(shardBytes);
    return this;
  }

  /**
   * Goes by this clock and not by the server's, for time that is not that of the wall. The period
   * is what the fastest clock of all processes says: a key is remembered for T less what the clocks
   * differ by, at least. Instants before 1970 count as its beginning.
   */
  public RedisWindowedBloomFilterBuilder<T> clock(InstantSource clock) {
    this.clock = requireNonNull(clock, "clock");
    return this;
  }

  /**
   * Makes an empty filter.
   *
   * @throws FilterExistsException if there is one of that name
   * @throws IllegalStateException if a setting is missing
   */
  public RedisWindowedBloomFilter<T> create() {
    ShardStore store = store();
    if (!store.make(header(), null, null, beside -> {})) {
      throw new FilterExistsException(
          "there is a filter " + name + " already: open it, delete it or choose another name");
    }
    return opened(store);
  }

  /**
   * Opens the filter, or makes it if there is none; of several processes that do so at the same
   * time one makes it and the others open it. As with {@link RedisBloomFilterBuilder#createOrOpen},
   * an empty one is also made where one was lost as a whole.
   *
   * @throws FilterMismatchException if there is one with other parameters
   * @throws FilterLostException if a part of it is missing
   */
  public RedisWindowedBloomFilter<T> createOrOpen() {
    ShardStore store = store();
    if (Header.isBlank(store.firstHeader())) {
      store.make(header(), null, null, beside -> {});
    }
    return opened(store);
  }

  /**
   * Opens the filter if it is whole, and otherwise puts an empty one in its place, once however
   * many processes do so at the same time.
   *
   * @throws FilterMismatchException if there is one with other parameters
   */
  public RedisWindowedBloomFilter<T> recreateIfLost() {
    ShardStore store = store();
    byte[] before = store.firstHeader();
    try {
      return createOrOpen();
    } catch (FilterLostException e) {
      store.make(header(), null, Header.readStamp(before), beside -> {});
      return opened(store);
    }
  }

  private RedisWindowedBloomFilter<T> opened(ShardStore store) {
    Ring ring = store.openRing();
    ring.header()
        .difference(header())
        .ifPresent(
            difference -> {
              throw new FilterMismatchException(
                  "the filter " + name + " is not as wanted: " + difference);
            });
    return RedisWindowedBloomFilter.opened(
        new Server(link), BoundHasher.of(hasher, seed), name, ring, clock);
  }

  private Header header() {
    if (windowMillis == null || expectedKeys == null || fpp == null) {
      throw new IllegalStateException("need window, expectedKeys and fpp");
    }
    Rotation rotation = new Rotation(generations, windowMillis);
    long most = Math.max(Shards.LINE_BYTES, (shardBytes - Shards.LINE_BYTES) / generations);
    Shape shape = shape(null, expectedKeys, fpp);
    if (!Shards.isPossible(shape.layout(), Shards.countFor(shape, most))) {
      shape = shape(Layout.SPLIT, expectedKeys, fpp); // all bits of a key in one string
    }
    int shards = Shards.countFor(shape, most);
    Sizing sizing = new Sizing(shape, expectedKeys, fpp);
    long epoch = ShardStore.newEpoch();
    return new Header(BoundHasher.of(hasher, seed).id(), sizing, shards, 0, epoch, rotation);
  }

  /** Returns the shape of one generation, of which all g together have the fpp when full. */
  private Shape shape(@Nullable Layout layout, long keys, double fppOfAll) {
    Sizing.Builder builder =
        Sizing.builder()
            .expectedKeys((keys - 1) / (generations - 1) + 1)
            .fpp(-Math.expm1(Math.log1p(-fppOfAll) / generations));
    return (layout == null ? builder : builder.layout(layout)).solve().shape();
  }

  private ShardStore store() {
    return ShardStore.ofWindow(new Server(link), name);
  }
}
