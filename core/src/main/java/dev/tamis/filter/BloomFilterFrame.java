package dev.tamis.filter;

import dev.tamis.HashFunction;
import dev.tamis.HashId;
import dev.tamis.KeyHasher;
import dev.tamis.format.Frame;
import dev.tamis.format.FrameReader;
import dev.tamis.format.FrameWriter;
import dev.tamis.format.Kind;
import dev.tamis.internal.Hashing;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.Sizing;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** A Bloom filter as a frame of kind 1: see docs/format.md. */
final class BloomFilterFrame {

  private static final int LAYOUT_AT = 26;
  private static final int HASHES_AT = 28;
  private static final int BITS_AT = 32;
  private static final int EXPECTED_KEYS_AT = 48;
  private static final int FPP_AT = 56;
  private static final int ZEROS_AT = 64;

  private BloomFilterFrame() {}

  static long bytes(long[] words) {
    return Frame.bytes((long) words.length * Long.BYTES);
  }

  static void write(OutputStream out, Sizing sizing, HashId hashId, long[] words)
      throws IOException {
    FrameWriter writer = new FrameWriter(out, Kind.BLOOM, (long) words.length * Long.BYTES);
    ByteBuffer header = writer.header();
    writer.hash(hashId);
    header.putShort(LAYOUT_AT, (short) sizing.shape().layout().id());
    header.putInt(HASHES_AT, sizing.shape().hashes());
    header.putLong(BITS_AT, sizing.shape().bits());
    header.putLong(EXPECTED_KEYS_AT, sizing.expectedKeys());
    header.putDouble(FPP_AT, sizing.fpp());
    writer.words(words);
    writer.finish();
  }

  static <T> BloomFilter<T> read(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes, boolean concurrent)
      throws IOException {
    FrameReader reader = new FrameReader(in, maxBytes);
    reader.expect(Frame.KIND_AT, "kind", Kind.BLOOM.id(), reader.kind().id());
    return read(reader, hasher, concurrent);
  }

  static <T> BloomFilter<T> read(
      FrameReader reader, KeyHasher<? super T> hasher, boolean concurrent) throws IOException {
    HashFunction function = reader.hashFunction(hasher);
    Sizing sizing = sizing(reader);
    reader.expectNoMoreParameters(ZEROS_AT);
    long bits = sizing.shape().bits();
    long wordCount = (bits + Long.SIZE - 1) / Long.SIZE;
    if (reader.payloadBytes() != wordCount * Long.BYTES) {
      throw reader.invalid(
          Frame.PAYLOAD_BYTES_AT,
          "payload length",
          wordCount * Long.BYTES + " for " + bits + " bits",
          reader.payloadBytes());
    }
    Hashing<T> hashing = new Hashing<>(hasher, function);
    BloomFilter<T> filter =
        reader.allocate(() -> new BloomFilter<>(hashing, sizing, concurrent, null));
    reader.words(filter.words());
    expectNoBitsBeyond(reader, bits, filter.words());
    reader.finish();
    filter.tallyFromBits();
    return filter;
  }

  private static Sizing sizing(FrameReader reader) throws IOException {
    int id = reader.u16(LAYOUT_AT);
    Layout layout = reader.parameter(LAYOUT_AT, "layout", () -> Layout.ofId(id));
    long hashes = reader.u32(HASHES_AT);
    int checked = reader.parameter(HASHES_AT, "hashes", () -> layout.requireHashes(hashes));
    long bits = reader.i64(BITS_AT);
    Shape shape = reader.parameter(BITS_AT, "bits", () -> new Shape(layout, bits, checked));
    long keys = reader.i64(EXPECTED_KEYS_AT);
    Sizing full = reader.parameter(EXPECTED_KEYS_AT, "keys", () -> new Sizing(shape, keys, 1));
    double fpp = reader.f64(FPP_AT);
    return reader.parameter(FPP_AT, "fpp", () -> new Sizing(shape, full.expectedKeys(), fpp));
  }

  private static void expectNoBitsBeyond(FrameReader reader, long bits, long[] words)
      throws IOException {
    int used = (int) (bits % Long.SIZE);
    if (used != 0 && words[words.length - 1] >>> used != 0) {
      throw reader.invalid(
          Frame.HEADER_BYTES + reader.payloadBytes() - Long.BYTES,
          "last word",
          "zeros past bit " + (used - 1),
          "ones");
    }
  }
}
