package dev.tamis.interop;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import java.util.function.ToLongBiFunction;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.spark.util.sketch.BloomFilter.Version;

/**
 * A filter of another program, run by that program.
 *
 * @param <T> the type of key
 * @param puts puts a key and returns whether a bit changed
 * @param fpp the filter's own, or NaN if the program does not report it
 */
record Other<T>(Predicate<T> puts, Predicate<T> asks, Writer writer, DoubleSupplier fpp) {

  /** Writes a filter as its program does. */
  interface Writer {
    void writeTo(OutputStream out) throws IOException;
  }

  static <T> Other<T> guava(Funnel<? super T> funnel, long expectedKeys, double fpp) {
    return guava(BloomFilter.create(funnel, expectedKeys, fpp));
  }

  static <T> Other<T> guava(Funnel<? super T> funnel, byte[] bytes) {
    try {
      return guava(BloomFilter.readFrom(new ByteArrayInputStream(bytes), funnel));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <T> Other<T> guava(BloomFilter<T> filter) {
    return new Other<>(filter::put, filter::mightContain, filter::writeTo, filter::expectedFpp);
  }

  static <T> Other<T> spark(int version, long expectedKeys, double fpp, int seed) {
    long bits = org.apache.spark.util.sketch.BloomFilter.optimalNumOfBits(expectedKeys, fpp);
    return spark(
        org.apache.spark.util.sketch.BloomFilter.create(
            version == 1 ? Version.V1 : Version.V2, expectedKeys, bits, seed));
  }

  static <T> Other<T> spark(byte[] bytes) {
    try {
      return spark(org.apache.spark.util.sketch.BloomFilter.readFrom(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <T> Other<T> spark(org.apache.spark.util.sketch.BloomFilter filter) {
    return new Other<>(filter::put, filter::mightContain, filter::writeTo, filter::expectedFpp);
  }

  static <T> Other<T> parquet(
      ToLongBiFunction<BlockSplitBloomFilter, T> hash, long expectedKeys, double fpp) {
    int bits = BlockSplitBloomFilter.optimalNumOfBits(expectedKeys, fpp);
    return parquet(hash, new BlockSplitBloomFilter(bits / Byte.SIZE));
  }

  static <T> Other<T> parquet(ToLongBiFunction<BlockSplitBloomFilter, T> hash, byte[] bytes) {
    return parquet(hash, new BlockSplitBloomFilter(bytes));
  }

  private static <T> Other<T> parquet(
      ToLongBiFunction<BlockSplitBloomFilter, T> hash, BlockSplitBloomFilter filter) {
    Predicate<T> asks = key -> filter.findHash(hash.applyAsLong(filter, key));
    Predicate<T> puts =
        key -> {
          boolean isNew = !asks.test(key);
          filter.insertHash(hash.applyAsLong(filter, key));
          return isNew;
        };
    return new Other<>(puts, asks, filter::writeTo, () -> Double.NaN);
  }

  boolean put(T key) {
    return puts.test(key);
  }

  boolean ask(T key) {
    return asks.test(key);
  }

  double expectedFpp() {
    return fpp.getAsDouble();
  }

  byte[] bytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      writer.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }
}
