package dev.tamis.redis;

import static java.util.Objects.requireNonNull;

import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.Sizing;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The settings common to plain filters and windows. Each setter checks its own value at once.
 *
 * @param <F> the type of filter
 * @param <B> the type of builder
 */
abstract sealed class RedisFilterBuilder<T, F, B>
    permits RedisBloomFilterBuilder, RedisWindowedBloomFilterBuilder {

  /** Maximum ratio of bits to those of a file, in exchange for fewer hashes. */
  private static final double MOST_BITS = 1.1;

  final String name;
  final RedisLink link;
  final KeyHasher<? super T> hasher;
  @Nullable Long expectedKeys;
  @Nullable Double fpp;
  @Nullable Duration timeToLive;
  private long seed;
  private @Nullable Long shardBytes;

  RedisFilterBuilder(RedisLink link, String name, KeyHasher<? super T> hasher) {
    this.link = requireNonNull(link, "link");
    this.name = Shards.requireName(name);
    this.hasher = requireNonNull(hasher, "hasher");
  }

  abstract B self();

  abstract ShardStore store();

  /** Returns the headers that the filter may have, that of a new one first. */
  abstract List<Header> headers();

  abstract F of(Epoch epoch);

  abstract int shardsFor(Shape shape);

  /** Sets n, the distinct keys expected, within a window if there is one; at least 1. */
  public B expectedKeys(long expectedKeys) {
    Sizing.builder().expectedKeys(expectedKeys);
    this.expectedKeys = expectedKeys;
    return self();
  }

  /** Sets p, the maximum false-positive probability with n keys; strictly between 0 and 1. */
  public B fpp(double fpp) {
    Sizing.builder().fpp(fpp);
    this.fpp = fpp;
    return self();
  }

  /** Sets the seed of the hash function, by default 0. Not for a hasher with a hash key. */
  public B seed(long seed) {
    this.seed = seed;
    return self();
  }

  /**
   * Sets the maximum size of a shard, one string of the server; by default 1 MiB, or 32 MiB in a
   * layout that cannot be split. A cluster spreads shards over its servers. Creating or merging a
   * shard, or clearing a generation of one, blocks the server for about a millisecond per MB.
   *
   * @param shardBytes 64 to {@link RedisBloomFilterBuilder#MAX_SHARD_BYTES}, of all generations of
   *     a window together
   */
  public B shardBytes(long shardBytes) {
    this.shardBytes = Shards.requireShardBytes(shardBytes);
    return self();
  }

  /**
   * Creates an empty filter. The remains of a lost one, to which only a later put has written, do
   * not count as existing.
   *
   * @throws FilterExistsException if there is one of that name
   * @throws RedisUnavailableException if the server does not reply; {@link #createOrOpen} continues
   *     from an interrupted creation
   * @throws IllegalStateException if the settings are insufficient or contradict each other
   * @throws IllegalArgumentException if no filter can have these settings
   */
  public F create() {
    List<Header> headers = headers();
    if (!create(headers, null)) {
      throw new FilterExistsException(
          "filter " + name + ": already exists; open it, delete it or use another name");
    }
    return opened(headers);
  }

  /**
   * Opens the filter, or creates it; if several processes do so at once, one creates it and the
   * others open it. An uploaded file with the same expectedKeys and fpp is opened too, unless
   * layout, hashes or bits are set.
   *
   * <p>This also replaces a filter that was lost completely, because a deleted name is
   * indistinguishable from one that was never used. Use {@code open} where that matters.
   *
   * @throws FilterMismatchException if there is one with different parameters
   * @throws FilterLostException if a part of it is missing
   */
  public F createOrOpen() {
    List<Header> headers = headers();
    if (Header.isBlank(store().firstHeader())) {
      create(headers, null);
    }
    return opened(headers);
  }

  /**
   * Opens the filter if it is complete, and otherwise replaces it by an empty one, exactly once
   * however many processes do so at once.
   *
   * @throws FilterMismatchException if there is one with different parameters
   */
  public F recreateIfLost() {
    byte[] before = store().firstHeader();
    try {
      return createOrOpen();
    } catch (FilterLostException e) {
      List<Header> headers = headers();
      create(headers, Header.readStamp(before));
      return opened(headers);
    }
  }

  /** Creates an empty filter, unless there is another one than the expected one. */
  private boolean create(List<Header> headers, @Nullable Long expectedStamp) {
    return store().create(headers.get(0), timeToLive, expectedStamp, building -> {});
  }

  /** Opens the filter, which must have the parameters of one of these headers. */
  final F opened(List<Header> accepted) {
    Epoch epoch = store().open();
    List<String> differences =
        accepted.stream().flatMap(header -> epoch.header().difference(header).stream()).toList();
    if (differences.size() == accepted.size()) {
      throw new FilterMismatchException(
          "filter "
              + name
              + ": "
              + differences.get(0)
              + "; open it without parameters, or rebuild it");
    }
    return of(epoch);
  }

  final Server server() {
    return new Server(link);
  }

  final BoundHasher<T> boundHasher() {
    return BoundHasher.of(hasher, seed);
  }

  final boolean isPossible(Shape shape) {
    return Shards.isPossible(shape.layout(), shardsFor(shape));
  }

  final long shardBytes(Shape shape) {
    return shardBytes == null ? Shards.defaultBytes(shape.layout()) : shardBytes;
  }

  /**
   * Returns the sizing with the fewest hashes that has hardly more bits. A put sends some tokens
   * for each bit it sets, and parsing them is most of the server's work; see decision 49.
   *
   * @param file the sizing of a filter in memory or in a file
   * @param isPossible whether a server can hold a filter of this shape
   */
  static Sizing fewestHashes(Sizing file, Predicate<Shape> isPossible) {
    if (file.shape().layout().linesPerKey() != 1) {
      return file; // two lines take 16 hashes or more in every layout
    }
    Layout layout = Layout.LINE;
    long lines = (long) (MOST_BITS * file.shape().bits()) / Layout.LINE_BITS;
    long mostBits = Math.min(Layout.MAX_BITS, lines * Layout.LINE_BITS);
    for (int k = layout.minHashes(); k < file.shape().hashes(); k += layout.hashStep()) {
      if (new Shape(layout, mostBits, k).fpp(file.expectedKeys()) <= file.fpp()) {
        Sizing fewer =
            Sizing.builder()
                .layout(layout)
                .hashes(k)
                .expectedKeys(file.expectedKeys())
                .fpp(file.fpp())
                .solve();
        if (isPossible.test(fewer.shape())) {
          return fewer;
        }
      }
    }
    return file;
  }
}
