package dev.tamis.crawler.crawl;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decompresses gzip data (RFC 1952) in a loop over its members; the JDK recurses for empty ones.
 */
final class Gzip {

  private static final int MAGIC_AND_METHOD = 0x088B1F;
  private static final int FLAGS_AT = 3;
  private static final int FIXED_HEADER_BYTES = 10;
  private static final int HAS_CHECKSUM = 1 << 1;
  private static final int HAS_EXTRA = 1 << 2;
  private static final int HAS_NAME = 1 << 3;
  private static final int HAS_COMMENT = 1 << 4;

  private final ByteBuffer in;
  private final int maxBytes;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final byte[] buffer = new byte[8 << 10];

  private Gzip(byte[] data, int maxBytes) {
    this.in = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
    this.maxBytes = maxBytes;
  }

  /** Returns up to {@code maxBytes} of the decompressed data, or empty if it is damaged. */
  static Optional<byte[]> decompress(byte[] data, int maxBytes) {
    Gzip gzip = new Gzip(data, maxBytes);
    Inflater inflater = new Inflater(/* nowrap= */ true);
    try {
      do {
        gzip.skipHeader();
        gzip.inflate(inflater);
      } while (gzip.out.size() < maxBytes && gzip.hasHeader()); // what else follows is ignored
      return Optional.of(gzip.out.toByteArray());
    } catch (DataFormatException | BufferUnderflowException e) {
      return Optional.empty();
    } finally {
      inflater.end();
    }
  }

  private boolean hasHeader() {
    return in.remaining() >= FIXED_HEADER_BYTES
        && (in.getInt(in.position()) & 0xFFFFFF) == MAGIC_AND_METHOD;
  }

  private void skipHeader() throws DataFormatException {
    if (!hasHeader()) {
      throw new DataFormatException("no header");
    }
    int flags = in.get(in.position() + FLAGS_AT);
    in.position(in.position() + FIXED_HEADER_BYTES);
    if ((flags & HAS_EXTRA) != 0) {
      in.get(new byte[Short.toUnsignedInt(in.getShort())]);
    }
    for (int text : new int[] {HAS_NAME, HAS_COMMENT}) {
      while ((flags & text) != 0 && in.get() != 0) {}
    }
    if ((flags & HAS_CHECKSUM) != 0) {
      in.getShort();
    }
  }

  private void inflate(Inflater inflater) throws DataFormatException {
    CRC32 checksum = new CRC32();
    inflater.reset();
    inflater.setInput(in);
    while (!inflater.finished() && out.size() < maxBytes) {
      int count = inflater.inflate(buffer, 0, Math.min(buffer.length, maxBytes - out.size()));
      if (count == 0 && !inflater.finished()) {
        throw new DataFormatException("truncated");
      }
      checksum.update(buffer, 0, count);
      out.write(buffer, 0, count);
    }
    if (inflater.finished()
        && (in.getInt() != (int) checksum.getValue() || in.getInt() != inflater.getTotalOut())) {
      throw new DataFormatException("wrong checksum or length");
    }
  }
}
