package dev.tamis.filter;

import dev.tamis.format.FormatException;
import dev.tamis.format.Frame;
import dev.tamis.format.FrameReader;
import dev.tamis.format.FrameWriter;
import dev.tamis.format.Kind;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.Words;
import dev.tamis.sizing.WindowSizing;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** A windowed Bloom filter as a frame of kind 5: see docs/format.md. */
final class WindowedBloomFilterFrame {

  private static final int HASHES_AT = 26;
  private static final int GENERATIONS_AT = 28;
  private static final int SLICE_BITS_AT = 32;
  private static final int GENERATION_KEYS_AT = 48;
  private static final int FPP_AT = 56;
  private static final int GENERATION_NANOS_AT = 64;
  private static final int STATE_AT = 72;
  private static final int YOUNGEST_AT = 80;
  private static final int ZEROS_AT = 84;

  private WindowedBloomFilterFrame() {}

  static long bytes(WindowSizing sizing) {
    return Frame.bytes(sizing.bits() / Byte.SIZE);
  }

  static void write(
      OutputStream out,
      HashId hashId,
      WindowSizing sizing,
      long generationNanos,
      long state,
      SliceRing ring)
      throws IOException {
    FrameWriter writer = new FrameWriter(out, Kind.WINDOWED_BLOOM, sizing.bits() / Byte.SIZE);
    ByteBuffer header = writer.header();
    writer.hash(hashId);
    header.putShort(HASHES_AT, (short) sizing.hashes());
    header.putInt(GENERATIONS_AT, sizing.generations());
    header.putLong(SLICE_BITS_AT, sizing.sliceBits());
    header.putLong(GENERATION_KEYS_AT, sizing.generationKeys());
    header.putDouble(FPP_AT, sizing.fpp());
    header.putLong(GENERATION_NANOS_AT, generationNanos);
    header.putLong(STATE_AT, state);
    header.putInt(YOUNGEST_AT, ring.youngest());
    writer.words(ring.words().segments(), Words.FIRST);
    writer.finish();
  }

  /** Reads what follows the header; without a clock, only what is counted in puts. */
  static <T> WindowedBloomFilter<T> read(
      FrameReader reader, KeyHasher<? super T> hasher, @Nullable InstantSource clock)
      throws IOException {
    BoundHasher<T> hashing = reader.boundHasher(hasher);
    WindowSizing sizing = sizing(reader);
    RotationPolicy policy = policy(reader, sizing, clock);
    long state = state(reader, policy);
    long youngest = reader.u32(YOUNGEST_AT);
    reader.expectRange(YOUNGEST_AT, "youngest slice", 0, sizing.slices() - 1, youngest);
    reader.expectNoMoreParameters(ZEROS_AT);
    reader.expectPayload(sizing.bits() / Byte.SIZE, sizing.bits() + " bits");
    WindowedBloomFilter.Ring ring =
        reader.allocate(() -> WindowedBloomFilter.Ring.of(sizing, true));
    reader.words(ring.slices().words().segments(), Words.FIRST);
    reader.finish();
    ring.slices().restore((int) youngest);
    return WindowedBloomFilter.of(hashing, sizing, policy, ring, state);
  }

  private static WindowSizing sizing(FrameReader reader) throws FormatException {
    long hashes = reader.u16(HASHES_AT);
    int k = reader.parameter(HASHES_AT, "hashes", () -> WindowSizing.requireHashes(hashes));
    long generations = reader.u32(GENERATIONS_AT);
    int l =
        reader.parameter(
            GENERATIONS_AT, "generations", () -> WindowSizing.requireGenerations(generations));
    long bits = reader.i64(SLICE_BITS_AT);
    reader.parameter(
        SLICE_BITS_AT, "bits of a slice", () -> WindowSizing.requireSliceBits(k + l, bits));
    long keys = reader.i64(GENERATION_KEYS_AT);
    reader.parameter(
        GENERATION_KEYS_AT,
        "keys of a generation",
        () -> WindowSizing.requireGenerationKeys(l, keys));
    double fpp = reader.f64(FPP_AT);
    return reader.parameter(FPP_AT, "fpp", () -> new WindowSizing(k, l, bits, keys, fpp));
  }

  private static RotationPolicy policy(
      FrameReader reader, WindowSizing sizing, @Nullable InstantSource clock)
      throws FormatException {
    long nanos = reader.i64(GENERATION_NANOS_AT);
    if (nanos == 0) {
      return new RotationPolicy.ByPuts(sizing.generationKeys());
    }
    long most = Long.MAX_VALUE / sizing.generations();
    if (nanos < 0 || nanos > most) {
      throw reader.invalid(
          GENERATION_NANOS_AT,
          "nanoseconds of a generation",
          "0 to " + most,
          Long.toUnsignedString(nanos));
    }
    if (clock == null) {
      throw reader.invalid(
          GENERATION_NANOS_AT,
          "nanoseconds of a generation",
          "0, because a window of time needs a clock and none was given",
          nanos);
    }
    return new RotationPolicy.ByTime(clock, nanos);
  }

  private static long state(FrameReader reader, RotationPolicy policy) throws FormatException {
    long state = reader.i64(STATE_AT);
    return reader.parameter(STATE_AT, "state", () -> policy.requireState(state));
  }
}
