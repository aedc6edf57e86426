package dev.tamis.redis;

import static java.util.Objects.requireNonNull;

import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.Sizing;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link RedisBloomFilter} that does not exist yet, or may not.
 *
 * <p>Each setter checks its own value at once; creating the filter checks that together they are
 * sufficient: two of expectedKeys, fpp, bits and hashes.
 *
 * @param <T> the type of key
 */
public final class RedisBloomFilterBuilder<T> {

  /** The most bytes of a shard: a string has half a gigabyte, with a header. */
  public static final int MAX_SHARD_BYTES = Shards.MAX_SHARD_BYTES;

  private final RedisLink link;
  private final String name;
  private final KeyHasher<? super T> hasher;
  private @Nullable Layout layout;
  private @Nullable Long expectedKeys;
  private @Nullable Double fpp;
  private @Nullable Long bits;
  private @Nullable Integer hashes;
  private @Nullable Duration timeToLive;
  private long seed;
  private @Nullable Long shardBytes;

  RedisBloomFilterBuilder(RedisLink link, String name, KeyHasher<? super T> hasher) {
    this.link = requireNonNull(link, "link");
    this.name = Shards.requireName(name);
    this.hasher = requireNonNull(hasher, "hasher");
  }

  /** Sets n, the distinct keys expected; at least 1. */
  public RedisBloomFilterBuilder<T> expectedKeys(long expectedKeys) {
    Sizing.builder().expectedKeys(expectedKeys);
    this.expectedKeys = expectedKeys;
    return this;
  }

  /** Sets p, the false-positive probability once they are all in; strictly between 0 and 1. */
  public RedisBloomFilterBuilder<T> fpp(double fpp) {
    Sizing.builder().fpp(fpp);
    this.fpp = fpp;
    return this;
  }

  /**
   * Sets where the bits of a key lie. If neither layout nor hashes nor bits are set, they are those
   * with the fewest hashes that take at most a tenth more bits than in a {@code BloomFilter}: a put
   * takes the server a third less time at 1 %. For a filter that is to be merged with one from
   * elsewhere, set what that one has, such as {@code Layout.forFpp(fpp)}, its default.
   *
   * <p>A filter of several shards must have {@link Layout#LINE} or {@link Layout#SPLIT}, which keep
   * a key in one shard, and below an fpp of 0.01 % take more bits than two lines per key; one in a
   * single shard can have any layout.
   */
  public RedisBloomFilterBuilder<T> layout(Layout layout) {
    this.layout = requireNonNull(layout, "layout");
    return this;
  }

  /** Sets m, the maximum number of bits; overrides the computed value. */
  public RedisBloomFilterBuilder<T> bits(long bits) {
    Sizing.builder().bits(bits);
    this.bits = bits;
    return this;
  }

  /** Sets k, the bits per key, in the layout's range; overrides the computed value. */
  public RedisBloomFilterBuilder<T> hashes(int hashes) {
    Sizing.builder().hashes(hashes);
    this.hashes = hashes;
    return this;
  }

  /** Sets the seed of the hash function, by default 0. Not for a hasher with a hash key. */
  public RedisBloomFilterBuilder<T> seed(long seed) {
    this.seed = seed;
    return this;
  }

  /**
   * Sets the maximum size of a shard, which is one string of the server; by default 1 MiB, or 32
   * MiB in a layout that needs a single one. Larger filters have several shards, which a cluster
   * spreads over its servers. Creating or merging a shard blocks the server for about a millisecond
   * per MB.
   *
   * @param shardBytes 64 to {@link #MAX_SHARD_BYTES}
   */
  public RedisBloomFilterBuilder<T> shardBytes(long shardBytes) {
    this.shardBytes = Shards.requireShardBytes(shardBytes);
    return this;
  }

  /**
   * Sets the time after which the server expires the filter, from its creation. It is lost then,
   * which the next call of each process detects.
   *
   * @param timeToLive at least a millisecond
   */
  public RedisBloomFilterBuilder<T> timeToLive(Duration timeToLive) {
    this.timeToLive = RedisBloomFilter.requireTimeToLive(timeToLive);
    return this;
  }

  /**
   * Creates an empty filter. A lost one of which only a later put is left does not count as
   * existing.
   *
   * @throws FilterExistsException if there is one of that name
   * @throws RedisUnavailableException if the server does not reply; {@link #createOrOpen} continues
   *     with what was created, if anything was
   * @throws IllegalStateException if the settings are insufficient or contradict each other
   * @throws IllegalArgumentException if no filter can have these settings
   */
  public RedisBloomFilter<T> create() {
    ShardStore store = store();
    Sizing sizing = sizing(fileSizing());
    if (!create(store, sizing, null)) {
      throw new FilterExistsException(
          "filter " + name + ": already exists; open it, delete it or use another name");
    }
    return opened(store, sizing);
  }

  /**
   * Opens the filter, or creates it if there is none; of several processes that do so at once, one
   * creates it and the others open it. If neither layout nor hashes nor bits are set, one that was
   * uploaded from a file of the same expectedKeys and fpp is opened too.
   *
   * <p>An empty filter also replaces one that was lost completely, because nothing distinguishes a
   * name that was never used from one that was deleted. Use {@link RedisBloomFilter#open} where
   * that matters.
   *
   * @throws FilterMismatchException if there is one with different parameters
   * @throws FilterLostException if a part of it is missing
   */
  public RedisBloomFilter<T> createOrOpen() {
    ShardStore store = store();
    Sizing file = fileSizing();
    Sizing sizing = sizing(file);
    if (Header.isBlank(store.firstHeader())) {
      create(store, sizing, null);
    }
    return opened(store, sizing, file); // or what was uploaded
  }

  /**
   * Opens the filter if it is complete, and otherwise replaces it by an empty one, exactly once
   * however many processes do so at once.
   *
   * @throws FilterMismatchException if there is one with different parameters
   */
  public RedisBloomFilter<T> recreateIfLost() {
    ShardStore store = store();
    byte[] before = store.firstHeader();
    try {
      return createOrOpen();
    } catch (FilterLostException e) {
      Sizing sizing = sizing(fileSizing());
      create(store, sizing, Header.readStamp(before));
      return opened(store, sizing);
    }
  }

  /**
   * Creates an empty filter with these settings that is to replace another one of the same name
   * once it is filled. It may be larger or smaller, or have another layout; only the hash must be
   * the same.
   *
   * @param old the filter to be replaced
   * @throws IllegalArgumentException if that one has another name or hash
   */
  public Rebuild<T> replace(RedisBloomFilter<T> old) {
    return replace(old, sizing(fileSizing()));
  }

  private Rebuild<T> replace(RedisBloomFilter<T> old, Sizing sizing) {
    Epoch replaced = old.current().get();
    Header header = header(sizing, ShardStore.nextEpoch(replaced.header().epoch()));
    if (!old.name().equals(name)) {
      throw new IllegalArgumentException(
          "filter "
              + name
              + ": name: must be that of the filter to be replaced, got "
              + old.name());
    }
    old.hashId()
        .difference(header.hashId())
        .ifPresent(
            difference -> {
              throw new IllegalArgumentException(
                  "filter " + name + ": not compatible with its replacement: " + difference);
            });
    ShardStore store = store();
    Epoch building = new Epoch(header, store.prepare(header, timeToLive));
    return new Rebuild<>(store, old, replaced, building, of(building));
  }

  /** Returns the filter under its temporary keys, valid until it is renamed. */
  private RedisBloomFilter<T> of(Epoch building) {
    return new RedisBloomFilter<>(
        new Server(link), () -> gone(name), BoundHasher.of(hasher, seed), name, building);
  }

  /**
   * Publishes a copy of {@code filled} under the name, in place of the filter that is there,
   * complete or not. What is not set is taken from {@code filled}. The copy is uploaded under
   * temporary keys and swapped in atomically: clients that open the name in the meantime find the
   * old filter, and those that have it open continue with the new one.
   *
   * @param filled a filter with the parameters of these settings, as far as there are any
   * @throws IllegalArgumentException if its parameters differ; nothing has changed then
   * @throws FilterMismatchException if there is one with another hash, or something else
   * @throws FilterExistsException if another client does the same concurrently
   */
  public RedisBloomFilter<T> createOrReplace(BloomFilter<T> filled) {
    Sizing sizing = sizingOf(filled);
    ShardStore store = store();
    byte[] before = store.firstHeader();
    RedisBloomFilter<T> old;
    try {
      old = RedisBloomFilter.open(link, name, hasher);
    } catch (FilterLostException e) { // there is none, or it is incomplete
      Header header = header(sizing, ShardStore.newEpoch());
      if (!create(store, header, Header.readStamp(before), filled)) {
        throw new FilterExistsException(
            "filter " + name + ": was created concurrently by another client; try again");
      }
      return opened(store, sizing);
    }
    try (Rebuild<T> rebuild = replace(old, sizing)) {
      rebuild.filter().putAll(filled);
      rebuild.swap();
    }
    return old;
  }

  private static Epoch gone(String name) {
    throw new FilterLostException(
        "replacement of filter " + name + ": was swapped in, closed, flushed or evicted");
  }

  /** Creates an empty filter, unless there is another one than the expected one. */
  private boolean create(ShardStore store, Sizing sizing, @Nullable Long expectedStamp) {
    Header header = header(sizing, ShardStore.newEpoch());
    return store.create(header, timeToLive, expectedStamp, building -> {});
  }

  private boolean create(
      ShardStore store, Header header, @Nullable Long expectedStamp, BloomFilter<T> filled) {
    return store.create(
        header,
        timeToLive,
        expectedStamp,
        building -> of(new Epoch(header, building)).putAll(filled));
  }

  /** Opens the filter, if it has one of these sizings. */
  private RedisBloomFilter<T> opened(ShardStore store, Sizing... accepted) {
    Epoch epoch = store.open();
    List<String> differences =
        Stream.of(accepted)
            .flatMap(sizing -> epoch.header().difference(header(sizing, 0)).stream())
            .toList();
    if (differences.size() == accepted.length) {
      throw new FilterMismatchException(
          "filter "
              + name
              + ": "
              + differences.get(0)
              + "; open it without parameters, or rebuild it");
    }
    return new RedisBloomFilter<>(
        new Server(link), store::open, BoundHasher.of(hasher, seed), name, epoch);
  }

  private boolean isShapeSet() {
    return layout != null || hashes != null || bits != null;
  }

  private Header header(Sizing sizing, long epoch) {
    return new Header(
        BoundHasher.of(hasher, seed).id(), sizing, shardsFor(sizing.shape()), 0, epoch);
  }

  private boolean isPossible(Shape shape) {
    return Shards.isPossible(shape.layout(), shardsFor(shape));
  }

  /** Returns the sizing of a filter that is created here, where a file would have the other. */
  private Sizing sizing(Sizing file) {
    return isShapeSet() ? file : ServerSizing.fewestHashes(file, this::isPossible);
  }

  /** Returns the sizing of a filter that is uploaded. */
  private Sizing sizingOf(BloomFilter<T> filled) {
    if (isShapeSet()) {
      return fileSizing();
    }
    requireSame("expectedKeys", expectedKeys, filled.expectedKeys());
    requireSame("fpp", fpp, filled.fpp());
    requirePossible(filled.shape());
    return new Sizing(filled.shape(), filled.expectedKeys(), filled.fpp());
  }

  private void requireSame(String setting, @Nullable Number wanted, Number filled) {
    if (wanted != null && !wanted.equals(filled)) {
      throw new IllegalArgumentException(
          "filter "
              + name
              + ": "
              + setting
              + ": must be that of the filled one, "
              + filled
              + ", got "
              + wanted);
    }
  }

  private void requirePossible(Shape shape) {
    if (!isPossible(shape)) {
      throw new IllegalArgumentException(
          "layout: must be line or split with "
              + shardsFor(shape)
              + " shards, so that a key is in one of them, got "
              + shape.layout().label()
              + "; increase shardBytes to use one shard");
    }
  }

  /** Returns the sizing of a file with these settings, if a server can have its layout. */
  private Sizing fileSizing() {
    Sizing sizing = sizing(layout);
    if (layout != null) {
      requirePossible(sizing.shape());
    }
    return isPossible(sizing.shape()) ? sizing : sizing(Layout.SPLIT);
  }

  private int shardsFor(Shape shape) {
    return Shards.countFor(
        shape, 1, shardBytes == null ? Shards.defaultBytes(shape.layout()) : shardBytes);
  }

  private Sizing sizing(@Nullable Layout wanted) {
    Sizing.Builder builder = Sizing.builder();
    if (wanted != null) {
      builder.layout(wanted);
    }
    if (expectedKeys != null) {
      builder.expectedKeys(expectedKeys);
    }
    if (fpp != null) {
      builder.fpp(fpp);
    }
    if (bits != null) {
      builder.bits(bits);
    }
    if (hashes != null) {
      builder.hashes(hashes);
    }
    return builder.solve();
  }

  private ShardStore store() {
    return new ShardStore(new Server(link), name);
  }
}
