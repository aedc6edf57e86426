package dev.tamis.interop;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.spark.util.sketch.BloomFilter;

/** Spark's filter, of either version. */
record OtherSpark<T>(BloomFilter filter) implements Other<T> {

  static <T> OtherSpark<T> create(int version, long expectedKeys, double fpp, int seed) {
    BloomFilter.Version spoken = version == 1 ? BloomFilter.Version.V1 : BloomFilter.Version.V2;
    long bits = BloomFilter.optimalNumOfBits(expectedKeys, fpp);
    return new OtherSpark<>(BloomFilter.create(spoken, expectedKeys, bits, seed));
  }

  static <T> OtherSpark<T> read(byte[] bytes) {
    try {
      return new OtherSpark<>(BloomFilter.readFrom(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean put(T key) {
    return filter.put(key);
  }

  @Override
  public boolean ask(T key) {
    return filter.mightContain(key);
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

  @Override
  public double expectedFpp() {
    return filter.expectedFpp();
  }
}
