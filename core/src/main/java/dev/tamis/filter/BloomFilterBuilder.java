package dev.tamis.filter;

import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Sizing;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collector;

/**
 * Settings of a {@link BloomFilter}.
 *
 * @param <T> the type of key
 */
public final class BloomFilterBuilder<T> extends BloomBuilder<T, BloomFilterBuilder<T>> {

  BloomFilterBuilder(KeyHasher<? super T> hasher) {
    super(hasher);
  }

  /**
   * Builds an empty filter.
   *
   * @throws IllegalStateException if settings are missing or contradict each other
   * @throws IllegalArgumentException if no such filter is possible, or the heap cannot hold it
   */
  public BloomFilter<T> build() {
    Sizing sizing = sizing();
    return new BloomFilter<>(hashing(), sizing, isThreadSafe(), tally(sizing));
  }

  Collector<T, ?, BloomFilter<T>> collector() {
    return Collector.of(
        () -> new Collecting<>(build()),
        Collecting<T>::put,
        Collecting<T>::merge,
        Collecting<T>::finish,
        Collector.Characteristics.CONCURRENT,
        Collector.Characteristics.UNORDERED);
  }

  /** A filter and hashes for it, which each thread puts in bulk: half the time of single puts. */
  private static final class Collecting<T> {

    private final BloomFilter<T> filter;
    private final Queue<Batch> batches = new ConcurrentLinkedQueue<>();
    private final ThreadLocal<Batch> ofThread = ThreadLocal.withInitial(this::newBatch);

    Collecting(BloomFilter<T> filter) {
      this.filter = filter;
    }

    private Batch newBatch() {
      Batch batch = new Batch();
      batches.add(batch);
      return batch;
    }

    void put(T key) {
      Batch batch = ofThread.get();
      batch.hashes[batch.count++] = filter.hashOf(key);
      if (batch.count == BloomFilter.BATCH) {
        put(batch);
      }
    }

    private void put(Batch batch) {
      filter.putHashes(batch.hashes, batch.count, batch.isNew);
      batch.count = 0;
    }

    Collecting<T> merge(Collecting<T> other) {
      finish().putAll(other.finish());
      return this;
    }

    BloomFilter<T> finish() {
      batches.forEach(this::put);
      return filter;
    }
  }

  private static final class Batch {
    private final long[] hashes = new long[BloomFilter.BATCH];
    private final boolean[] isNew = new boolean[BloomFilter.BATCH];
    private int count;
  }
}
