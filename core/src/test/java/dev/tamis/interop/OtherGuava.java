package dev.tamis.interop;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Guava's filter. */
record OtherGuava<T>(BloomFilter<T> filter) implements Other<T> {

  static <T> OtherGuava<T> create(Funnel<? super T> funnel, long expectedKeys, double fpp) {
    return new OtherGuava<>(BloomFilter.create(funnel, expectedKeys, fpp));
  }

  static <T> OtherGuava<T> read(Funnel<? super T> funnel, byte[] bytes) {
    try {
      return new OtherGuava<>(BloomFilter.readFrom(new ByteArrayInputStream(bytes), funnel));
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
