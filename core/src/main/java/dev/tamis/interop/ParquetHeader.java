package dev.tamis.interop;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The header of a filter in a Parquet file: a Thrift structure in the compact protocol, of which
 * only the length can differ.
 */
final class ParquetHeader {

  /** Field 1, an i32: the length of the bits in bytes. */
  private static final byte LENGTH_FIELD = 0x15;

  /**
   * Fields 2 to 4, unions with one choice each, an empty structure: algorithm, hash and
   * compression. Then the end.
   */
  private static final byte[] CHOICES = {
    0x1C, 0x1C, 0, 0, // split block
    0x1C, 0x1C, 0, 0, // XXH64
    0x1C, 0x1C, 0, 0, // uncompressed
    0
  };

  private static final int MAX_VARINT_BYTES = 5;
  private static final int BLOCK_BYTES = WordBlocks.BLOCK_BITS / Byte.SIZE;

  private ParquetHeader() {}

  /** Reads a header and returns the length of the bits in bytes, which are whole blocks. */
  static int read(ForeignInput in) throws IOException {
    in.expectBytes("length field", LENGTH_FIELD);
    long zigzag = varint(in);
    long bytes = (zigzag >>> 1) ^ -(zigzag & 1);
    if (bytes < BLOCK_BYTES || bytes % BLOCK_BYTES != 0 || bytes > ParquetBloomFilter.MAX_BYTES) {
      throw in.invalid(
          1, "length", "a multiple of 32 up to " + ParquetBloomFilter.MAX_BYTES, bytes);
    }
    in.expectBytes("algorithm, hash and compression", CHOICES);
    return (int) bytes;
  }

  private static long varint(ForeignInput in) throws IOException {
    long value = 0;
    for (int i = 0; i < MAX_VARINT_BYTES; i++) {
      int next = in.u8("length");
      value |= (long) (next & 0x7F) << (7 * i);
      if (next < 0x80) {
        return value;
      }
    }
    throw in.invalid(1, "length", "a number of at most 5 bytes", "more");
  }

  /** Returns the header for a bitset of that many bytes. */
  static byte[] of(int bytes) {
    ByteBuffer header = ByteBuffer.allocate(1 + MAX_VARINT_BYTES + CHOICES.length);
    header.put(LENGTH_FIELD);
    int rest = bytes << 1;
    while (rest >= 0x80) {
      header.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    header.put((byte) rest).put(CHOICES);
    return Arrays.copyOf(header.array(), header.position());
  }
}
