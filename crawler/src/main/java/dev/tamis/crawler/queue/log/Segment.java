package dev.tamis.crawler.queue.log;

import dev.tamis.crawler.queue.log.WriteAheadLog.RecordCodec;
import dev.tamis.format.Codec;
import dev.tamis.format.FormatException;
import dev.tamis.format.HeaderFields;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One file of a write-ahead log: consecutive records, little-endian.
 *
 * <pre>
 * segment header, 20 bytes
 *    0  u32  magic, the bytes TAMQ
 *    4  u32  version, 1
 *    8  u64  number of the first record
 *   16  u32  CRC32C of bytes 0 to 15
 * then each record
 *    0  u32  length of the payload, at least 1
 *    4  u32  CRC32C of the record's number (u64) and the payload
 *    8  u32  CRC32C of bytes 0 to 7
 *   12       payload
 * </pre>
 *
 * <p>The record header has a checksum of its own, so that a damaged length is not taken for a torn
 * write at the end of the log.
 *
 * @param first the number of its first record
 */
record Segment(Path path, long first) {

  static final int HEADER_BYTES = 20;
  static final int RECORD_HEADER_BYTES = 12;

  private static final int HEADER_CHECKSUM = 16;
  private static final int RECORD_HEADER_CHECKSUM = 8;

  /** Far above any record the queue writes. */
  static final int MAX_PAYLOAD_BYTES = 8 << 20;

  private static final byte[] ZERO_HEADER = new byte[RECORD_HEADER_BYTES];
  private static final byte[] MAGIC = {'T', 'A', 'M', 'Q'};
  private static final int VERSION = 1;
  private static final Pattern NAME = Pattern.compile("wal-([0-8][0-9]{18})\\.log");

  static Segment in(Path directory, long first) {
    String name = String.format(Locale.ROOT, "wal-%019d.log", first);
    return new Segment(directory.resolve(name), first);
  }

  /** Returns the segment with this file name, or null if the name is not a segment's. */
  static @Nullable Segment ofName(Path path) {
    Matcher matcher = NAME.matcher(path.getFileName().toString());
    return matcher.matches() ? new Segment(path, Long.parseLong(matcher.group(1))) : null;
  }

  byte[] header() {
    byte[] header = new byte[HEADER_BYTES];
    Codec.buffer(header).put(MAGIC).putInt(VERSION).putLong(first);
    Codec.putChecksum(header, HEADER_CHECKSUM);
    return header;
  }

  /** Returns a record with its header, ready to be appended. */
  static byte[] frame(byte[] payload, long number) {
    byte[] framed = new byte[RECORD_HEADER_BYTES + payload.length];
    ByteBuffer fields = Codec.buffer(framed);
    fields.putInt(payload.length).putInt(checksum(number, payload));
    Codec.putChecksum(framed, RECORD_HEADER_CHECKSUM);
    fields.put(RECORD_HEADER_BYTES, payload);
    return framed;
  }

  private static int checksum(long number, byte[] payload) {
    CRC32C crc = new CRC32C();
    crc.update(Codec.buffer(Long.BYTES).putLong(0, number));
    crc.update(payload);
    return (int) crc.getValue();
  }

  /**
   * Reads all records in order.
   *
   * @param isActive whether this is the segment being appended to, whose tail may be torn
   * @throws FileSystemException naming the byte, if the file is damaged
   */
  <R> End read(boolean isActive, RecordCodec<R> codec, WriteAheadLog.Replay<R> replay)
      throws IOException {
    long size = Files.size(path);
    if (isActive && size < HEADER_BYTES) {
      return new End(first, 0);
    }
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(path), 1 << 16))) {
      checkHeader(in.readNBytes(HEADER_BYTES));
      return new Scan<>(in, size, isActive, codec, replay).run();
    }
  }

  /**
   * Returns how many bytes follow the last complete record.
   *
   * @param end where that record ends
   */
  long tailBytes(long end) throws IOException {
    return Files.exists(path) ? Math.max(0, Files.size(path) - end) : 0;
  }

  /**
   * Copies what follows the last complete record into a file of its own, {@code NAME.torn-END}.
   *
   * @param end where that record ends
   */
  void keepTail(long end) throws IOException {
    if (tailBytes(end) == 0) {
      return;
    }
    Path torn = path.resolveSibling(path.getFileName() + ".torn-" + end);
    try (InputStream in = Files.newInputStream(path)) {
      in.skipNBytes(end);
      Files.copy(in, torn, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private void checkHeader(byte[] header) throws FileSystemException {
    if (header.length < HEADER_BYTES) {
      throw damaged(0, "header is truncated after " + header.length + " bytes");
    }
    HeaderFields fields = new HeaderFields("write-ahead log", 0, header, ByteOrder.LITTLE_ENDIAN);
    try {
      fields.expectMagic(MAGIC);
      fields.expect(4, "version", VERSION, fields.u32(4));
      fields.expect(8, "first record", first, fields.i64(8));
      fields.expectChecksum(HEADER_CHECKSUM, "header checksum");
    } catch (FormatException e) {
      throw damaged(0, String.valueOf(e.getMessage()));
    }
  }

  private FileSystemException damaged(long at, String what) {
    return new FileSystemException(
        path.toString(),
        null,
        "damaged at byte " + at + ": " + what + "; restore the directory from a backup");
  }

  private final class Scan<R> {

    private final DataInputStream in;
    private final long size;
    private final boolean isActive;
    private final RecordCodec<R> codec;
    private final WriteAheadLog.Replay<R> replay;
    private long at = HEADER_BYTES;
    private long number = first;

    private Scan(
        DataInputStream in,
        long size,
        boolean isActive,
        RecordCodec<R> codec,
        WriteAheadLog.Replay<R> replay) {
      this.in = in;
      this.size = size;
      this.isActive = isActive;
      this.codec = codec;
      this.replay = replay;
    }

    private End run() throws IOException {
      while (at < size) {
        if (size - at < RECORD_HEADER_BYTES) {
          return torn();
        }
        byte[] header = in.readNBytes(RECORD_HEADER_BYTES);
        ByteBuffer fields = Codec.buffer(header);
        int length = fields.getInt(0);
        if (isActive && Arrays.equals(header, ZERO_HEADER) && restIsZero()) {
          return new End(number, at); // allocated by the file system, lost in a power failure
        }
        if (fields.getInt(RECORD_HEADER_CHECKSUM)
                != Codec.checksum(header, 0, RECORD_HEADER_CHECKSUM)
            || length < 1
            || length > MAX_PAYLOAD_BYTES) {
          throw damaged(at, "header of record " + number + " does not match its checksum");
        }
        if (size - at - RECORD_HEADER_BYTES < length) {
          return torn();
        }
        byte[] payload = in.readNBytes(length);
        if (fields.getInt(4) != checksum(number, payload)) {
          throw damaged(at, "record " + number + " does not match its checksum");
        }
        apply(payload);
        at += RECORD_HEADER_BYTES + length;
        number++;
      }
      return new End(number, at);
    }

    private void apply(byte[] payload) throws IOException {
      R decoded;
      try {
        decoded = codec.decode(Codec.buffer(payload));
      } catch (IllegalArgumentException e) {
        throw damaged(at, "record " + number + " is malformed: " + e.getMessage());
      }
      try {
        replay.apply(number, decoded);
      } catch (IllegalStateException e) {
        throw damaged(at, "record " + number + " cannot be applied: " + e.getMessage());
      }
    }

    private End torn() throws FileSystemException {
      if (!isActive) {
        throw damaged(
            at, "record " + number + " is truncated, but the log continues in the next segment");
      }
      return new End(number, at);
    }

    private boolean restIsZero() throws IOException {
      for (int next = in.read(); next >= 0; next = in.read()) {
        if (next != 0) {
          return false;
        }
      }
      return true;
    }
  }

  /**
   * Where a segment ends.
   *
   * @param number one more than the number of its last record
   * @param bytes the length of the file up to the last complete record
   */
  record End(long number, long bytes) {}
}
