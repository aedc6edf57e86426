package dev.tamis.filter;

import dev.tamis.format.Codec;
import dev.tamis.format.FormatException;
import dev.tamis.format.Frame;
import dev.tamis.format.FrameReader;
import dev.tamis.internal.bits.BufferWords;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/** A whole frame in buffers: the header is read, the payload stays in place. */
final class FrameParts {

  /** A cache line, which therefore is never split. */
  private static final int MIN_PART_BYTES = 64;

  private static final int CHUNK_BYTES = 1 << 16;

  private final List<ByteBuffer> parts;
  private final long bytes;

  /** Takes the bytes from position to limit of each, as {@link FilterView#of} documents. */
  FrameParts(List<ByteBuffer> buffers) {
    this.parts = buffers.stream().map(ByteBuffer::slice).map(ByteBuffer::asReadOnlyBuffer).toList();
    this.bytes = parts.stream().mapToLong(ByteBuffer::capacity).sum();
    for (int i = 0; i < parts.size() - 1; i++) {
      requireAlike(i);
    }
  }

  private void requireAlike(int index) {
    int first = parts.get(0).capacity();
    int size = parts.get(index).capacity();
    int last = parts.get(parts.size() - 1).capacity();
    if (first < MIN_PART_BYTES || Integer.bitCount(first) != 1 || size != first || last > first) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "all parts but the last must be of the same size, a power of two from %d, and the"
                  + " last no larger; got %d bytes first, %d in part %d and %d last",
              MIN_PART_BYTES,
              first,
              size,
              index,
              last));
    }
  }

  /** Reads and checks the header and the length of the frame. */
  FrameReader header() throws IOException {
    byte[] header = new byte[(int) Math.min(Frame.HEADER_BYTES, bytes)];
    copy(0, header);
    FrameReader reader = new FrameReader(new ByteArrayInputStream(header), bytes);
    long end = Frame.bytes(reader.payloadBytes());
    if (bytes > end) {
      throw reader.invalid(end, "end", "no more bytes", "more");
    }
    if (bytes < end) {
      String field = bytes < end - Frame.TRAILER_BYTES ? "payload" : "checksum";
      throw FormatException.endOfInput("filter", bytes, field);
    }
    return reader;
  }

  BufferWords words(long start) {
    return new BufferWords(parts, Frame.HEADER_BYTES / Long.BYTES + start);
  }

  long bytes() {
    return bytes;
  }

  /** Reads the whole frame and compares the checksum. */
  void verifyChecksum() throws IOException {
    long end = bytes - Frame.TRAILER_BYTES;
    CRC32C checksum = new CRC32C();
    write(new CheckedOutputStream(OutputStream.nullOutputStream(), checksum), end);
    byte[] trailer = new byte[Frame.TRAILER_BYTES];
    copy(end, trailer);
    int expected = (int) checksum.getValue();
    int found = Codec.buffer(trailer).getInt();
    if (found != expected) {
      throw new FormatException(
          "filter", end, "checksum", Integer.toHexString(expected), Integer.toHexString(found));
    }
  }

  void writeTo(OutputStream out) throws IOException {
    write(out, bytes);
    out.flush();
  }

  // by way of an array: CRC32C over a mapped file that was truncated would crash the JVM
  private void write(OutputStream out, long end) throws IOException {
    byte[] chunk = new byte[CHUNK_BYTES];
    long at = 0;
    for (ByteBuffer part : parts) {
      int length = (int) Math.max(0, Math.min(part.capacity(), end - at));
      int count;
      for (int start = 0; start < length; start += count) {
        count = Math.min(chunk.length, length - start);
        part.get(start, chunk, 0, count);
        out.write(chunk, 0, count);
      }
      at += part.capacity();
    }
  }

  /** Fills {@code target} with the bytes from {@code start} on, which are in few parts. */
  private void copy(long start, byte[] target) {
    long at = 0;
    int done = 0;
    for (ByteBuffer part : parts) {
      if (done < target.length && start + done < at + part.capacity()) {
        int from = (int) (start + done - at);
        int count = Math.min(target.length - done, part.capacity() - from);
        part.get(from, target, done, count);
        done += count;
      }
      at += part.capacity();
    }
  }
}
