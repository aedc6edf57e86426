package dev.tamis.spark;

import dev.tamis.Filter;
import dev.tamis.Mergeable;
import dev.tamis.Sized.Capacity;
import dev.tamis.Storable;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.format.FormatException;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Sizing;
import dev.tamis.sketch.CountMinSketch;
import dev.tamis.sketch.DistinctCounter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;

/**
 * The keys of a distributed data set, to be put into filters and sketches.
 *
 * <p>Each method runs one job. Every task fills a filter of its own, and these are merged by other
 * tasks in the form of a tree; elements are never collected, and the driver receives the result
 * alone. So a task needs about twice the memory of the filter while it fills, and five times while
 * it merges, and {@code spark.driver.maxResultSize} must exceed the filter. What is too large for
 * that is built in slices, {@link #slicedFilter}.
 *
 * <p>The result does not depend on the partitions, on their order, or on tasks that were repeated:
 * it is byte for byte what one thread makes of the same keys.
 *
 * @param <T> the type of key
 */
public final class SparkKeys<T> {

  /** Levels of the tree in which the filters of the tasks are merged. */
  private static final int TREE_DEPTH = 2;

  private final Elements<?> elements;
  private final KeyHasher<? super T> hasher;

  <E> SparkKeys(JavaRDD<E> rdd, KeyHashes<E> hashes, KeyHasher<? super T> hasher) {
    this.elements = new Elements<>(rdd, hashes);
    this.hasher = hasher;
  }

  /**
   * Puts the keys into a new Bloom filter of the blocked layout that fits {@code fpp}.
   *
   * @param expectedKeys n, distinct keys expected; at least 1
   * @param fpp p, false-positive probability once they are all in; strictly between 0 and 1
   */
  public BuildResult<BloomFilter<T>> filter(long expectedKeys, double fpp) {
    return putInto(BloomFilter.<T>create(hasher, expectedKeys, fpp));
  }

  /**
   * Puts the keys into a new counting Bloom filter, with counters of 4 bits; a key that comes more
   * than once is counted as often.
   */
  public BuildResult<CountingBloomFilter<T>> countingFilter(long expectedKeys, double fpp) {
    return putInto(CountingBloomFilter.<T>create(hasher, expectedKeys, fpp));
  }

  /**
   * Counts the distinct keys.
   *
   * @param precision p; the counter takes 2^p bytes; 3 to 26
   */
  public BuildResult<DistinctCounter<T>> distinctCounter(int precision) {
    return putInto(DistinctCounter.<T>create(hasher, precision));
  }

  /**
   * Counts how often each key comes.
   *
   * @param epsilon ε, how much too high a count may be, as a share of all puts; in (0, 1)
   * @param delta δ, the probability that it is more than that; in (0, 1)
   */
  public BuildResult<CountMinSketch<T>> countMin(double epsilon, double delta) {
    return putInto(CountMinSketch.<T>create(hasher, epsilon, delta));
  }

  /**
   * Puts the keys into {@code target}, in addition to its own: a filter of any layout and seed, or
   * one that takes the keys of each micro-batch of a stream. Nothing has changed if the job fails.
   *
   * <p>A micro-batch may be repeated after a failure. That changes nothing in a Bloom filter or a
   * distinct counter, but counts twice where there are counters.
   *
   * @param target a {@link BloomFilter}, {@link CountingBloomFilter}, {@link DistinctCounter} or
   *     {@link CountMinSketch} with this hasher
   * @throws IllegalArgumentException if it is of another kind, has a secret key, or cannot be
   *     merged
   */
  public <F extends Mergeable<F> & Storable> BuildResult<F> putInto(F target) {
    FilterBuffer.requireFillable(target);
    F empty = target.copy();
    empty.clear();
    byte[] bytes = elements.fill(empty.toByteArray());
    long keys = 0;
    long nullKeys = 0;
    if (bytes.length > 0) {
      Partial partial = Partial.of(bytes);
      keys = partial.keys();
      nullKeys = partial.nullKeys();
      target.putAll(read(target, partial.frame()));
    }
    return new BuildResult<>(target, keys, nullKeys, warning(target));
  }

  @SuppressWarnings("unchecked") // of the kind of target
  private <F extends Mergeable<F> & Storable> F read(F target, byte[] frame) {
    ByteArrayInputStream in = new ByteArrayInputStream(frame);
    try {
      return (F)
          switch (target.kind()) {
            case BLOOM -> BloomFilter.<T>readFrom(in, hasher, frame.length);
            case COUNTING_BLOOM -> CountingBloomFilter.<T>readFrom(in, hasher, frame.length);
            case COUNT_MIN -> CountMinSketch.<T>readFrom(in, hasher, frame.length);
            default -> DistinctCounter.<T>readFrom(in, hasher, frame.length);
          };
    } catch (FormatException e) {
      throw new IllegalStateException("what the tasks have filled is damaged", e);
    } catch (IOException e) {
      throw new IllegalStateException("an array cannot fail", e);
    }
  }

  private static Optional<String> warning(Object contents) {
    return contents instanceof Filter<?> filter
        ? Capacity.of(filter)
            .flatMap(
                capacity ->
                    Warnings.overCapacity(
                        capacity, filter.approximateElementCount().rounded(), filter.expectedFpp()))
        : Optional.empty();
  }

  /**
   * Writes a file with a new Bloom filter of the keys, which may be larger than the memory of a
   * task or of the driver: each slice is filled and written by one task, in memory of its own size
   * and less than 16 MB more. Costs a shuffle of eight bytes for each key, or sixteen where the fpp
   * is below 0.01 % and a key has bits in two places.
   *
   * <p>The file appears when it is complete, and replaces a previous one. The temporary files
   * beside it are removed, also if the job fails.
   *
   * @param path a path of Hadoop's file systems that the driver and all executors can reach
   * @param expectedKeys n, distinct keys expected; at least 1
   * @param fpp p, false-positive probability once they are all in; strictly between 0 and 1
   * @param slices the tasks that share the filter; at least 1
   * @throws java.io.UncheckedIOException if a file cannot be written
   */
  public SlicedFilter slicedFilter(String path, long expectedKeys, double fpp, int slices) {
    BoundHasher<T> hashing = BoundHasher.of(hasher, 0);
    FilterBuffer.requireUnkeyed(hashing.id());
    Sizing sizing = Sizing.builder().expectedKeys(expectedKeys).fpp(fpp).solve();
    return elements.build(new SlicedBuild(path, sizing, hashing.id(), slices));
  }

  record Elements<E>(JavaRDD<E> rdd, KeyHashes<E> hashes) {

    SlicedFilter build(SlicedBuild build) {
      return build.run(rdd, hashes);
    }

    byte[] fill(byte[] empty) {
      JavaSparkContext context = JavaSparkContext.fromSparkContext(rdd.context());
      Broadcast<byte[]> start = context.broadcast(empty);
      KeyHashes<E> hashing = hashes;
      try {
        return rdd.mapPartitions(
                elements ->
                    elements.hasNext()
                        ? List.of(Partial.fill(start.value(), elements, hashing)).iterator()
                        : Collections.<byte[]>emptyIterator())
            .treeAggregate(Partial.NONE, Partial::merge, Partial::merge, TREE_DEPTH, true);
      } finally {
        start.destroy();
      }
    }
  }

  /**
   * What one or more tasks have put: the bytes of a filter or sketch, and how many elements it was.
   *
   * <p>It travels as one array of bytes, which every serializer handles.
   *
   * @param keys elements that had a key
   * @param nullKeys elements that had none
   * @param frame the filter or sketch
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Partial(long keys, long nullKeys, byte[] frame) {

    /** The result of no tasks. */
    static final byte[] NONE = {};

    private static final int COUNTS_BYTES = 2 * Long.BYTES;

    static Partial of(byte[] bytes) {
      ByteBuffer counts = ByteBuffer.wrap(bytes);
      return new Partial(
          counts.getLong(),
          counts.getLong(),
          Arrays.copyOfRange(bytes, COUNTS_BYTES, bytes.length));
    }

    byte[] toByteArray() {
      return ByteBuffer.allocate(COUNTS_BYTES + frame.length)
          .putLong(keys)
          .putLong(nullKeys)
          .put(frame)
          .array();
    }

    static <E> byte[] fill(byte[] empty, Iterator<E> elements, KeyHashes<E> hashes) {
      try {
        FilterBuffer<?> buffer = FilterBuffer.of(empty);
        long keys = 0;
        long nullKeys = 0;
        while (elements.hasNext()) {
          E element = elements.next();
          if (hashes.isNull(element)) {
            nullKeys++;
          } else {
            buffer.put(hashes.hash(element, buffer.function()));
            keys++;
          }
        }
        return new Partial(keys, nullKeys, buffer.toByteArray()).toByteArray();
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read the empty filter sent to the task", e);
      }
    }

    /** Merges the results of two groups of tasks. */
    static byte[] merge(byte[] first, byte[] second) {
      if (first.length == 0 || second.length == 0) {
        return first.length == 0 ? second : first;
      }
      try {
        Partial one = of(first);
        Partial other = of(second);
        FilterBuffer<?> merged = FilterBuffer.of(one.frame).merge(FilterBuffer.of(other.frame));
        return new Partial(
                one.keys + other.keys, one.nullKeys + other.nullKeys, merged.toByteArray())
            .toByteArray();
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read what a task has filled", e);
      }
    }
  }
}
