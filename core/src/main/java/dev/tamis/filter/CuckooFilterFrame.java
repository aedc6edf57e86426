package dev.tamis.filter;

import dev.tamis.format.Frame;
import dev.tamis.format.FrameReader;
import dev.tamis.format.FrameWriter;
import dev.tamis.format.Kind;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.PackedSlots;
import dev.tamis.internal.bits.Words;
import dev.tamis.sizing.CuckooSizing;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** A cuckoo filter as a frame of kind 4: see docs/format.md. */
final class CuckooFilterFrame {

  private static final int FINGERPRINT_BITS_AT = 26;
  private static final int RESERVED_AT = 28;
  private static final int BUCKETS_AT = 32;
  private static final int EXPECTED_KEYS_AT = 48;
  private static final int FPP_AT = 56;
  private static final int ZEROS_AT = 64;

  private CuckooFilterFrame() {}

  static void write(OutputStream out, CuckooSizing sizing, HashId hashId, PackedSlots slots)
      throws IOException {
    FrameWriter writer = new FrameWriter(out, Kind.CUCKOO, slots.words().bytes());
    ByteBuffer header = writer.header();
    writer.hash(hashId);
    header.putShort(FINGERPRINT_BITS_AT, (short) sizing.fingerprintBits());
    header.putLong(BUCKETS_AT, sizing.buckets());
    header.putLong(EXPECTED_KEYS_AT, sizing.expectedKeys());
    header.putDouble(FPP_AT, sizing.fpp());
    writer.words(slots.words().segments(), Words.FIRST);
    writer.finish();
  }

  static <T> CuckooFilter<T> read(FrameReader reader, KeyHasher<? super T> hasher)
      throws IOException {
    BoundHasher<T> hashing = reader.boundHasher(hasher);
    CuckooSizing sizing = sizing(reader);
    long bytes = PackedSlots.words(sizing.slots(), sizing.fingerprintBits()) * Long.BYTES;
    reader.expectPayload(bytes, sizing.bits() + " bits");
    CuckooFilter<T> filter = reader.allocate(() -> new CuckooFilter<>(hashing, sizing, true));
    reader.words(filter.slots().words().segments(), Words.FIRST);
    if (!filter.slots().endsInZeros()) {
      throw reader.invalid(
          Frame.HEADER_BYTES + reader.payloadBytes() - Long.BYTES,
          "last word",
          "zeros past the last slot",
          "set bits");
    }
    reader.finish();
    filter.tallyFromSlots();
    return filter;
  }

  private static CuckooSizing sizing(FrameReader reader) throws IOException {
    int bits = reader.u16(FINGERPRINT_BITS_AT);
    reader.parameter(
        FINGERPRINT_BITS_AT, "fingerprint bits", () -> CuckooSizing.requireFingerprintBits(bits));
    reader.expectZeros(RESERVED_AT, BUCKETS_AT);
    long buckets = reader.i64(BUCKETS_AT);
    reader.parameter(BUCKETS_AT, "buckets", () -> CuckooSizing.requireBuckets(bits, buckets));
    long keys = reader.i64(EXPECTED_KEYS_AT);
    reader.parameter(
        EXPECTED_KEYS_AT, "expected keys", () -> CuckooSizing.requireExpectedKeys(buckets, keys));
    double fpp = reader.f64(FPP_AT);
    CuckooSizing sizing =
        reader.parameter(FPP_AT, "fpp", () -> new CuckooSizing(bits, buckets, keys, fpp));
    reader.expectNoMoreParameters(ZEROS_AT);
    return sizing;
  }
}
