package dev.tamis.format;

import dev.tamis.Filter;
import dev.tamis.HashedFilter;
import dev.tamis.Storable;
import dev.tamis.filter.Filters;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** The bytes of filters, and what is done to them. */
final class Bytes {

  /** More than any file of these tests takes. */
  static final long LIMIT = 1 << 20;

  private Bytes() {}

  static byte[] of(Filter<?> filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ((Storable) filter).writeTo(out);
    return out.toByteArray();
  }

  static HashedFilter<CharSequence> read(byte[] file) throws IOException {
    return read(new ByteArrayInputStream(file));
  }

  static HashedFilter<CharSequence> read(InputStream in) throws IOException {
    return (HashedFilter<CharSequence>) Filters.<CharSequence>readFrom(in, KeyHasher.text(), LIMIT);
  }

  static HashedFilter<CharSequence> read(byte[] file, Instant now) throws IOException {
    return read(new ByteArrayInputStream(file), now);
  }

  static HashedFilter<CharSequence> read(ByteArrayInputStream in, Instant now) throws IOException {
    return (HashedFilter<CharSequence>) readAny(in, now);
  }

  static Filter<CharSequence> readAny(ByteArrayInputStream in, Instant now) throws IOException {
    return Filters.readFrom(in, KeyHasher.text(), LIMIT, () -> now);
  }

  /** Returns a copy with another number at an offset, everything else as it was. */
  static byte[] with(byte[] file, int at, int length, long value) {
    byte[] changed = file.clone();
    ReferenceFrame.set(changed, at, length, value);
    return changed;
  }

  /** Returns a copy with corrected checksums, so that later checks are reached. */
  static byte[] repaired(byte[] file) {
    byte[] repaired = file.clone();
    if (file.length >= ReferenceFrame.HEADER && ReferenceFrame.get(file, 10, 2) == 2) {
      int at = ReferenceFrame.HEADER;
      int left = file.length - ReferenceFrame.HEADER - ReferenceFrame.TRAILER;
      while (left >= ReferenceFrame.HEADER + ReferenceFrame.TRAILER) {
        long claimed = ReferenceFrame.get(file, at + 16, 8);
        long most = left - ReferenceFrame.HEADER - (long) ReferenceFrame.TRAILER;
        int length = (int) (claimed < 0 || claimed > most ? left : left - most + claimed);
        repairFrame(repaired, at, length);
        at += length;
        left -= length;
      }
    }
    repairFrame(repaired, 0, file.length);
    return repaired;
  }

  private static void repairFrame(byte[] file, int at, int length) {
    byte[] frame = Arrays.copyOfRange(file, at, at + length);
    if (length >= ReferenceFrame.HEADER) {
      ReferenceFrame.set(frame, 124, 4, crc32c(frame, 124));
    }
    int checked = length - ReferenceFrame.TRAILER;
    if (checked >= ReferenceFrame.HEADER) {
      ReferenceFrame.set(frame, checked, 4, crc32c(frame, checked));
    }
    System.arraycopy(frame, 0, file, at, length);
  }

  /** The JDK's, because a fuzzer wants it fast. */
  private static long crc32c(byte[] bytes, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, length);
    return checksum.getValue();
  }
}
