package dev.tamis.crawler.queue;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One file of the journal: changes in the order in which they were made.
 *
 * @param path where it is
 * @param first the number of its first change
 */
record Segment(Path path, long first) {

  /*
   * Big-endian. A header: magic, version, number of the first change, CRC32C of these 16 bytes.
   * Then each change: length of the payload, CRC32C of number and payload, CRC32C of these 8 bytes;
   * payload. The header of a change has a checksum of its own, so that a damaged length is not
   * taken for a change that was cut off by the end of a process.
   */

  static final int HEADER_BYTES = 20;
  static final int CHANGE_HEADER_BYTES = 12;

  /** More than any change of keys and URLs as long as they may be. */
  static final int MAX_PAYLOAD_BYTES = 8 << 20;

  private static final byte[] NO_HEADER = new byte[CHANGE_HEADER_BYTES];
  private static final int MAGIC = 0x54414d51; // TAMQ
  private static final int VERSION = 1;
  private static final Pattern NAME = Pattern.compile("journal-(\\d{19})\\.log");

  static Segment in(Path directory, long first) {
    String name = String.format(Locale.ROOT, "journal-%019d.log", first);
    return new Segment(directory.resolve(name), first);
  }

  /** Returns the segment a file is by its name, or null if it is none. */
  static @Nullable Segment ofName(Path path) {
    Matcher matcher = NAME.matcher(path.getFileName().toString());
    return matcher.matches() ? new Segment(path, Long.parseLong(matcher.group(1))) : null;
  }

  byte[] header() {
    byte[] header = new byte[HEADER_BYTES];
    ByteBuffer fields = ByteBuffer.wrap(header).putInt(MAGIC).putInt(VERSION).putLong(first);
    fields.putInt(crc(header, 0, 16));
    return header;
  }

  /** Writes the header of a change before its payload, which begins behind the header's room. */
  static void putHeader(byte[] change, long number) {
    int length = change.length - CHANGE_HEADER_BYTES;
    ByteBuffer header = ByteBuffer.wrap(change);
    header.putInt(length).putInt(crc(number, change, CHANGE_HEADER_BYTES, length));
    header.putInt(crc(change, 0, 8));
  }

  private static int crc(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }

  private static int crc(long number, byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(Long.BYTES).putLong(0, number));
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }

  /**
   * Reads the changes from the beginning.
   *
   * @param isLast whether the last change may be cut off
   * @throws FileSystemException naming the place, if the file is damaged
   */
  End read(boolean isLast, Reader reader) throws IOException {
    long size = Files.size(path);
    if (isLast && size < HEADER_BYTES) {
      return new End(first, 0);
    }
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(path), 1 << 16))) {
      if (!Arrays.equals(in.readNBytes(HEADER_BYTES), header())) {
        throw damaged(0, "does not begin as journal number " + first + " of version " + VERSION);
      }
      return readChanges(in, size, isLast, reader);
    }
  }

  private End readChanges(DataInputStream in, long size, boolean isLast, Reader reader)
      throws IOException {
    long at = HEADER_BYTES;
    long number = first;
    while (at < size) {
      if (size - at < CHANGE_HEADER_BYTES) {
        return cutOff(number, at, isLast);
      }
      byte[] header = in.readNBytes(CHANGE_HEADER_BYTES);
      ByteBuffer fields = ByteBuffer.wrap(header);
      int length = fields.getInt(0);
      boolean sound = fields.getInt(8) == crc(header, 0, 8);
      if (isLast && Arrays.equals(header, NO_HEADER) && isZero(in)) {
        return new End(number, at); // the power ended before the bytes came to the disk
      }
      if (!sound || length < 1 || length > MAX_PAYLOAD_BYTES) {
        throw damaged(at, "the header of change " + number + " does not match its checksum");
      }
      if (size - at - CHANGE_HEADER_BYTES < length) {
        return cutOff(number, at, isLast);
      }
      byte[] payload = in.readNBytes(length);
      if (fields.getInt(4) != crc(number, payload, 0, length)) {
        throw damaged(at, "change " + number + " does not match its checksum");
      }
      Change change = change(payload, number, at);
      try {
        reader.read(number, change);
      } catch (IllegalStateException e) {
        throw damaged(at, "change " + number + " cannot be made: " + e.getMessage());
      }
      at += CHANGE_HEADER_BYTES + length;
      number++;
    }
    return new End(number, at);
  }

  private static boolean isZero(DataInputStream in) throws IOException {
    for (int next = in.read(); next >= 0; next = in.read()) {
      if (next != 0) {
        return false;
      }
    }
    return true;
  }

  private Change change(byte[] payload, long number, long at) throws FileSystemException {
    try {
      return ChangeCodec.read(ByteBuffer.wrap(payload));
    } catch (IllegalArgumentException | CharacterCodingException e) {
      throw damaged(at, "change " + number + " is none: " + e.getMessage());
    }
  }

  private End cutOff(long number, long at, boolean isLast) throws FileSystemException {
    if (!isLast) {
      throw damaged(
          at, "change " + number + " is cut off, but the journal goes on after this file");
    }
    return new End(number, at);
  }

  private FileSystemException damaged(long at, String what) {
    return new FileSystemException(
        path.toString(),
        null,
        "damaged at byte " + at + ": " + what + "; bring the directory back from a copy");
  }

  /** Takes changes as they are read. */
  interface Reader {
    void read(long number, Change change) throws IOException;
  }

  /**
   * Where a segment ends.
   *
   * @param number one more than the number of its last change
   * @param bytes how many bytes of the file are whole
   */
  record End(long number, long bytes) {}
}
