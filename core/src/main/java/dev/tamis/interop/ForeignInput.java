package dev.tamis.interop;

import dev.tamis.format.FormatException;
import dev.tamis.format.Frame;
import dev.tamis.format.FrameReader;
import dev.tamis.internal.bits.Words;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;

/** Bytes of another program, which are not trusted, with the offset for errors. */
final class ForeignInput {

  private static final int CHUNK_BYTES = 1 << 16;

  private final InputStream in;
  private final long start;
  private final long maxBytes;
  private final boolean whole;
  private long offset;

  /** Bytes already allocated for words. */
  private long kept;

  private ForeignInput(InputStream in, long start, long maxBytes, boolean whole) {
    this.in = in;
    this.start = start;
    this.maxBytes = maxBytes;
    this.whole = whole;
  }

  static ForeignInput of(InputStream in, long maxBytes) {
    return new ForeignInput(in, 0, maxBytes, false);
  }

  /** Starts reading the payload of a frame, whose length is known. */
  static ForeignInput within(FrameReader frame) {
    return new ForeignInput(frame.payload(), Frame.HEADER_BYTES, frame.payloadBytes(), true);
  }

  long offset() {
    return offset;
  }

  int u8(String field) throws IOException {
    return Byte.toUnsignedInt(read(1, field)[0]);
  }

  int bigEndianInt(String field) throws IOException {
    return ByteBuffer.wrap(read(Integer.BYTES, field)).getInt();
  }

  long littleEndianLong(String field) throws IOException {
    return ByteBuffer.wrap(read(Long.BYTES, field)).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  FormatException invalid(long at, String field, Object expected, Object found) {
    return new FormatException("filter", start + at, field, expected, found);
  }

  void expect(long at, String field, long least, long most, long found) throws FormatException {
    if (found < least || found > most) {
      String expected = least == most ? String.valueOf(least) : least + " to " + most;
      throw invalid(at, field, expected, found);
    }
  }

  /** Reads a count of words and then the words, all big-endian. */
  Words countedWords() throws IOException {
    long at = offset;
    int count = bigEndianInt("number of words");
    expect(at, "number of words", 1, Integer.MAX_VALUE, count);
    return words(at, count, ByteOrder.BIG_ENDIAN);
  }

  /** Reads {@code count} words, a number that was read at {@code at}. */
  Words words(long at, long count, ByteOrder order) throws IOException {
    if (count > maxBytes / Long.BYTES) {
      throw invalid(
          at,
          "number of words",
          "at most " + maxBytes / Long.BYTES + " within " + maxBytes + " bytes",
          count);
    }
    kept = count * Long.BYTES;
    Words words = allocate(at, count);
    int chunkBytes = (int) Math.min(CHUNK_BYTES, kept);
    ByteBuffer chunk = ByteBuffer.allocate(chunkBytes).order(order);
    for (long[] segment : words.segments()) {
      int now;
      for (int to = Words.FIRST; to < segment.length; to += now) {
        now = Math.min(chunk.capacity() / Long.BYTES, segment.length - to);
        read(chunk.array(), now * Long.BYTES, "bits");
        chunk.asLongBuffer().get(segment, to, now);
      }
    }
    return words;
  }

  /** Returns zeros, whose count was read at {@code at}. */
  Words allocate(long at, long count) throws FormatException {
    try {
      return Words.allocate(count);
    } catch (IllegalArgumentException e) {
      throw new FormatException(
          "filter",
          start + at,
          "number of words",
          "does not fit into the heap (" + e.getMessage() + ")");
    }
  }

  /** Reads to the end, up to what the words left of the limit, and at most an array of it. */
  byte[] rest() throws IOException {
    long left = Math.max(0, maxBytes - (whole ? offset : kept));
    int most = (int) Math.min(left, Integer.MAX_VALUE - Long.BYTES);
    byte[] rest = readAtMost(most);
    if (!whole && rest.length == most && in.read() >= 0) {
      throw invalid(offset + most, "end", "at most " + most + " bytes", "more");
    }
    offset += rest.length;
    return rest;
  }

  private byte[] readAtMost(int most) throws IOException {
    try {
      return in.readNBytes(most);
    } catch (OutOfMemoryError e) { // nothing of it is kept
      throw new FormatException("filter", start + offset, "rest", "does not fit into the heap");
    }
  }

  byte[] read(int length, String field) throws IOException {
    byte[] bytes = new byte[length];
    read(bytes, length, field);
    return bytes;
  }

  private void read(byte[] bytes, int length, String field) throws IOException {
    int count = in.readNBytes(bytes, 0, length);
    offset += count;
    if (count < length) {
      throw FormatException.endOfInput("filter", start + offset, field);
    }
  }

  void expectBytes(String field, byte... expected) throws IOException {
    long at = offset;
    byte[] found = read(expected.length, field);
    if (!Arrays.equals(found, expected)) {
      throw invalid(at, field, hex(expected), hex(found));
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
