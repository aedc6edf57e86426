package dev.tamis.redis;

import static java.util.Objects.requireNonNull;

import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Sizing;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link RedisBloomFilter} that does not exist yet, or may not.
 *
 * <p>Each setter checks its own value at once; making the filter checks that together they are
 * enough: two of expectedKeys, fpp, bits and hashes.
 *
 * @param <T> the type of key
 */
public final class RedisBloomFilterBuilder<T> {

  /** 32 MiB: a merge of one shard holds up the server for some 20 milliseconds. */
  static final long DEFAULT_SHARD_BYTES = 32 << 20;

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
  private long shardBytes = DEFAULT_SHARD_BYTES;

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
   * Sets where the bits of a key lie. Without it: the layout that a {@code BloomFilter} would have,
   * but for a filter of several shards below an fpp of 0.01 %. That one has the split layout, which
   * keeps a key in one shard, and the bits it then takes to keep the fpp.
   *
   * <p>A filter of several shards must be of {@link Layout#LINE} or {@link Layout#SPLIT}; one in a
   * single shard can have any.
   */
  public RedisBloomFilterBuilder<T> layout(Layout layout) {
    this.layout = requireNonNull(layout, "layout");
    return this;
  }

  /** Sets m, the most bits the filter may have, for those who insist. */
  public RedisBloomFilterBuilder<T> bits(long bits) {
    Sizing.builder().bits(bits);
    this.bits = bits;
    return this;
  }

  /** Sets k, the bits of each key, for those who insist; in the layout's range. */
  public RedisBloomFilterBuilder<T> hashes(int hashes) {
    Sizing.builder().hashes(hashes);
    this.hashes = hashes;
    return this;
  }

  /** Sets the seed of the hash function, 0 without. Not for a hasher with a hash key. */
  public RedisBloomFilterBuilder<T> seed(long seed) {
    this.seed = seed;
    return this;
  }

  /**
   * Sets the most bytes of the filter that one string of the server holds; 32 MiB without. Larger
   * filters are cut into several, which a cluster spreads over its servers. A merge holds up the
   * server for a millisecond for every 2 MB of a string; 16 to 64 MB are reasonable.
   *
   * @param shardBytes 64 to 536,870,848
   */
  public RedisBloomFilterBuilder<T> shardBytes(long shardBytes) {
    this.shardBytes = Shards.requireShardBytes(shardBytes);
    return this;
  }

  /**
   * Lets the server forget the filter after this time, counted from when it is made. It is lost
   * then, which the next call of each process notices.
   *
   * @param timeToLive at least a millisecond
   */
  public RedisBloomFilterBuilder<T> timeToLive(Duration timeToLive) {
    this.timeToLive = RedisBloomFilter.requireTimeToLive(timeToLive);
    return this;
  }

  /**
   * Makes an empty filter. One that was lost and of which nothing but a later put is left does not
   * count as one that exists.
   *
   * @throws FilterExistsException if there is one of that name
   * @throws RedisUnavailableException if the server does not answer; {@link #createOrOpen} goes on
   *     with what was made, if anything was
   * @throws IllegalStateException if the settings are too few or contradict each other
   * @throws IllegalArgumentException if no filter can be so
   */
  public RedisBloomFilter<T> create() {
    ShardStore store = store();
    if (!make(store, null)) {
      throw new FilterExistsException(
          "there is a filter " + name + " already: open it, delete it or choose another name");
    }
    return opened(store);
  }

  /**
   * Opens the filter, or makes it if there is none; of several processes that do so at the same
   * time one makes it and the others open it.
   *
   * <p>An empty filter is also made where one was lost as a whole, because nothing tells a name
   * that was never used from one that was deleted. Who must know uses {@link
   * RedisBloomFilter#open}.
   *
   * @throws FilterMismatchException if there is one with other parameters
   * @throws FilterLostException if a part of it is missing
   */
  public RedisBloomFilter<T> createOrOpen() {
    ShardStore store = store();
    if (Header.isBlank(store.firstHeader())) {
      make(store, null);
    }
    return opened(store);
  }

  /**
   * Opens the filter if it is whole, and otherwise puts an empty one in its place, once however
   * many processes do so at the same time.
   *
   * @throws FilterMismatchException if there is one with other parameters
   */
  public RedisBloomFilter<T> recreateIfLost() {
    ShardStore store = store();
    byte[] before = store.firstHeader();
    try {
      return createOrOpen();
    } catch (FilterLostException e) {
      make(store, Header.readStamp(before));
      return opened(store);
    }
  }

  /**
   * Makes an empty filter with these settings beside another one of the same name, to be filled and
   * to take its place. It may be larger or smaller, or of another layout; only the hash must be the
   * same.
   *
   * @param old whose place it is to take
   * @throws IllegalArgumentException if that one has another name or hash
   */
  public Rebuild<T> replace(RedisBloomFilter<T> old) {
    Generation replaced = old.current().get();
    Header header = header(ShardStore.nextEpoch(replaced.header().epoch()));
    if (!old.name().equals(name)) {
      throw new IllegalArgumentException(
          "a filter " + name + " cannot replace one of name " + old.name());
    }
    old.hashId()
        .difference(header.hashId())
        .ifPresent(
            difference -> {
              throw new IllegalArgumentException("the filters are not compatible: " + difference);
            });
    ShardStore store = store();
    Generation beside = new Generation(header, store.prepare(header, timeToLive));
    return new Rebuild<>(store, old, replaced, beside, of(beside));
  }

  /** Returns the filter beside the name, which is of use until it is renamed. */
  private RedisBloomFilter<T> of(Generation beside) {
    return new RedisBloomFilter<>(
        new Server(link), () -> gone(name), BoundHasher.of(hasher, seed), name, beside);
  }

  /**
   * Puts a filter under the name that holds what another does, in the place of the one that is
   * there, whole or not. It is filled beside the name and gets there in one step: who opens the
   * name meanwhile finds what was there before, and who has the old one open goes on with the new
   * one.
   *
   * @param filled has the parameters of these settings
   * @throws IllegalArgumentException if it has others; nothing has changed then
   * @throws FilterMismatchException if there is one with another hash, or something else
   * @throws FilterExistsException if somebody else does the same meanwhile
   */
  public RedisBloomFilter<T> createOrReplace(BloomFilter<T> filled) {
    ShardStore store = store();
    byte[] before = store.firstHeader();
    RedisBloomFilter<T> old;
    try {
      old = RedisBloomFilter.open(link, name, hasher);
    } catch (FilterLostException e) { // there is none, or it is of no use
      if (!make(store, Header.readStamp(before), filled)) {
        throw new FilterExistsException("somebody else has made a filter " + name + " meanwhile");
      }
      return opened(store);
    }
    try (Rebuild<T> rebuild = replace(old)) {
      rebuild.filter().putAll(filled);
      rebuild.swap();
    }
    return old;
  }

  private static Generation gone(String name) {
    throw new FilterLostException(
        "the filter beside " + name + " was swapped in, closed, flushed or evicted");
  }

  /** Makes an empty filter, unless there is another one than the one expected. */
  private boolean make(ShardStore store, @Nullable Long expectedStamp) {
    return store.make(header(), timeToLive, expectedStamp, beside -> {});
  }

  private boolean make(ShardStore store, @Nullable Long expectedStamp, BloomFilter<T> filled) {
    Header header = header();
    return store.make(
        header,
        timeToLive,
        expectedStamp,
        beside -> of(new Generation(header, beside)).putAll(filled));
  }

  private RedisBloomFilter<T> opened(ShardStore store) {
    Generation generation = store.open();
    generation
        .header()
        .difference(header())
        .ifPresent(
            difference -> {
              throw new FilterMismatchException(
                  "the filter " + name + " is not as wanted: " + difference);
            });
    return new RedisBloomFilter<>(
        new Server(link), store::open, BoundHasher.of(hasher, seed), name, generation);
  }

  /** Returns the header of a filter with these settings and a new epoch. */
  private Header header() {
    return header(ShardStore.newEpoch());
  }

  private Header header(long epoch) {
    Sizing sizing = sizing(layout);
    int shards = Shards.countFor(sizing.shape(), shardBytes);
    if (!Shards.isPossible(sizing.shape().layout(), shards)) {
      if (layout != null) {
        throw new IllegalArgumentException(
            "a filter of "
                + shards
                + " shards cannot have layout "
                + layout.label()
                + ", which scatters a key over them: take line or split, or more shardBytes");
      }
      sizing = sizing(Layout.SPLIT);
      shards = Shards.countFor(sizing.shape(), shardBytes);
    }
    return new Header(BoundHasher.of(hasher, seed).id(), sizing, shards, 0, epoch);
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
