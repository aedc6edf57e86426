package dev.tamis.filter;

import dev.tamis.format.FormatException;
import dev.tamis.format.FrameReader;
import dev.tamis.format.FrameWriter;
import dev.tamis.sizing.Checks;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.Sizing;
import java.nio.ByteBuffer;

/** The parameters of a frame that hold a {@link Sizing}: see docs/format.md. */
final class SizingFields {

  private static final int LAYOUT_AT = 26;
  private static final int HASHES_AT = 28;
  private static final int BITS_AT = 32;
  private static final int EXPECTED_KEYS_AT = 48;
  private static final int FPP_AT = 56;

  /** The offset after the last of them. */
  static final int END = 64;

  private SizingFields() {}

  static void write(FrameWriter writer, Sizing sizing) {
    ByteBuffer header = writer.header();
    header.putShort(LAYOUT_AT, (short) sizing.shape().layout().id());
    header.putInt(HASHES_AT, sizing.shape().hashes());
    header.putLong(BITS_AT, sizing.shape().bits());
    header.putLong(EXPECTED_KEYS_AT, sizing.expectedKeys());
    header.putDouble(FPP_AT, sizing.fpp());
  }

  static Sizing read(FrameReader reader) throws FormatException {
    int id = reader.u16(LAYOUT_AT);
    Layout layout = reader.parameter(LAYOUT_AT, "layout", () -> Layout.ofId(id));
    long hashes = reader.u32(HASHES_AT);
    int checked = reader.parameter(HASHES_AT, "hashes", () -> layout.requireHashes(hashes));
    long bits = reader.i64(BITS_AT);
    Shape shape = reader.parameter(BITS_AT, "bits", () -> new Shape(layout, bits, checked));
    long keys = reader.i64(EXPECTED_KEYS_AT);
    reader.parameter(EXPECTED_KEYS_AT, "keys", () -> Checks.expectedKeys(keys));
    double fpp = reader.f64(FPP_AT);
    return reader.parameter(FPP_AT, "fpp", () -> new Sizing(shape, keys, fpp));
  }
}
