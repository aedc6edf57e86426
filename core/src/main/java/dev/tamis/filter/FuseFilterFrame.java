package dev.tamis.filter;

import dev.tamis.format.Codec;
import dev.tamis.format.Frame;
import dev.tamis.format.FrameReader;
import dev.tamis.format.FrameWriter;
import dev.tamis.format.Kind;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.PackedSlots;
import dev.tamis.internal.bits.Words;
import dev.tamis.internal.fuse.FuseTable;
import dev.tamis.sizing.FuseSizing;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A binary fuse filter as a frame of kind 6: see docs/format.md. */
final class FuseFilterFrame {

  private static final int ARITY_AT = 26;
  private static final int FINGERPRINT_BITS_AT = 28;
  private static final int SHARDS_AT = 32;
  private static final int KEYS_AT = 48;
  private static final int FPP_AT = 56;
  private static final int SEGMENT_LENGTH_AT = 64;
  private static final int SEGMENT_COUNT_AT = 68;

  private FuseFilterFrame() {}

  static long bytes(FuseTable table) {
    return Frame.bytes(payloadBytes(table.sizing(), table.slots().width()));
  }

  private static long payloadBytes(FuseSizing sizing, int fingerprintBits) {
    long words = seedWords(sizing.shards());
    return (words + PackedSlots.words(sizing.slots(), fingerprintBits)) * Long.BYTES;
  }

  static int seedWords(int shards) {
    return (shards + Long.BYTES - 1) / Long.BYTES;
  }

  static void write(
      OutputStream out, BoundHasher<?> hashing, double fpp, long keys, FuseTable table)
      throws IOException {
    FuseSizing sizing = table.sizing();
    int fingerprintBits = table.slots().width();
    FrameWriter writer = new FrameWriter(out, Kind.FUSE, payloadBytes(sizing, fingerprintBits));
    ByteBuffer header = writer.header();
    writer.hash(hashing.id());
    writer.keyType(hashing.keyType());
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
    writer.words(table.slots().words().segments(), Words.FIRST);
    writer.finish();
  }

  static <T> FuseFilter<T> read(FrameReader reader, KeyHasher<? super T> hasher)
      throws IOException {
    BoundHasher<T> hashing = reader.boundHasher(hasher);
    Parameters parameters = parameters(reader);
    FuseTable table = // what is large first
        reader.allocate(() -> new FuseTable(parameters.sizing(), parameters.fingerprintBits()));
    long[] seeds = new long[seedWords(parameters.sizing().shards())];
    reader.words(seeds);
    table.setSeeds(seeds(reader, seeds, parameters.sizing().shards()));
    reader.words(table.slots().words().segments(), Words.FIRST);
    expectNoBitsBeyond(reader, parameters, table.slots().words().last());
    reader.finish();
    return new FuseFilter<>(hashing, parameters.fpp(), parameters.keys(), table);
  }

  /** Returns the checked parameters, and checks the payload's length against them. */
  static Parameters parameters(FrameReader reader) throws IOException {
    double fpp = reader.f64(FPP_AT);
    int bits = reader.parameter(FPP_AT, "fpp", () -> FuseSizing.fingerprintBits(fpp));
    reader.expect(FINGERPRINT_BITS_AT, "fingerprint bits", bits, reader.u32(FINGERPRINT_BITS_AT));
    FuseSizing sizing = sizing(reader);
    long keys = reader.i64(KEYS_AT);
    if (keys < 0 || keys > sizing.slots()) {
      throw reader.invalid(KEYS_AT, "keys", "0 to " + sizing.slots() + ", the slots", keys);
    }
    long payloadBytes =
        reader.parameter(SEGMENT_COUNT_AT, "segments", () -> payloadBytes(sizing, bits));
    reader.expect(Frame.PAYLOAD_BYTES_AT, "payload length", payloadBytes, reader.payloadBytes());
    return new Parameters(fpp, keys, sizing, bits);
  }

  private static FuseSizing sizing(FrameReader reader) throws IOException {
    int arity = reader.u16(ARITY_AT);
    reader.parameter(ARITY_AT, "arity", () -> FuseSizing.requireArity(arity));
    int shards = integer(reader, SHARDS_AT, "shards", reader.i64(SHARDS_AT));
    reader.parameter(SHARDS_AT, "shards", () -> FuseSizing.requireShards(shards));
    int length =
        integer(reader, SEGMENT_LENGTH_AT, "segment length", reader.u32(SEGMENT_LENGTH_AT));
    reader.parameter(
        SEGMENT_LENGTH_AT, "segment length", () -> FuseSizing.requireSegmentLength(length));
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

  static byte[] seeds(FrameReader reader, long[] words, int shards) throws IOException {
    byte[] seeds = new byte[words.length * Long.BYTES];
    Codec.buffer(seeds).asLongBuffer().put(words);
    for (int i = shards; i < seeds.length; i++) {
      if (seeds[i] != 0) {
        throw reader.invalid((long) Frame.HEADER_BYTES + i, "byte after the seeds", 0, seeds[i]);
      }
    }
    return Arrays.copyOf(seeds, shards);
  }

  static void expectNoBitsBeyond(FrameReader reader, Parameters parameters, long lastWord)
      throws IOException {
    if (!PackedSlots.endsInZeros(parameters.bits(), lastWord)) {
      throw reader.invalid(
          Frame.HEADER_BYTES + reader.payloadBytes() - Long.BYTES,
          "last word",
          "zeros past the last slot",
          "set bits");
    }
  }

  /** The header fields of the filter except the hash. */
  record Parameters(double fpp, long keys, FuseSizing sizing, int fingerprintBits) {

    long bits() {
      return sizing.slots() * fingerprintBits;
    }
  }
}
