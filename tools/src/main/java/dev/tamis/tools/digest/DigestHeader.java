package dev.tamis.tools.digest;

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
   *
   * @param bytes {@link #BYTES} of them
   */
  static DigestHeader read(ByteBuffer bytes) throws DigestFormatException {
    int version = bytes.getShort(0);
    int requiredVersion = bytes.getShort(REQUIRED_AT);
    check(version >= REQUIRED_VERSION, 0, "version", "at least " + REQUIRED_VERSION, version);
    check(
        requiredVersion >= 0 && requiredVersion <= Math.min(VERSION, version),
        REQUIRED_AT,
        "required version",
        "0 to " + Math.min(VERSION, version),
        requiredVersion);
    DigestSize size = size(bytes);
    int count = bytes.getInt(COUNT_AT);
    check(count >= 0, COUNT_AT, "count", "at least 0", count);
    int deleted = bytes.getInt(DELETED_AT);
    check(deleted >= 0, DELETED_AT, "del_count", "at least 0", deleted);
    int hashes = Byte.toUnsignedInt(bytes.get(HASHES_AT));
    check(hashes == CacheDigest.HASHES, HASHES_AT, "hash_func_count", CacheDigest.HASHES, hashes);
    for (int at = RESERVED_AT; at < BYTES; at++) {
      check(bytes.get(at) == 0, at, "reserved", 0, Byte.toUnsignedInt(bytes.get(at)));
    }
    return new DigestHeader(version, requiredVersion, size, count, deleted);
  }

  private static DigestSize size(ByteBuffer bytes) throws DigestFormatException {
    int bitsPerEntry = Byte.toUnsignedInt(bytes.get(BITS_PER_ENTRY_AT));
    check(bitsPerEntry > 0, BITS_PER_ENTRY_AT, "bits_per_entry", "at least 1", bitsPerEntry);
    int capacity = bytes.getInt(CAPACITY_AT);
    long most = DigestSize.mostEntries(bitsPerEntry);
    check(
        capacity > 0 && capacity <= most,
        CAPACITY_AT,
        "capacity",
        "1 to " + most + " with " + bitsPerEntry + " bits for each entry",
        capacity);
    DigestSize size = new DigestSize(capacity, bitsPerEntry);
    int maskBytes = bytes.getInt(MASK_BYTES_AT);
    check(
        maskBytes == size.maskBytes(),
        MASK_BYTES_AT,
        "mask_size",
        size.maskBytes() + " bytes for " + capacity + " entries of " + bitsPerEntry + " bits",
        maskBytes);
    return size;
  }

  private static void check(boolean right, int at, String field, Object expected, Object found)
      throws DigestFormatException {
    if (!right) {
      throw new DigestFormatException(at, field, expected, found);
    }
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
