package dev.tamis.cli.filter;

import dev.tamis.interop.SparkBloomFilter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;

/** Recognizes the format of a file by its first bytes and its length. */
final class FileSniffer {

  /** How many of the first bytes are examined. */
  static final int HEAD_BYTES = 16;

  /** The name of gzip's format. */
  static final String GZIP = "gzip";

  private static final byte[] TAMIS = HexFormat.of().parseHex("8954414d49530d0a");
  private static final byte[] GZIP_MAGIC = {0x1F, (byte) 0x8B};
  private static final byte[] PARQUET_FILE = {'P', 'A', 'R', '1'};

  private static final int GUAVA_HEADER = 6;

  private FileSniffer() {}

  /**
   * Returns the name of the format that the bytes have; empty if they match none.
   *
   * @param head the first bytes, fewer than {@link #HEAD_BYTES} where there are no more
   * @param size the length of the file; empty if it is unknown
   */
  static Optional<String> format(byte[] head, OptionalLong size) {
    if (startsWith(head, TAMIS)) {
      return Optional.of("tamis");
    }
    if (startsWith(head, GZIP_MAGIC)) {
      return Optional.of(GZIP);
    }
    if (startsWith(head, PARQUET_FILE)) {
      return Optional.of("a whole Parquet file");
    }
    if (isSpark(head, size)) {
      return Optional.of("spark");
    }
    if (isDcso(head)) {
      return Optional.of("dcso");
    }
    return isGuava(head, size) ? Optional.of("guava") : Optional.empty();
  }

  private static boolean startsWith(byte[] head, byte[] magic) {
    return head.length >= magic.length
        && Arrays.equals(head, 0, magic.length, magic, 0, magic.length);
  }

  private static boolean isSpark(byte[] head, OptionalLong size) {
    if (head.length < HEAD_BYTES) {
      return false;
    }
    ByteBuffer ints = ByteBuffer.wrap(head);
    int version = ints.getInt(0);
    int hashes = ints.getInt(Integer.BYTES);
    boolean known = version == 1 || version == 2;
    int wordsAt = version == 1 ? 2 * Integer.BYTES : 3 * Integer.BYTES;
    return known
        && hashes >= 1
        && hashes <= SparkBloomFilter.MAX_HASHES
        && fits(ints.getInt(wordsAt), wordsAt + Integer.BYTES, size);
  }

  /** The version, and a number of keys; no key of Parquet's leaves the second word of a block 0. */
  private static boolean isDcso(byte[] head) {
    ByteBuffer longs = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
    return head.length >= HEAD_BYTES && longs.getLong(0) == 1 && longs.getLong(Long.BYTES) >= 1;
  }

  private static boolean isGuava(byte[] head, OptionalLong size) {
    return head.length >= GUAVA_HEADER
        && (head[0] == 0 || head[0] == 1)
        && head[1] != 0
        && fits(ByteBuffer.wrap(head).getInt(2), GUAVA_HEADER, size);
  }

  private static boolean fits(int words, int headerBytes, OptionalLong size) {
    return words >= 1
        && (size.isEmpty() || size.getAsLong() == headerBytes + (long) words * Long.BYTES);
  }
}
