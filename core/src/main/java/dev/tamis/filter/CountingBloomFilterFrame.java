package dev.tamis.filter;

import dev.tamis.format.Frame;
import dev.tamis.format.FrameReader;
import dev.tamis.format.FrameWriter;
import dev.tamis.format.Kind;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.Words;
import dev.tamis.internal.counters.Counters;
import dev.tamis.sizing.Sizing;
import java.io.IOException;
import java.io.OutputStream;

/** A counting Bloom filter as a frame of kind 3: see docs/format.md. */
final class CountingBloomFilterFrame {

  private static final int COUNTER_BITS_AT = SizingFields.END;
  private static final int ZEROS_AT = COUNTER_BITS_AT + 2;

  private CountingBloomFilterFrame() {}

  static void write(OutputStream out, Sizing sizing, HashId hashId, Counters counters)
      throws IOException {
    FrameWriter writer = new FrameWriter(out, Kind.COUNTING_BLOOM, counters.words().bytes());
    writer.hash(hashId);
    SizingFields.write(writer, sizing);
    writer.header().putShort(COUNTER_BITS_AT, (short) counters.bits());
    writer.words(counters.words().segments(), Words.FIRST);
    writer.finish();
  }

  static <T> CountingBloomFilter<T> read(FrameReader reader, KeyHasher<? super T> hasher)
      throws IOException {
    BoundHasher<T> hashing = reader.boundHasher(hasher);
    Sizing sizing = SizingFields.read(reader);
    int counterBits = reader.u16(COUNTER_BITS_AT);
    long words =
        reader.parameter(
            COUNTER_BITS_AT,
            "counter bits",
            () -> Counters.wordCount(sizing.shape().bits(), counterBits));
    reader.expectNoMoreParameters(ZEROS_AT);
    reader.expectPayload(
        words * Long.BYTES, sizing.shape().bits() + " counters of " + counterBits + " bits");
    CountingBloomFilter<T> filter =
        reader.allocate(() -> CountingBloomFilter.empty(hashing, sizing, true, counterBits));
    reader.words(filter.counters().words().segments(), Words.FIRST);
    if (!filter.counters().unusedBitsAreZero()) {
      throw reader.invalid(
          Frame.HEADER_BYTES, "counters", "zeros in the bits that belong to none", "set bits");
    }
    reader.finish();
    filter.tallyFromCounters();
    return filter;
  }
}
