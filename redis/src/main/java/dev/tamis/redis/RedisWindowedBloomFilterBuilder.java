package dev.tamis.redis;

import static java.util.Objects.requireNonNull;

import dev.tamis.filter.LineRanges;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.Sizing;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings with which a {@link RedisWindowedBloomFilter} is created or opened.
 *
 * <p>Window, expectedKeys and fpp must be set.
 *
 * @param <T> the type of key
 */
public final class RedisWindowedBloomFilterBuilder<T>
    extends RedisFilterBuilder<T, RedisWindowedBloomFilter<T>, RedisWindowedBloomFilterBuilder<T>> {

  private static final int DEFAULT_GENERATIONS = 4;

  private @Nullable Long windowMillis;
  private @Nullable InstantSource clock;
  private int generations = DEFAULT_GENERATIONS;

  RedisWindowedBloomFilterBuilder(RedisLink link, String name, KeyHasher<? super T> hasher) {
    super(link, name, hasher);
  }

  @Override
  RedisWindowedBloomFilterBuilder<T> self() {
    return this;
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

  /**
   * Replaces the server's clock, for time other than wall-clock time. The fastest clock of all
   * processes determines the period: a key is remembered for at least T minus the skew of the
   * clocks. Instants before 1970 count as its beginning.
   */
  public RedisWindowedBloomFilterBuilder<T> clock(InstantSource clock) {
    this.clock = requireNonNull(clock, "clock");
    return this;
  }

  @Override
  RedisWindowedBloomFilter<T> of(Epoch epoch) {
    return RedisWindowedBloomFilter.opened(server(), boundHasher(), name, epoch, clock);
  }

  @Override
  List<Header> headers() {
    if (windowMillis == null || expectedKeys == null || fpp == null) {
      throw new IllegalStateException(
          "filter: window, expectedKeys and fpp: required; set all three");
    }
    Rotation rotation = new Rotation(generations, windowMillis);
    Sizing generation = generation(null, expectedKeys, fpp);
    if (!isPossible(generation.shape())) {
      generation = generation(Layout.SPLIT, expectedKeys, fpp); // all bits of a key in one string
    }
    Shape shape = fewestHashes(generation, this::isPossible).shape();
    Sizing sizing = new Sizing(shape, expectedKeys, fpp);
    long epoch = ShardStore.newEpoch();
    return List.of(new Header(boundHasher().id(), sizing, shardsFor(shape), 0, epoch, rotation));
  }

  @Override
  int shardsFor(Shape shape) {
    long each = (shardBytes(shape) - LineRanges.LINE_BYTES) / generations;
    return Shards.countFor(shape, generations, Math.max(LineRanges.LINE_BYTES, each));
  }

  /** Returns the sizing of one generation; all g together have the fpp when full. */
  private Sizing generation(@Nullable Layout layout, long keys, double fppOfAll) {
    Sizing.Builder builder =
        Sizing.builder()
            .expectedKeys((keys - 1) / (generations - 1) + 1)
            .fpp(-Math.expm1(Math.log1p(-fppOfAll) / generations));
    return (layout == null ? builder : builder.layout(layout)).solve();
  }

  @Override
  ShardStore store() {
    return ShardStore.ofWindow(server(), name);
  }
}
