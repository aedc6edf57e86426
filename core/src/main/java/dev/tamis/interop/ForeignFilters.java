package dev.tamis.interop;

import dev.tamis.format.FormatException;
import dev.tamis.format.Frame;
import dev.tamis.format.FrameReader;
import dev.tamis.format.Kind;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.io.InputStream;

/** Reads foreign filters of any format and variant. */
public final class ForeignFilters {

  static final int FORMAT_AT = 26;
  private static final int ZEROS_AT = FORMAT_AT + 2;

  private ForeignFilters() {}

  /**
   * Reads the other program's bytes. Reads nothing past their end, but to the end of the stream
   * where they do not contain their length: Parquet's, and DCSO's, which end with data of any
   * length. DCSO's may be gzipped.
   *
   * @param format whose bytes they are, which does not follow from them
   * @param in the bytes, from outside and not trusted
   * @param hasher must pick the bytes of a key that the other program picks
   * @param maxBytes the most memory the filter's bits may take, in bytes
   * @throws FormatException if the bytes are not such a filter, or claim more memory
   * @throws IOException if {@code in} fails
   */
  public static <T> ForeignFilter<T> readForeign(
      ForeignFormat format, InputStream in, KeyHasher<? super T> hasher, long maxBytes)
      throws IOException {
    InputStream plain =
        format == ForeignFormat.DCSO ? DcsoBloomFilter.GzipInput.unpackedIfPacked(in) : in;
    return read(format, ForeignInput.of(plain, maxBytes), hasher);
  }

  private static <T> ForeignFilter<T> read(
      ForeignFormat format, ForeignInput in, KeyHasher<? super T> hasher) throws IOException {
    return switch (format) {
      case GUAVA -> GuavaBloomFilter.read(in, hasher);
      case SPARK -> SparkBloomFilter.read(in, hasher);
      case PARQUET -> ParquetBloomFilter.read(in, hasher);
      case DCSO -> DcsoBloomFilter.read(in, hasher);
    };
  }

  /**
   * Reads a foreign filter in a frame of Tamis' own, which {@link ForeignFilter#writeTo} wrote;
   * reads nothing past its end. For the parameters see {@link #readForeign}.
   *
   * @throws FormatException if the bytes are not such a frame, are damaged, or claim more memory
   * @throws IOException if {@code in} fails
   */
  public static <T> ForeignFilter<T> readFrom(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes) throws IOException {
    return readFrom(FrameReader.of(Kind.FOREIGN, in, maxBytes), hasher);
  }

  /** Reads the rest of a frame of kind 10, whose header was read. */
  public static <T> ForeignFilter<T> readFrom(FrameReader frame, KeyHasher<? super T> hasher)
      throws IOException {
    if (hasher.hashKey().isPresent()) {
      throw frame.invalid(
          Frame.HASH_AT, "hash", "one with a secret key, as the hasher has it", "a foreign one");
    }
    ForeignFormat format =
        frame.parameter(
            FORMAT_AT, "foreign format", () -> ForeignFormat.ofId(frame.u16(FORMAT_AT)));
    frame.expectZeros(ZEROS_AT, Frame.HASH_NUMBER_AT);
    frame.expectNoMoreParameters(Frame.HASH_NUMBER_AT + Long.BYTES);
    ForeignInput in = ForeignInput.within(frame);
    ForeignFilter<T> filter = read(format, in, hasher);
    frame.expectPayload(in.offset(), "the filter of " + format.label());
    frame.expect(Frame.HASH_AT, "hash", filter.hashId().algorithm().id(), frame.u16(Frame.HASH_AT));
    frame.expect(
        Frame.HASH_NUMBER_AT, "seed", filter.hashId().number(), frame.i64(Frame.HASH_NUMBER_AT));
    frame.finish();
    return filter;
  }
}
