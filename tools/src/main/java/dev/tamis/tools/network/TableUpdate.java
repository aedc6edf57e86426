package dev.tamis.tools.network;

import dev.tamis.format.FormatException;
import dev.tamis.format.Frame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

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

  static final int MAGIC = 0x5552_4D54;
  static final int VERSION = 1;
  static final int HEADER_BYTES = 20;
  static final int CHECKSUM_BYTES = Integer.BYTES;

  private static final int KIND_AT = 5;
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
      throw new FormatException(KIND_AT, "kind of update", "1 or 2", id);
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
    ByteBuffer old = littleEndian(before);
    ByteBuffer recent = littleEndian(after);
    int words = payloadWords(after.length);
    ByteBuffer changes = ByteBuffer.allocate(words * CHANGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int word = 0; word < words; word++) {
      long value = recent.getLong(wordAt(word));
      if (value != old.getLong(wordAt(word))) {
        changes.putInt(word).putLong(value);
      }
    }
    return changes.flip();
  }

  private static ByteBuffer start(Kind kind, long sequence, List<byte[]> frames, int bodyBytes) {
    return ByteBuffer.allocate(HEADER_BYTES + bodyBytes + CHECKSUM_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(MAGIC)
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
    littleEndian(update).putInt(end, checksum(update, end));
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
      throw new FormatException(bytes.length, "update", "all of its bytes", "the end of the input");
    }
    ByteBuffer in = littleEndian(bytes);
    expect(0, "magic of an update", MAGIC, in.getInt());
    expect(4, "version", VERSION, Byte.toUnsignedInt(in.get()));
    Kind kind = Kind.of(Byte.toUnsignedInt(in.get()));
    expect(6, "hops", hops, Byte.toUnsignedInt(in.get()));
    expect(7, "reserved byte", 0, Byte.toUnsignedInt(in.get()));
    long sequence = in.getLong();
    expect(16, "bytes of a filter", frameBytes, Integer.toUnsignedLong(in.getInt()));
    int end = bytes.length - CHECKSUM_BYTES;
    int found = in.getInt(end);
    if (found != checksum(bytes, end)) {
      throw new FormatException(
          end, "checksum", Integer.toHexString(checksum(bytes, end)), Integer.toHexString(found));
    }
    ByteBuffer body = in.slice(HEADER_BYTES, end - HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    return new TableUpdate(kind, sequence, body);
  }

  /** Returns the frames of a reset, which are still to be checked. */
  List<byte[]> frames(int hops, int frameBytes) throws FormatException {
    expect(HEADER_BYTES, "bytes of the filters", (long) hops * frameBytes, body.remaining());
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
      ByteBuffer whole = littleEndian(frame);
      int end = frame.length - Frame.TRAILER_BYTES;
      whole.putInt(end, body.getInt());
      fits &= checksum(frame, end) == whole.getInt(end);
    }
    if (body.hasRemaining()) {
      throw new FormatException(at(), "update", "its end", body.remaining() + " bytes more");
    }
    return fits;
  }

  private void change(byte[] frame) throws FormatException {
    int words = payloadWords(frame.length);
    expectRemaining(Integer.BYTES);
    long count = Integer.toUnsignedLong(body.getInt());
    if (count > words) {
      throw new FormatException(at() - 4, "changed words", "at most " + words, count);
    }
    expectRemaining((int) count * CHANGE_BYTES + Frame.TRAILER_BYTES);
    ByteBuffer whole = littleEndian(frame);
    long last = -1;
    for (int i = 0; i < count; i++) {
      long word = Integer.toUnsignedLong(body.getInt());
      if (word <= last || word >= words) {
        throw new FormatException(
            at() - 4, "changed word", "more than " + last + " and less than " + words, word);
      }
      whole.putLong(wordAt((int) word), body.getLong());
      last = word;
    }
  }

  private void expectRemaining(int bytes) throws FormatException {
    if (body.remaining() < bytes) {
      throw new FormatException(
          at(), "patch", bytes + " bytes", body.remaining() + " up to its end");
    }
  }

  private long at() {
    return (long) HEADER_BYTES + body.position();
  }

  private static void expect(long at, String field, long expected, long found)
      throws FormatException {
    if (found != expected) {
      throw new FormatException(at, field, expected, found);
    }
  }

  private static int payloadWords(int frameBytes) {
    return (frameBytes - Frame.HEADER_BYTES - Frame.TRAILER_BYTES) / Long.BYTES;
  }

  private static int wordAt(int word) {
    return Frame.HEADER_BYTES + word * Long.BYTES;
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  static int checksum(byte[] bytes, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, length);
    return (int) checksum.getValue();
  }
}
