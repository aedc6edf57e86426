package dev.tamis.blocklist;

import dev.tamis.format.FormatException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** The bytes of a file, in order, with their checksum so far and never more than are left. */
final class CheckedBytes extends FilterInputStream {

  private final CRC32C checksum = new CRC32C();
  private final long length;
  private long position;

  /** Reads a file of so many bytes. */
  CheckedBytes(InputStream in, long length) {
    super(in);
    this.length = length;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] bytes, int offset, int count) throws IOException {
    int read = in.read(bytes, offset, count);
    if (read > 0) {
      checksum.update(bytes, offset, read);
      position += read;
    }
    return read;
  }

  /** Returns the bytes read so far. */
  long position() {
    return position;
  }

  /** Returns the CRC-32C of the bytes read so far. */
  long checksum() {
    return checksum.getValue();
  }

  /**
   * Returns the bytes of {@code count} things that take so much each, if there are so many left.
   *
   * @throws FormatException before anything is allocated, if there are not
   */
  int fitting(String field, long count, int bytesOfEach) throws IOException {
    long left = length - position;
    if (count > left / bytesOfEach || count * bytesOfEach > Integer.MAX_VALUE - Long.BYTES) {
      throw invalid(field, "at most the " + left + " bytes that follow", count);
    }
    return (int) count * bytesOfEach;
  }

  /** Reads exactly so many bytes, little-endian. */
  ByteBuffer next(String field, int count) throws IOException {
    fitting(field, count, 1);
    byte[] bytes = readNBytes(count);
    if (bytes.length < count) {
      throw invalid(field, "all of its bytes", "the end of the file");
    }
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the exception that says what is wrong here. */
  FormatException invalid(String field, Object expected, Object found) {
    return new FormatException(position, field, expected, found);
  }
}
