package dev.tamis.filter;

import dev.tamis.format.Frame;
import dev.tamis.format.FrameReader;
import dev.tamis.format.FrameWriter;
import dev.tamis.format.Kind;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.Words;
import dev.tamis.internal.ribbon.Ribbon;
import dev.tamis.sizing.RibbonSizing;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** A ribbon filter as a frame of kind 7: see docs/format.md. */
final class RibbonFilterFrame {

  private static final int COLUMNS_AT = 26;
  private static final int LAYERS_AT = 28;
  private static final int RESERVED_AT = 32;
  private static final int KEYS_AT = 48;
  private static final int FPP_AT = 56;

  private RibbonFilterFrame() {}

  static void write(OutputStream out, RibbonFilter<?> filter, Ribbon ribbon) throws IOException {
    FrameWriter writer = new FrameWriter(out, Kind.RIBBON, ribbon.words().bytes());
    writer.hash(filter.hashId());
    writer.keyType(filter.hasher().keyType());
    ByteBuffer header = writer.header();
    header.putShort(COLUMNS_AT, (short) ribbon.columns());
    header.putInt(LAYERS_AT, ribbon.layers());
    header.putLong(KEYS_AT, filter.keys());
    header.putDouble(FPP_AT, filter.fpp());
    writer.words(ribbon.words().segments(), Words.FIRST);
    writer.finish();
  }

  static <T> RibbonFilter<T> read(FrameReader reader, KeyHasher<? super T> hasher)
      throws IOException {
    BoundHasher<T> hashing = reader.boundHasher(hasher);
    int columns = reader.u16(COLUMNS_AT);
    reader.expectRange(COLUMNS_AT, "columns", 1, RibbonSizing.MAX_COLUMNS, columns);
    reader.expectZeros(RESERVED_AT, Frame.HASH_NUMBER_AT);
    long keys =
        reader.parameter(KEYS_AT, "keys", () -> RibbonSizing.requireKeys(reader.i64(KEYS_AT)));
    int layers = layers(reader, keys);
    double fpp = reader.parameter(FPP_AT, "fpp", () -> RibbonSizing.requireFpp(reader.f64(FPP_AT)));
    Words words = allocate(reader);
    reader.words(words.segments(), Words.FIRST);
    reader.finish();
    Ribbon ribbon =
        reader.parameter(Frame.HEADER_BYTES, "layers", () -> Ribbon.of(words, columns, layers));
    return new RibbonFilter<>(hashing, keys, fpp, ribbon);
  }

  private static int layers(FrameReader reader, long keys) throws IOException {
    long layers = reader.u32(LAYERS_AT);
    if (keys == 0) {
      reader.expect(LAYERS_AT, "layers", 0, layers);
    } else {
      reader.expectRange(LAYERS_AT, "layers", 1, Ribbon.MAX_LAYERS, layers);
    }
    return (int) layers;
  }

  private static Words allocate(FrameReader reader) throws IOException {
    long bytes = reader.payloadBytes();
    if (bytes % Long.BYTES != 0 || bytes / Long.BYTES > Words.MAX_COUNT) {
      throw reader.invalid(
          Frame.PAYLOAD_BYTES_AT,
          "payload length",
          "a multiple of 8, at most " + Words.MAX_COUNT * Long.BYTES,
          bytes);
    }
    return reader.allocate(() -> Words.allocate(bytes / Long.BYTES));
  }
}
