package dev.tamis.interop;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.ToLongBiFunction;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;

/** The filter of parquet-java. */
final class OtherParquet<T> implements Other<T> {

  private final BlockSplitBloomFilter filter;
  private final ToLongBiFunction<BlockSplitBloomFilter, T> hash;

  private OtherParquet(
      BlockSplitBloomFilter filter, ToLongBiFunction<BlockSplitBloomFilter, T> hash) {
    this.filter = filter;
    this.hash = hash;
  }

  static <T> OtherParquet<T> create(
      ToLongBiFunction<BlockSplitBloomFilter, T> hash, long expectedKeys, double fpp) {
    int bits = BlockSplitBloomFilter.optimalNumOfBits(expectedKeys, fpp);
    return new OtherParquet<>(new BlockSplitBloomFilter(bits / Byte.SIZE), hash);
  }

  static <T> OtherParquet<T> read(ToLongBiFunction<BlockSplitBloomFilter, T> hash, byte[] bytes) {
    return new OtherParquet<>(new BlockSplitBloomFilter(bytes), hash);
  }

  /** parquet-java's own does not tell. */
  @Override
  public boolean put(T key) {
    boolean isNew = !ask(key);
    filter.insertHash(hash.applyAsLong(filter, key));
    return isNew;
  }

  @Override
  public boolean ask(T key) {
    return filter.findHash(hash.applyAsLong(filter, key));
  }

  @Override
  public byte[] bytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      filter.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** parquet-java does not tell. */
  @Override
  public double expectedFpp() {
    return Double.NaN;
  }
}
