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

  private static final int BLOCKS_PER_KEY_AT = 26;
  private static final int LANE_AT = 28;
  private static final int BLOCKS_AT = 32;
  private static final int GENERATION_KEYS_AT = 48;
  private static final int FPP_AT = 56;
  private static final int GENERATION_NANOS_AT = 64;
  private static final int STATE_AT = 72;
  private static final int ZEROS_AT = 80;

  private WindowedBloomFilterFrame() {}

  static long bytes(WindowSizing sizing) {
    return Frame.bytes(sizing.bits() / Byte.SIZE);
  }

  static void write(
      OutputStream out,
      HashId hashId,
      WindowSizing sizing,
      long generationNanos,
      int lane,
      long state,
      Words cells)
      throws IOException {
    FrameWriter writer = new FrameWriter(out, Kind.WINDOWED_BLOOM, sizing.bits() / Byte.SIZE);
    ByteBuffer header = writer.header();
    writer.hash(hashId);
    header.putShort(BLOCKS_PER_KEY_AT, (short) sizing.blocksPerKey());
    header.putInt(LANE_AT, lane);
    header.putLong(BLOCKS_AT, sizing.blocks());
    header.putLong(GENERATION_KEYS_AT, sizing.generationKeys());
    header.putDouble(FPP_AT, sizing.fpp());
    header.putLong(GENERATION_NANOS_AT, generationNanos);
    header.putLong(STATE_AT, state);
    writer.words(cells.segments(), Words.FIRST);
    writer.finish();
  }

  /** Reads what follows the header; without a clock, only what is counted in puts. */
  static <T> WindowedBloomFilter<T> read(
      FrameReader reader, KeyHasher<? super T> hasher, @Nullable InstantSource clock)
      throws IOException {
    BoundHasher<T> hashing = reader.boundHasher(hasher);
    WindowSizing sizing = sizing(reader);
    WindowedBloomFilter.Pace pace = pace(reader, clock);
    long lane = reader.u32(LANE_AT);
    reader.expectRange(LANE_AT, "lane", 0, WindowSizing.GENERATIONS, lane);
    long state = reader.i64(STATE_AT);
    if (!pace.isOfTime()) {
      reader.expectRange(STATE_AT, "puts", 0, sizing.generationKeys() - 1, state);
    }
    reader.expectNoMoreParameters(ZEROS_AT);
    reader.expectPayload(sizing.bits() / Byte.SIZE, sizing.bits() + " bits");
    WindowBlocks blocks = reader.allocate(() -> new WindowBlocks(sizing));
    reader.words(blocks.cells().segments(), Words.FIRST);
    reader.finish();
    blocks.stamp((int) lane);
    WindowedBloomFilter.Start start = new WindowedBloomFilter.Start((int) lane, state, true);
    return new WindowedBloomFilter<>(hashing, sizing, pace, blocks, blocks.ones((int) lane), start);
  }

  private static WindowSizing sizing(FrameReader reader) throws FormatException {
    long perKey = reader.u16(BLOCKS_PER_KEY_AT);
    int blocksPerKey =
        reader.parameter(
            BLOCKS_PER_KEY_AT, "blocks of a key", () -> WindowSizing.requireBlocksPerKey(perKey));
    long blocks = reader.i64(BLOCKS_AT);
    reader.parameter(
        BLOCKS_AT, "blocks of a section", () -> WindowSizing.requireBlocks(blocksPerKey, blocks));
    long keys = reader.i64(GENERATION_KEYS_AT);
    reader.parameter(
        GENERATION_KEYS_AT, "keys of a generation", () -> WindowSizing.requireGenerationKeys(keys));
    double fpp = reader.f64(FPP_AT);
    return reader.parameter(FPP_AT, "fpp", () -> new WindowSizing(blocksPerKey, blocks, keys, fpp));
  }

  private static WindowedBloomFilter.Pace pace(FrameReader reader, @Nullable InstantSource clock)
      throws FormatException {
    long nanos = reader.i64(GENERATION_NANOS_AT);
    if (nanos == 0) {
      return WindowedBloomFilter.Pace.BY_PUTS;
    }
    long most = Long.MAX_VALUE / WindowSizing.LIVE_GENERATIONS;
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
    return new WindowedBloomFilter.Pace(clock, nanos);
  }
}
