package dev.tamis.interop;

import static java.util.Objects.requireNonNullElse;

import dev.tamis.format.FormatException;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Gzipped input; damage to it is a {@link FormatException}, as for any other bytes. */
final class GzipInput extends FilterInputStream {

  private static final byte[] MAGIC = {0x1F, (byte) 0x8B};

  private long offset;

  private GzipInput(InputStream unpacked) {
    super(unpacked);
  }

  /** Returns a stream's bytes, uncompressed if they begin with the magic number of gzip. */
  static InputStream unpackedIfPacked(InputStream in) throws IOException {
    PushbackInputStream whole = new PushbackInputStream(in, MAGIC.length);
    byte[] start = whole.readNBytes(MAGIC.length);
    whole.unread(start);
    if (!Arrays.equals(start, MAGIC)) {
      return whole;
    }
    try {
      return new GzipInput(new GZIPInputStream(whole));
    } catch (EOFException | ZipException e) {
      throw damaged(0, e);
    }
  }

  private static FormatException damaged(long offset, IOException reason) {
    String got =
        reason instanceof EOFException
            ? "the end of the input"
            : requireNonNullElse(reason.getMessage(), "damage");
    return new FormatException("filter", offset, "unpacked byte", "valid gzip data", got);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] bytes, int start, int length) throws IOException {
    try {
      int count = super.read(bytes, start, length);
      offset += Math.max(0, count);
      return count;
    } catch (EOFException | ZipException e) {
      throw damaged(offset, e);
    }
  }
}
