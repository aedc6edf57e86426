package dev.tamis.sketch;

import com.dynatrace.hash4j.distinctcount.UltraLogLog;
import dev.tamis.format.Frame;
import dev.tamis.format.FrameReader;
import dev.tamis.format.FrameWriter;
import dev.tamis.format.Kind;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** A distinct counter as a frame of kind 9: see docs/format.md. */
final class DistinctCounterFrame {

  private static final int PRECISION_AT = 26;
  private static final int RESERVED_AT = 28;
  private static final int ZEROS_AT = 48;

  private DistinctCounterFrame() {}

  static long bytes(int precision) {
    return Frame.bytes(1L << precision);
  }

  static void write(OutputStream out, HashId hashId, UltraLogLog sketch) throws IOException {
    byte[] registers = sketch.getState();
    FrameWriter writer = new FrameWriter(out, Kind.DISTINCT, registers.length);
    writer.hash(hashId);
    writer.header().putShort(PRECISION_AT, (short) sketch.getP());
    writer.payload().write(registers);
    writer.finish();
  }

  static <T> DistinctCounter<T> read(InputStream in, KeyHasher<? super T> hasher, long maxBytes)
      throws IOException {
    FrameReader reader = FrameReader.of(Kind.DISTINCT, in, maxBytes);
    BoundHasher<T> hashing = reader.boundHasher(hasher);
    int found = reader.u16(PRECISION_AT);
    int precision = reader.parameter(PRECISION_AT, "precision", () -> Precision.require(found));
    reader.expectZeros(RESERVED_AT, Frame.HASH_NUMBER_AT);
    reader.expectNoMoreParameters(ZEROS_AT);
    reader.expect(Frame.PAYLOAD_BYTES_AT, "payload length", 1L << precision, reader.payloadBytes());
    byte[] registers = reader.allocate(() -> new byte[1 << precision]);
    reader.bytes(registers);
    expectPossible(reader, registers, precision);
    reader.finish();
    return new DistinctCounter<>(hashing, UltraLogLog.wrap(registers));
  }

  /** A value that no keys leave behind would make hash4j count at random. */
  private static void expectPossible(FrameReader reader, byte[] registers, int precision)
      throws IOException {
    for (int i = 0; i < registers.length; i++) {
      int register = Byte.toUnsignedInt(registers[i]);
      if (!Precision.isPossible(register, precision)) {
        throw reader.invalid(
            Frame.HEADER_BYTES + (long) i,
            "register",
            "a value that precision " + precision + " can have",
            register);
      }
    }
  }
}
