package dev.tamis.sketch;

import dev.tamis.format.Frame;
import dev.tamis.format.FrameReader;
import dev.tamis.format.FrameWriter;
import dev.tamis.format.Kind;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.Words;
import dev.tamis.internal.counters.CounterRows;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** A count-min sketch as a frame of kind 8: see docs/format.md. */
final class CountMinSketchFrame {

  private static final int PLAIN = 1;
  private static final int CONSERVATIVE = 2;

  private static final int UPDATE_AT = 26;
  private static final int DEPTH_AT = 28;
  private static final int WIDTH_AT = 32;
  private static final int TOTAL_AT = 48;
  private static final int ZEROS_AT = 56;

  private CountMinSketchFrame() {}

  static long bytes(CounterTable table) {
    return Frame.bytes(table.bytes());
  }

  static void write(OutputStream out, CountMinSketch<?> sketch, CounterRows rows)
      throws IOException {
    FrameWriter writer = new FrameWriter(out, Kind.COUNT_MIN, sketch.sizeInBytes());
    writer.hash(sketch.hashId());
    ByteBuffer header = writer.header();
    header.putShort(UPDATE_AT, (short) (sketch.isConservative() ? CONSERVATIVE : PLAIN));
    header.putInt(DEPTH_AT, sketch.depth());
    header.putLong(WIDTH_AT, sketch.width());
    header.putLong(TOTAL_AT, sketch.totalCount());
    writer.words(rows.counters());
    writer.finish();
  }

  static <T> CountMinSketch<T> read(InputStream in, KeyHasher<? super T> hasher, long maxBytes)
      throws IOException {
    FrameReader reader = FrameReader.of(Kind.COUNT_MIN, in, maxBytes);
    BoundHasher<T> hashing = reader.boundHasher(hasher);
    boolean conservative = isConservative(reader);
    CounterTable table = table(reader);
    long total = reader.i64(TOTAL_AT);
    if (total < 0) {
      throw reader.invalid(
          TOTAL_AT, "total", "at most " + Long.MAX_VALUE, Long.toUnsignedString(total));
    }
    reader.expectNoMoreParameters(ZEROS_AT);
    reader.expect(Frame.PAYLOAD_BYTES_AT, "payload length", table.bytes(), reader.payloadBytes());
    CounterRows rows = reader.allocate(table::allocate);
    reader.words(rows.counters());
    expectNoNegatives(reader, rows.counters());
    expectSums(reader, rows, total, conservative);
    reader.finish();
    return new CountMinSketch<>(hashing, table, conservative, rows, total);
  }

  private static boolean isConservative(FrameReader reader) throws IOException {
    int update = reader.u16(UPDATE_AT);
    if (update != PLAIN && update != CONSERVATIVE) {
      throw reader.invalid(UPDATE_AT, "update", "1 or 2", update);
    }
    return update == CONSERVATIVE;
  }

  private static CounterTable table(FrameReader reader) throws IOException {
    long depth = reader.u32(DEPTH_AT);
    int rows = reader.parameter(DEPTH_AT, "depth", () -> CounterTable.requireDepth(depth));
    long width = reader.i64(WIDTH_AT);
    return reader.parameter(
        WIDTH_AT, "width", () -> new CounterTable(rows, CounterTable.requireWidth(rows, width)));
  }

  private static void expectNoNegatives(FrameReader reader, Words counters) throws IOException {
    for (long i = 0; i < counters.count(); i++) {
      if (counters.get(i) < 0) {
        throw reader.invalid(
            Frame.HEADER_BYTES + i * Long.BYTES,
            "counter",
            "at most " + Long.MAX_VALUE,
            Long.toUnsignedString(counters.get(i)));
      }
    }
  }

  private static void expectSums(
      FrameReader reader, CounterRows rows, long total, boolean conservative) throws IOException {
    long sum = 0;
    for (int row = 0; row < rows.depth(); row++) {
      long ofRow = rows.sumOfRow(row);
      if (ofRow > total || (!conservative && ofRow < total)) {
        throw reader.invalid(
            Frame.HEADER_BYTES + row * rows.width() * Long.BYTES,
            "sum of row " + row,
            (conservative ? "at most " : "") + total + ", the total",
            ofRow);
      }
      sum = CounterRows.saturatingSum(sum, ofRow);
    }
    if (sum < total) {
      throw reader.invalid(TOTAL_AT, "total", "at most " + sum + ", the sum of all rows", total);
    }
  }
}
