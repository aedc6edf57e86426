package dev.tamis.filter;

import dev.tamis.HashFunction;
import dev.tamis.HashId;
import dev.tamis.KeyHasher;
import dev.tamis.format.Frame;
import dev.tamis.format.FrameReader;
import dev.tamis.format.FrameWriter;
import dev.tamis.format.Kind;
import dev.tamis.internal.FuseTable;
import dev.tamis.internal.Hashing;
import dev.tamis.internal.PackedSlots;
import dev.tamis.sizing.FuseSizing;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A binary fuse filter as a frame of kind 6: see docs/format.md. */
final class FuseFilterFrame {

  private static final int ARITY_AT = 26;
  private static final int FINGERPRINT_BITS_AT = 28;
  private static final int SHARDS_AT = 32;
  private static final int KEYS_AT = 48;
  private static final int FPP_AT = 56;
  private static final int SEGMENT_LENGTH_AT = 64;
  private static final int SEGMENT_COUNT_AT = 68;
  private static final int ZEROS_AT = 72;

  private FuseFilterFrame() {}

  static long bytes(FuseTable table) {
    return Frame.bytes(payloadBytes(table.sizing(), table.slots().width()));
  }

  private static long payloadBytes(FuseSizing sizing, int fingerprintBits) {
    long words = seedWords(sizing.shards());
    return (words + PackedSlots.words(sizing.slots(), fingerprintBits)) * Long.BYTES;
  }

  private static int seedWords(int shards) {
    return (shards + Long.BYTES - 1) / Long.BYTES;
  }

  static void write(OutputStream out, HashId hashId, double fpp, long keys, FuseTable table)
      throws IOException {
    FuseSizing sizing = table.sizing();
    int fingerprintBits = table.slots().width();
    FrameWriter writer = new FrameWriter(out, Kind.FUSE, payloadBytes(sizing, fingerprintBits));
    ByteBuffer header = writer.header();
    writer.hash(hashId);
    header.putShort(ARITY_AT, (short) sizing.arity());
    header.putInt(FINGERPRINT_BITS_AT, fingerprintBits);
    header.putLong(SHARDS_AT, sizing.shards());
    header.putLong(KEYS_AT, keys);
    header.putDouble(FPP_AT, fpp);
    header.putInt(SEGMENT_LENGTH_AT, sizing.segmentLength());
    header.putInt(SEGMENT_COUNT_AT, sizing.segmentCount());
    long[] seeds = new long[seedWords(sizing.shards())];
    for (int shard = 0; shard < sizing.shards(); shard++) {
      seeds[shard / Long.BYTES] |=
          Byte.toUnsignedLong(table.seeds()[shard]) << (shard % Long.BYTES * Byte.SIZE);
    }
    writer.words(seeds);
    writer.words(table.slots().words());
    writer.finish();
  }

  static <T> FuseFilter<T> read(InputStream in, KeyHasher<? super T> hasher, long maxBytes)
      throws IOException {
    return read(FrameReader.of(Kind.FUSE, in, maxBytes), hasher);
  }

  static <T> FuseFilter<T> read(FrameReader reader, KeyHasher<? super T> hasher)
      throws IOException {
    HashFunction function = reader.hashFunction(hasher);
    double fpp = reader.f64(FPP_AT);
    int bits = reader.parameter(FPP_AT, "fpp", () -> FuseSizing.fingerprintBits(fpp));
    reader.expect(FINGERPRINT_BITS_AT, "fingerprint bits", bits, reader.u32(FINGERPRINT_BITS_AT));
    FuseSizing sizing = sizing(reader);
    long keys = reader.i64(KEYS_AT);
    if (keys < 0 || keys > sizing.slots()) {
      throw reader.invalid(KEYS_AT, "keys", "0 to " + sizing.slots() + ", the slots", keys);
    }
    reader.expectNoMoreParameters(ZEROS_AT);
    long payloadBytes =
        reader.parameter(SEGMENT_COUNT_AT, "segments", () -> payloadBytes(sizing, bits));
    reader.expect(Frame.PAYLOAD_BYTES_AT, "payload length", payloadBytes, reader.payloadBytes());
    FuseTable table = reader.allocate(() -> new FuseTable(sizing, bits)); // the large array first
    readPayload(reader, table);
    reader.finish();
    return new FuseFilter<>(new Hashing<>(hasher, function), fpp, keys, table);
  }

  private static FuseSizing sizing(FrameReader reader) throws IOException {
    int arity = reader.u16(ARITY_AT);
    reader.parameter(ARITY_AT, "arity", () -> FuseSizing.requireArity(arity));
    int shards = integer(reader, SHARDS_AT, "shards", reader.i64(SHARDS_AT));
    reader.parameter(SHARDS_AT, "shards", () -> new FuseSizing(arity, 1, 1, shards));
    int length =
        integer(reader, SEGMENT_LENGTH_AT, "segment length", reader.u32(SEGMENT_LENGTH_AT));
    reader.parameter(
        SEGMENT_LENGTH_AT, "segment length", () -> new FuseSizing(arity, length, 1, shards));
    int count = integer(reader, SEGMENT_COUNT_AT, "segments", reader.u32(SEGMENT_COUNT_AT));
    return reader.parameter(
        SEGMENT_COUNT_AT, "segments", () -> new FuseSizing(arity, length, count, shards));
  }

  private static int integer(FrameReader reader, int at, String field, long found)
      throws IOException {
    if (found < 0 || found > Integer.MAX_VALUE) {
      throw reader.invalid(at, field, "0 to " + Integer.MAX_VALUE, Long.toUnsignedString(found));
    }
    return (int) found;
  }

  private static void readPayload(FrameReader reader, FuseTable table) throws IOException {
    int shards = table.sizing().shards();
    long[] words = new long[seedWords(shards)];
    reader.words(words);
    ByteBuffer seeds =
        ByteBuffer.allocate(words.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    seeds.asLongBuffer().put(words);
    for (int i = 0; i < seeds.capacity(); i++) {
      if (i < shards) {
        table.seeds()[i] = seeds.get(i);
      } else if (seeds.get(i) != 0) {
        throw reader.invalid(
            (long) Frame.HEADER_BYTES + i, "byte after the seeds", 0, seeds.get(i));
      }
    }
    reader.words(table.slots().words());
    if (!table.slots().endsInZeros()) {
      throw reader.invalid(
          Frame.HEADER_BYTES + reader.payloadBytes() - Long.BYTES,
          "last word",
          "zeros past the last slot",
          "ones");
    }
  }
}
