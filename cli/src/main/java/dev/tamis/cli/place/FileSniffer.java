package dev.tamis.cli.place;

import dev.tamis.interop.SparkBloomFilter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Recognizes the format of a file by its first bytes and its length. */
public final class FileSniffer {

  public static final int HEAD_BYTES = 16;

  public static final String GZIP = "gzip";

  /** The format of a Parquet file, which has filters within. */
  public static final String PARQUET = "a whole Parquet file";

  private static final String BLOCK_LIST = "a block list";
  private static final String DIGEST = "a cache digest";

  private static final String TAMIS_FORMAT = "tamis";

  /** The first bytes of each format; for digests the version and the oldest that can read it. */
  private static final Map<String, String> MAGIC =
      Map.of(
          TAMIS_FORMAT, "8954414d49530d0a",
          BLOCK_LIST, "8954424c4b530d0a",
          DIGEST, "00050003",
          GZIP, "1f8b",
          PARQUET, "50415231");

  private static final int GUAVA_HEADER = 6;

  private FileSniffer() {}

  /** Returns the format by the first bytes and the size, empty if none matches. */
  public static Optional<String> format(byte[] head, OptionalLong size) {
    String start = HexFormat.of().formatHex(head);
    for (Map.Entry<String, String> format : MAGIC.entrySet()) {
      if (start.startsWith(format.getValue())) {
        return Optional.of(format.getKey());
      }
    }
    if (isSpark(head, size)) {
      return Optional.of("spark");
    }
    if (isDcso(head)) {
      return Optional.of("dcso");
    }
    return isGuava(head, size) ? Optional.of("guava") : Optional.empty();
  }

  public static String advice(String format) {
    return switch (format) {
      case GZIP -> "unpack it first";
      case PARQUET -> "extract a column's filter first, with parquet-java";
      case BLOCK_LIST -> "see tamis block check";
      case DIGEST -> "see tamis digest show";
      default -> "see tamis convert --from " + format;
    };
  }

  /** Returns the kind of a foreign file, if known, with advice. */
  static Optional<String> hint(Path file) throws IOException {
    byte[] head;
    try (InputStream in = Files.newInputStream(file)) {
      head = in.readNBytes(HEAD_BYTES);
    }
    return format(head, OptionalLong.of(Files.size(file)))
        .filter(format -> !format.equals(TAMIS_FORMAT))
        .map(
            format ->
                switch (format) {
                  case "guava" -> foreign("Guava", format);
                  case "spark" -> foreign("Spark", format);
                  case "dcso" -> foreign("DCSO", format);
                  default -> "it looks like " + format + "; " + advice(format);
                });
  }

  private static String foreign(String program, String format) {
    return String.format(
        Locale.ROOT,
        "it looks like a %s filter. Try: tamis convert --from %s --to tamis FILE OUT",
        program,
        format);
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
