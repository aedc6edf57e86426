package dev.tamis.format;

import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.CuckooFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.regex.Pattern;

/** How the readers refuse bytes: all of them, in the same way and with the same words. */
final class Refusals {

  private static final Pattern WORDS =
      Pattern.compile(
          "not a valid (filter|sketch): [^:]+ at byte \\d+: "
              + "(.+, got .+|unexpected end of input|does not fit into the heap .+)");

  private Refusals() {}

  /** Returns what the reader of either kind says to these bytes; fails if it takes them. */
  static FormatException of(byte[] file) {
    return of(file, Bytes::read);
  }

  /** Does what {@link #of(byte[])} does, after the other readers have refused the bytes too. */
  static FormatException ofAllReaders(byte[] file) {
    of(file, in -> BloomFilter.readFrom(in, KeyHasher.text(), Bytes.LIMIT));
    of(file, in -> ScalableBloomFilter.readFrom(in, KeyHasher.text(), Bytes.LIMIT));
    of(file, in -> CuckooFilter.readFrom(in, KeyHasher.text(), Bytes.LIMIT));
    return of(file);
  }

  /** Returns what {@code reader} says to these bytes; fails if it takes them. */
  static FormatException of(byte[] file, Reader reader) {
    try {
      reader.read(new ByteArrayInputStream(file));
    } catch (FormatException e) {
      if (WORDS.matcher(String.valueOf(e.getMessage())).matches()
          && e.offset() >= 0
          && e.offset() <= file.length) {
        return e;
      }
      throw new AssertionError("refused in the wrong words, at byte " + e.offset(), e);
    } catch (IOException | RuntimeException e) {
      throw new AssertionError("refused in the wrong way", e);
    }
    throw new AssertionError("taken for a filter");
  }

  /** Something that reads a filter. */
  interface Reader {
    Object read(InputStream in) throws IOException;
  }
}
