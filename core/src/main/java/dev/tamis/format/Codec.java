package dev.tamis.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * What all formats of Tamis have in common: little-endian numbers, and CRC-32C to detect damage.
 *
 * <p>{@link HeaderFields} checks fields at fixed offsets, {@link CodecInput} reads what follows
 * them in order, {@link CodecOutput} writes; whatever is not as specified is a {@link
 * FormatException}.
 *
 * @see <a
 *     href="https://lucene.apache.org/core/10_0_0/core/org/apache/lucene/codecs/CodecUtil.html">
 *     Lucene's CodecUtil</a>, after which this is designed
 */
public final class Codec {

  /** The bytes that are converted at a time. */
  static final int CHUNK_BYTES = 1 << 16;

  private Codec() {}

  /** Returns an empty little-endian buffer with an array of its own. */
  public static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the bytes as a little-endian buffer, whose changes are changes of the array. */
  public static ByteBuffer buffer(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the CRC-32C of {@code length} bytes from {@code start} on. */
  public static int checksum(byte[] bytes, int start, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, start, length);
    return (int) checksum.getValue();
  }

  /** Puts the checksum of all bytes before {@code at} there. */
  public static void putChecksum(byte[] bytes, int at) {
    buffer(bytes).putInt(at, checksum(bytes, 0, at));
  }
}
