package dev.tamis.examples;

import dev.tamis.Storable;
import dev.tamis.filter.Filters;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sketch.CountMinSketch;
import dev.tamis.sketch.DistinctCounter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/** The golden files, what can go wrong with them, and what this library says of it. */
final class DamagedFiles {

  static final Path GOLDEN = Path.of("..", "core", "src", "test", "resources", "golden");

  private static final int KIND_AT = 10;
  private static final int HEADER_CHECKSUM_AT = 124;
  private static final int HEADER = 128;
  private static final int CHECKSUM = 4;
  private static final long MAX_BYTES = 1 << 20;

  private DamagedFiles() {}

  /** Returns the golden files that answer for keys, all but the distinct counter. */
  static Stream<Path> golden() throws IOException {
    return files().stream().filter(file -> !file.endsWith("v1-distinct.tamis"));
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(GOLDEN)) {
      return files.sorted().toList();
    }
  }

  /** Returns every beginning of each golden file, and it with one bit of each byte flipped. */
  static List<byte[]> withWrongChecksums() throws IOException {
    List<byte[]> damaged = new ArrayList<>();
    for (Path path : files()) {
      byte[] file = Files.readAllBytes(path);
      for (int i = 0; i < file.length; i++) {
        damaged.add(Arrays.copyOf(file, i));
        damaged.add(with(file, i, file[i] ^ 1 << i % 8));
      }
    }
    return damaged;
  }

  /**
   * Returns each golden file with each byte of its header set to other values, those at the ends
   * among them, and each of its payload to one other, with checksums that are right again.
   */
  static List<byte[]> withRightChecksums() throws IOException {
    List<byte[]> changed = new ArrayList<>();
    for (Path path : files()) {
      byte[] file = Files.readAllBytes(path);
      for (int i = 8; i < HEADER_CHECKSUM_AT; i++) {
        for (int value : new int[] {0, 1, 3, 0x7F, 0x80, 0xFF, file[i] ^ 1, file[i] + 1}) {
          changed.add(repaired(with(file, i, value)));
        }
      }
      for (int i = HEADER; i < file.length - CHECKSUM; i++) {
        changed.add(repaired(with(file, i, file[i] ^ 1 << i % 8)));
      }
    }
    return changed;
  }

  private static byte[] with(byte[] file, int at, int value) {
    byte[] changed = file.clone();
    changed[at] = (byte) value;
    return changed;
  }

  private static byte[] repaired(byte[] file) {
    ByteBuffer buffer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    for (int at : new int[] {HEADER_CHECKSUM_AT, file.length - CHECKSUM}) {
      CRC32C checksum = new CRC32C();
      checksum.update(file, 0, at);
      buffer.putInt(at, (int) checksum.getValue());
    }
    return file;
  }

  /** Returns {@code read} or {@code refused}: what this library does with the bytes of a file. */
  static String verdict(byte[] file) {
    try {
      read(file);
      return "read";
    } catch (IOException e) {
      return "refused";
    }
  }

  /** Reads a file that is sound. */
  static Sample sample(byte[] file) {
    try {
      return new Sample("golden", read(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Storable read(byte[] file) throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(file);
    Storable content = read(in, file[KIND_AT]);
    if (in.available() > 0) {
      throw new IOException(in.available() + " bytes follow the frame");
    }
    return content;
  }

  private static Storable read(InputStream in, int kind) throws IOException {
    return switch (kind) {
      case 8 -> CountMinSketch.readFrom(in, KeyHasher.bytes(), MAX_BYTES);
      case 9 -> DistinctCounter.readFrom(in, KeyHasher.bytes(), MAX_BYTES);
      default ->
          (Storable)
              Filters.<byte[]>readFrom(in, KeyHasher.bytes(), MAX_BYTES, () -> Instant.EPOCH);
    };
  }
}
