package dev.tamis.redis;

import static java.util.Objects.requireNonNull;

import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.Sizing;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Settings with which a {@link RedisBloomFilter} is created or opened.
 *
 * <p>Two of expectedKeys, fpp, bits and hashes must be set.
 *
 * @param <T> the type of key
 */
public final class RedisBloomFilterBuilder<T>
    extends RedisFilterBuilder<T, RedisBloomFilter<T>, RedisBloomFilterBuilder<T>> {

  /** The maximum size of a shard in bytes: that of a string, half a gigabyte, minus its header. */
  public static final int MAX_SHARD_BYTES = Shards.MAX_SHARD_BYTES;

  private @Nullable Layout layout;
  private @Nullable Long bits;
  private @Nullable Integer hashes;

  RedisBloomFilterBuilder(RedisLink link, String name, KeyHasher<? super T> hasher) {
    super(link, name, hasher);
  }

  @Override
  RedisBloomFilterBuilder<T> self() {
    return this;
  }

  /**
   * Sets where the bits of a key lie. If neither layout nor hashes nor bits are set, they are those
   * with the fewest hashes that take at most a tenth more bits than in a {@code BloomFilter}: a put
   * takes the server a third less time at 1 %. For a filter that is to be merged with one from
   * elsewhere, set its values here, such as {@code Layout.forFpp(fpp)}, its default.
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
    return new Rebuild<>(store, old, replaced, building, temporary(building));
  }

  /** Returns the filter under its temporary keys, valid until it is renamed. */
  private RedisBloomFilter<T> temporary(Epoch building) {
    return new RedisBloomFilter<>(server(), () -> gone(name), boundHasher(), name, building);
  }

  /**
   * Publishes a copy of {@code filled} under the name, in place of the existing filter, complete or
   * not. What is not set is taken from {@code filled}. The copy is uploaded under temporary keys
   * and swapped in atomically: clients that open the name in the meantime find the old filter, and
   * those that have it open continue with the new one.
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
    } catch (FilterLostException e) { // it does not exist, or is incomplete
      Header header = header(sizing, ShardStore.newEpoch());
      Consumer<Shards> upload = building -> temporary(new Epoch(header, building)).putAll(filled);
      if (!store.create(header, timeToLive, Header.readStamp(before), upload)) {
        throw new FilterExistsException(
            "filter " + name + ": was created concurrently by another client; try again");
      }
      return opened(List.of(header));
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

  @Override
  RedisBloomFilter<T> of(Epoch epoch) {
    return new RedisBloomFilter<>(server(), store()::open, boundHasher(), name, epoch);
  }

  private boolean isShapeSet() {
    return layout != null || hashes != null || bits != null;
  }

  @Override
  List<Header> headers() {
    Sizing file = fileSizing();
    return List.of(header(sizing(file), ShardStore.newEpoch()), header(file, 0));
  }

  private Header header(Sizing sizing, long epoch) {
    return new Header(boundHasher().id(), sizing, shardsFor(sizing.shape()), 0, epoch);
  }

  /** Returns the sizing of a filter that is created here, where a file would have the other. */
  private Sizing sizing(Sizing file) {
    return isShapeSet() ? file : fewestHashes(file, this::isPossible);
  }

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

  @Override
  int shardsFor(Shape shape) {
    return Shards.countFor(shape, 1, shardBytes(shape));
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

  @Override
  ShardStore store() {
    return new ShardStore(server(), name);
  }
}
