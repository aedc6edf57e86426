package dev.tamis.tools.digest;

import dev.tamis.format.FormatException;
import dev.tamis.format.HeaderFields;
import java.nio.ByteBuffer;

/**
 * The fields before the bits of a digest, 128 bytes, numbers big-endian.
 *
 * @param version of the format in which the digest was written; Squid writes 5
 * @param requiredVersion the oldest version whose readers can read it; Squid writes 3
 * @param size of the digest
 * @param count entries put, as whoever wrote it counted
 * @param deleted entries that left the cache since, whose bits stay
 */
record DigestHeader(int version, int requiredVersion, DigestSize size, int count, int deleted) {

  static final String WHAT = "cache digest";
  static final int BYTES = 128;

  /** The version that Squid has written since 1998. */
  static final int VERSION = 5;

  /** The oldest version that Squid still reads. */
  static final int REQUIRED_VERSION = 3;

  private static final int REQUIRED_AT = 2;
  private static final int CAPACITY_AT = 4;
  private static final int COUNT_AT = 8;
  private static final int DELETED_AT = 12;
  private static final int MASK_BYTES_AT = 16;
  private static final int BITS_PER_ENTRY_AT = 20;
  private static final int HASHES_AT = 21;
  private static final int RESERVED_AT = 22;

  /** Returns the header of a new digest. */
  static DigestHeader of(DigestSize size) {
    return new DigestHeader(VERSION, REQUIRED_VERSION, size, 0, 0);
  }

  /**
   * Reads a header with every check that Squid makes, and that the unused bytes are zero: there is
   * no checksum, so every byte that can only have one value is worth a look.
   */
  static DigestHeader read(HeaderFields header) throws FormatException {
    int version = header.i16(0);
    int requiredVersion = header.i16(REQUIRED_AT);
    header.expectRange(0, "version", REQUIRED_VERSION, Long.MAX_VALUE, version);
    header.expectRange(
        REQUIRED_AT, "required version", 0, Math.min(VERSION, version), requiredVersion);
    DigestSize size = size(header);
    int count = header.i32(COUNT_AT);
    header.expectRange(COUNT_AT, "count", 0, Long.MAX_VALUE, count);
    int deleted = header.i32(DELETED_AT);
    header.expectRange(DELETED_AT, "del_count", 0, Long.MAX_VALUE, deleted);
    header.expect(HASHES_AT, "hash_func_count", CacheDigest.HASHES, header.u8(HASHES_AT));
    header.expectZeros(RESERVED_AT, BYTES);
    return new DigestHeader(version, requiredVersion, size, count, deleted);
  }

  private static DigestSize size(HeaderFields header) throws FormatException {
    int bitsPerEntry = header.u8(BITS_PER_ENTRY_AT);
    header.expectRange(BITS_PER_ENTRY_AT, "bits_per_entry", 1, Long.MAX_VALUE, bitsPerEntry);
    int capacity = header.i32(CAPACITY_AT);
    long most = DigestSize.mostEntries(bitsPerEntry);
    if (capacity < 1 || capacity > most) {
      throw header.invalid(
          CAPACITY_AT,
          "capacity",
          "1 to " + most + " with " + bitsPerEntry + " bits per entry",
          capacity);
    }
    DigestSize size = new DigestSize(capacity, bitsPerEntry);
    int maskBytes = header.i32(MASK_BYTES_AT);
    if (maskBytes != size.maskBytes()) {
      throw header.invalid(
          MASK_BYTES_AT,
          "mask_size",
          size.maskBytes() + " bytes for " + capacity + " entries of " + bitsPerEntry + " bits",
          maskBytes);
    }
    return size;
  }

  /** Returns the bytes. */
  byte[] toBytes() {
    return ByteBuffer.allocate(BYTES) // big-endian
        .putShort((short) version)
        .putShort((short) requiredVersion)
        .putInt(size.capacity())
        .putInt(count)
        .putInt(deleted)
        .putInt(size.maskBytes())
        .put((byte) size.bitsPerEntry())
        .put((byte) CacheDigest.HASHES)
        .array();
  }

  /** Returns the header after one more entry; the count stays where an int ends. */
  DigestHeader withOneMore() {
    return new DigestHeader(
        version, requiredVersion, size, count == Integer.MAX_VALUE ? count : count + 1, deleted);
  }
}
