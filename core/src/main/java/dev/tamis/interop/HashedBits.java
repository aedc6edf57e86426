package dev.tamis.interop;

import dev.tamis.HashedMutableFilter;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.KeyHasher;

/**
 * Foreign bits whose positions follow from a hash of 64 bits.
 *
 * @param <T> the type of key
 */
abstract sealed class HashedBits<T> extends ForeignBits<T> implements HashedMutableFilter<T>
    permits DcsoBloomFilter, GuavaMitz32BloomFilter, ParquetBloomFilter, SparkBloomFilter {

  private final BoundHasher<T> bound;

  HashedBits(
      ForeignFormat format,
      KeyHasher<? super T> hasher,
      HashFunction function,
      Geometry geometry,
      long[] words) {
    super(format, hasher, function.id(), geometry, words);
    this.bound = BoundHasher.of(hasher, function);
  }

  /** Sets the bits of the key with this hash and returns whether one was zero. */
  abstract boolean setBits(long hash);

  @Override
  public final BoundHasher<T> hasher() {
    return bound;
  }

  @Override
  public final boolean putHash(long hash) {
    return accept(setBits(hash));
  }

  @Override
  public final boolean isThreadSafe() {
    return false;
  }

  @Override
  public final boolean mightContain(T key) {
    return mightContainHash(hashOf(key));
  }
}
