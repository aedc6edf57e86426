package dev.tamis.tools.network;

import dev.tamis.format.Codec;
import dev.tamis.format.FormatException;
import dev.tamis.format.Frame;
import dev.tamis.format.HeaderFields;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes by which a neighbour's table is replaced or patched.
 *
 * @param kind whether it replaces or patches
 * @param sequence the number of the update; a patch follows the update before it
 * @param body what comes between header and checksum, little-endian
 */
record TableUpdate(Kind kind, long sequence, ByteBuffer body) {

  /*
   * All numbers are little-endian.
   *
   *   0  4  "TMRU"
   *   4  1  version, 1
   *   5  1  kind: 1 reset, 2 patch
   *   6  1  hops, the filters of the table
   *   7  1  zero
   *   8  8  sequence
   *  16  4  f, the bytes of each filter's frame (docs/format.md)
   *  20     body
   *         4  CRC32C of all before
   *
   * The body of a reset is the frames, nearest hop first. That of a patch has for each frame
   *
   *      4  count of changed words
   *     12  for each, in rising order: 4 its index in the payload, 8 its new value
   *      4  the checksum of the frame as it is then
   */

  static final byte[] MAGIC = {'T', 'M', 'R', 'U'};
  static final String WHAT = "table update";
  static final int VERSION = 1;
  static final int HEADER_BYTES = 20;
  static final int CHECKSUM_BYTES = Integer.BYTES;

  private static final int VERSION_AT = 4;
  private static final int KIND_AT = 5;
  private static final int HOPS_AT = 6;
  private static final int ZERO_AT = 7;
  private static final int SEQUENCE_AT = 8;
  private static final int FRAME_BYTES_AT = 16;
  private static final int CHANGE_BYTES = Integer.BYTES + Long.BYTES;

  /** Whether an update has the whole table or the changes. */
  enum Kind {
    RESET(1),
    PATCH(2);

    private final int id;

    Kind(int id) {
      this.id = id;
    }

    private static Kind of(int id) throws FormatException {
      for (Kind kind : values()) {
        if (kind.id == id) {
          return kind;
        }
      }
      throw new FormatException(WHAT, KIND_AT, "kind of update", "1 or 2", id);
    }
  }

  /** Returns the update that replaces a table by these frames. */
  static byte[] reset(long sequence, List<byte[]> frames) {
    int frameBytes = frames.get(0).length;
    ByteBuffer out = start(Kind.RESET, sequence, frames, frames.size() * frameBytes);
    frames.forEach(out::put);
    return finish(out);
  }

  /**
   * Returns the update that makes a table with the frames {@code before} one with {@code after}.
   */
  static byte[] patch(long sequence, List<byte[]> before, List<byte[]> after) {
    List<ByteBuffer> changes = new ArrayList<>();
    int bodyBytes = 0;
    for (int i = 0; i < after.size(); i++) {
      ByteBuffer changed = changes(before.get(i), after.get(i));
      changes.add(changed);
      bodyBytes += Integer.BYTES + changed.remaining() + Frame.TRAILER_BYTES;
    }
    ByteBuffer out = start(Kind.PATCH, sequence, after, bodyBytes);
    for (int i = 0; i < after.size(); i++) {
      byte[] frame = after.get(i);
      out.putInt(changes.get(i).remaining() / CHANGE_BYTES).put(changes.get(i));
      out.put(frame, frame.length - Frame.TRAILER_BYTES, Frame.TRAILER_BYTES);
    }
    return finish(out);
  }

  private static ByteBuffer changes(byte[] before, byte[] after) {
    ByteBuffer old = Codec.buffer(before);
    ByteBuffer recent = Codec.buffer(after);
    int words = payloadWords(after.length);
    ByteBuffer changes = Codec.buffer(words * CHANGE_BYTES);
    for (int word = 0; word < words; word++) {
      long value = recent.getLong(wordAt(word));
      if (value != old.getLong(wordAt(word))) {
        changes.putInt(word).putLong(value);
      }
    }
    return changes.flip();
  }

  private static ByteBuffer start(Kind kind, long sequence, List<byte[]> frames, int bodyBytes) {
    return Codec.buffer(HEADER_BYTES + bodyBytes + CHECKSUM_BYTES)
        .put(MAGIC)
        .put((byte) VERSION)
        .put((byte) kind.id)
        .put((byte) frames.size())
        .put((byte) 0)
        .putLong(sequence)
        .putInt(frames.get(0).length);
  }

  private static byte[] finish(ByteBuffer out) {
    byte[] update = new byte[out.capacity()];
    int end = out.position();
    out.get(0, update, 0, end);
    Codec.putChecksum(update, end);
    return update;
  }

  /**
   * Reads the header and compares the checksum.
   *
   * @param hops how many filters a table has here
   * @param frameBytes how long each of them is
   * @throws FormatException if it is not an update of such a table
   */
  static TableUpdate read(byte[] bytes, int hops, int frameBytes) throws FormatException {
    if (bytes.length < HEADER_BYTES + CHECKSUM_BYTES) {
      throw FormatException.endOfInput(WHAT, bytes.length, "header");
    }
    HeaderFields header = new HeaderFields(WHAT, 0, bytes, ByteOrder.LITTLE_ENDIAN);
    header.expectMagic(MAGIC);
    header.expect(VERSION_AT, "version", VERSION, header.u8(VERSION_AT));
    Kind kind = Kind.of(header.u8(KIND_AT));
    header.expect(HOPS_AT, "hops", hops, header.u8(HOPS_AT));
    header.expectZeros(ZERO_AT, SEQUENCE_AT);
    header.expect(FRAME_BYTES_AT, "bytes of a filter", frameBytes, header.u32(FRAME_BYTES_AT));
    int end = bytes.length - CHECKSUM_BYTES;
    header.expectChecksum(end, "checksum");
    ByteBuffer body = ByteBuffer.wrap(bytes, HEADER_BYTES, end - HEADER_BYTES).slice();
    return new TableUpdate(kind, header.i64(SEQUENCE_AT), body.order(ByteOrder.LITTLE_ENDIAN));
  }

  /** Returns the frames of a reset, which are still to be checked. */
  List<byte[]> frames(int hops, int frameBytes) throws FormatException {
    long expected = (long) hops * frameBytes;
    if (body.remaining() != expected) {
      throw new FormatException(
          WHAT, HEADER_BYTES, "bytes of the filters", expected, body.remaining());
    }
    List<byte[]> frames = new ArrayList<>();
    for (int i = 0; i < hops; i++) {
      byte[] frame = new byte[frameBytes];
      body.get(frame);
      frames.add(frame);
    }
    return frames;
  }

  /**
   * Changes the frames as a patch says.
   *
   * @return whether they have the checksums that the patch expects; if not, they are of no use
   */
  boolean patch(List<byte[]> frames) throws FormatException {
    boolean fits = true;
    for (byte[] frame : frames) {
      change(frame);
      ByteBuffer whole = Codec.buffer(frame);
      int end = frame.length - Frame.TRAILER_BYTES;
      whole.putInt(end, body.getInt());
      fits &= Codec.checksum(frame, 0, end) == whole.getInt(end);
    }
    if (body.hasRemaining()) {
      throw new FormatException(WHAT, at(), "end", "no more bytes", body.remaining());
    }
    return fits;
  }

  private void change(byte[] frame) throws FormatException {
    int words = payloadWords(frame.length);
    expectRemaining(Integer.BYTES);
    long count = Integer.toUnsignedLong(body.getInt());
    if (count > words) {
      throw new FormatException(WHAT, at() - 4, "changed words", "at most " + words, count);
    }
    expectRemaining((int) count * CHANGE_BYTES + Frame.TRAILER_BYTES);
    ByteBuffer whole = Codec.buffer(frame);
    long last = -1;
    for (int i = 0; i < count; i++) {
      long word = Integer.toUnsignedLong(body.getInt());
      if (word <= last || word >= words) {
        throw new FormatException(
            WHAT, at() - 4, "changed word", "more than " + last + " and less than " + words, word);
      }
      whole.putLong(wordAt((int) word), body.getLong());
      last = word;
    }
  }

  private void expectRemaining(int bytes) throws FormatException {
    if (body.remaining() < bytes) {
      throw FormatException.endOfInput(WHAT, at() + body.remaining(), "patch");
    }
  }

  private long at() {
    return (long) HEADER_BYTES + body.position();
  }

  private static int payloadWords(int frameBytes) {
    return (frameBytes - Frame.HEADER_BYTES - Frame.TRAILER_BYTES) / Long.BYTES;
  }

  private static int wordAt(int word) {
    return Frame.HEADER_BYTES + word * Long.BYTES;
  }
}
