package dev.tamis.interop;

import static java.util.Objects.requireNonNull;

import dev.tamis.HashFunction;
import dev.tamis.KeyHasher;
import dev.tamis.MutableFilter;

/**
 * Foreign bits whose positions follow from a hash of 64 bits.
 *
 * @param <T> the type of key
 */
abstract sealed class HashedBits<T> extends ForeignBits<T> implements MutableFilter<T>
    permits DcsoBloomFilter, GuavaMitz32BloomFilter, ParquetBloomFilter, SparkBloomFilter {

  private final HashFunction function;

  HashedBits(
      ForeignFormat format,
      KeyHasher<? super T> hasher,
      HashFunction function,
      Geometry geometry,
      long[] words) {
    super(format, hasher, function.id(), geometry, words);
    this.function = function;
  }

  /** Sets the bits of the key with this hash and returns whether one was zero. */
  abstract boolean setBits(long hash);

  @Override
  public final long hashOf(T key) {
    return hasher.hash(requireNonNull(key, "key"), function);
  }

  @Override
  public final boolean put(T key) {
    return putHash(hashOf(key));
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
