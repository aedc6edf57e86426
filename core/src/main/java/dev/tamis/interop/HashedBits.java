package dev.tamis.interop;

import dev.tamis.HashedMutableFilter;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.Placement;
import dev.tamis.internal.bits.Words;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * Foreign bits whose positions follow from a hash of 64 bits.
 *
 * @param <T> the type of key
 */
abstract sealed class HashedBits<T> extends ForeignBits<T> implements HashedMutableFilter<T>
    permits DcsoBloomFilter, ParquetBloomFilter, SparkBloomFilter {

  private final BoundHasher<T> bound;
  private final Placement placement;

  HashedBits(
      ForeignFormat format,
      KeyHasher<? super T> hasher,
      HashFunction function,
      Geometry geometry,
      Placement placement,
      Words words) {
    super(format, hasher, function.id(), geometry, words);
    this.bound = BoundHasher.of(hasher, function);
    this.placement = placement;
  }

  @Override
  public final BoundHasher<T> hasher() {
    return bound;
  }

  @Override
  public final boolean putHash(long hash) {
    VarHandle.acquireFence();
    boolean isNew = placement.putConcurrent(words, stripes, hash);
    VarHandle.acquireFence();
    return isNew;
  }

  @Override
  public final void putHashes(long[] hashes, int count, boolean[] isNew) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, isNew.length));
    for (int from = 0; from < count; from += Placement.BATCH) {
      int to = Math.min(count, from + Placement.BATCH);
      placement.prefetch(words, hashes, from, to, isNew);
      for (int i = from; i < to; i++) {
        isNew[i] = putHash(hashes[i]);
      }
    }
  }

  @Override
  public final boolean mightContainHash(long hash) {
    VarHandle.acquireFence(); // or the loads of a loop that waits for a key would be done once
    boolean found = placement.mightContain(words, hash);
    VarHandle.acquireFence(); // what follows sees what was done before the key was put
    return found;
  }

  @Override
  public final void mightContainHashes(long[] hashes, int count, boolean[] answers) {
    placement.mightContainBatch(words, hashes, count, answers);
  }

  @Override
  final void merge(Words others) {
    placement.merge(words, stripes, 0, others);
  }
}
