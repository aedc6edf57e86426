package dev.tamis.file;

import static java.util.stream.Collectors.joining;

import dev.tamis.Filter;
import dev.tamis.Storable;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.filter.FilterView;
import dev.tamis.filter.Filters;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.format.FormatException;
import dev.tamis.format.Frame;
import dev.tamis.format.FrameReader;
import dev.tamis.format.Kind;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sketch.CountMinSketch;
import dev.tamis.sketch.DistinctCounter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Locale;

/**
 * Filters in files: read with every check, and replaced as a whole or not at all.
 *
 * <p>Errors name the path. Bytes that are not a filter are a {@link FileSystemException} whose
 * cause is the {@link FormatException} that says where and why.
 */
public final class FilterFile {

  private static final int PART_BYTES = 1 << 30;

  private FilterFile() {}

  /**
   * Reads the filter in a file, of any kind. The file must hold one filter and nothing after it; no
   * more memory is allocated than the file has bytes. A window of time continues by the system
   * clock.
   *
   * @param hasher must hash as the one that filled the filter, which the bytes do not say
   * @throws FileSystemException if the file cannot be read, or is not a filter or damaged
   */
  public static <T> Filter<T> load(Path path, KeyHasher<? super T> hasher) throws IOException {
    return CheckedFile.read(
        "filter",
        path,
        (in, maxBytes) ->
            (Filter<T> & Storable)
                Filters.<T>readFrom(in, hasher, maxBytes, InstantSource.system()));
  }

  /** Reads a {@link BloomFilter}, as {@link #load} does; other kinds are refused. */
  public static <T> BloomFilter<T> loadBloom(Path path, KeyHasher<? super T> hasher)
      throws IOException {
    return CheckedFile.read("filter", path, (in, max) -> BloomFilter.<T>readFrom(in, hasher, max));
  }

  /** Reads a {@link ScalableBloomFilter}, as {@link #load} does; other kinds are refused. */
  public static <T> ScalableBloomFilter<T> loadScalable(Path path, KeyHasher<? super T> hasher)
      throws IOException {
    return CheckedFile.read(
        "filter", path, (in, max) -> ScalableBloomFilter.<T>readFrom(in, hasher, max));
  }

  /** Reads a {@link CountingBloomFilter}, as {@link #load} does; other kinds are refused. */
  public static <T> CountingBloomFilter<T> loadCounting(Path path, KeyHasher<? super T> hasher)
      throws IOException {
    return CheckedFile.read(
        "filter", path, (in, max) -> CountingBloomFilter.<T>readFrom(in, hasher, max));
  }

  /** Reads a {@link CountMinSketch}, as {@link #load} does; other kinds are refused. */
  public static <T> CountMinSketch<T> loadCountMin(Path path, KeyHasher<? super T> hasher)
      throws IOException {
    return CheckedFile.read(
        "sketch", path, (in, max) -> CountMinSketch.<T>readFrom(in, hasher, max));
  }

  /** Reads a {@link DistinctCounter}, as {@link #load} does; other kinds are refused. */
  public static <T> DistinctCounter<T> loadDistinct(Path path, KeyHasher<? super T> hasher)
      throws IOException {
    return CheckedFile.read(
        "sketch", path, (in, max) -> DistinctCounter.<T>readFrom(in, hasher, max));
  }

  /**
   * Merges the Bloom filter in a file into {@code filter}, without holding it in memory: see {@link
   * Filters#putAll}, also for the contents of {@code filter} if the file is damaged.
   *
   * @throws FileSystemException if the file cannot be read, or is not a Bloom filter or damaged
   */
  public static <T> void putAll(BloomFilter<T> filter, Path path) throws IOException {
    CheckedFile.read(
        "filter",
        path,
        (in, maxBytes) -> {
          Filters.putAll(filter, in);
          return filter;
        });
  }

  /**
   * Opens the filter in a file by mapping it; see {@link FilterView}.
   *
   * <p>The file stays mapped until the filter is garbage collected; until then Windows does not
   * allow it to be deleted or replaced. It may be larger than the heap.
   *
   * @param hasher must hash as the one that filled the filter, which the bytes do not say
   * @throws FileSystemException if the file is not a regular one, cannot be read, or is not a
   *     filter of such a kind as far as its header tells
   */
  public static <T> FilterView<T> map(Path path, KeyHasher<? super T> hasher) throws IOException {
    return map(path, hasher, PART_BYTES);
  }

  static <T> FilterView<T> map(Path path, KeyHasher<? super T> hasher, int partBytes)
      throws IOException {
    if (Files.exists(path) && !Files.isRegularFile(path)) { // reading a pipe would consume it
      throw new FileSystemException(
          path.toString(), null, "is not a regular file, and only those can be mapped");
    }
    Kind kind = FileHeader.read(path).kind();
    if (!FilterView.KINDS.contains(kind)) {
      throw new FileSystemException(
          path.toString(),
          null,
          String.format(
              Locale.ROOT,
              "is of kind %s, which cannot be mapped and has to be read in; %s can",
              kind.label(),
              FilterView.KINDS.stream().map(Kind::label).sorted().collect(joining(" and "))));
    }
    return CheckedFile.map(path, partBytes, parts -> FilterView.<T>of(parts, hasher));
  }

  /** Returns what the header of a filter, or of its stages, states about its keys. */
  public static String keyType(Path path) throws IOException {
    return CheckedFile.named(
        path,
        (in, maxBytes) -> FileHeader.hashed(new FrameReader(in, maxBytes), maxBytes).keyType());
  }

  /**
   * Writes a filter or sketch to a file, as {@link AtomicFile} does: on any error the previous file
   * is unchanged.
   *
   * @throws FileSystemException if the file cannot be written
   */
  public static void save(Path path, Storable contents) throws IOException {
    try (AtomicFile file = AtomicFile.create(path)) {
      contents.writeTo(file.out());
      file.commit();
    }
  }

  /**
   * The header of a file, which can be read without the right hasher.
   *
   * @param kind what it holds
   * @param hashId how its keys were hashed: the id of the secret key, if there is one
   */
  public record FileHeader(Kind kind, HashId hashId) {

    /**
     * Reads the header alone, so that the rest may be damaged.
     *
     * @throws FileSystemException if the file cannot be read, or does not begin with a header
     */
    public static FileHeader read(Path path) throws IOException {
      return CheckedFile.named(path, FileHeader::read);
    }

    private static FileHeader read(InputStream in, long maxBytes) throws IOException {
      FrameReader frame = new FrameReader(in, maxBytes);
      return new FileHeader(frame.kind(), hashId(hashed(frame, maxBytes)));
    }

    /** The parts of a compound filter all have one hash, and the whole has none. */
    private static FrameReader hashed(FrameReader frame, long maxBytes) throws IOException {
      return frame.kind() == Kind.SCALABLE_BLOOM
          ? new FrameReader(frame.payload(), maxBytes, Frame.HEADER_BYTES)
          : frame;
    }

    private static HashId hashId(FrameReader frame) throws FormatException {
      int id = frame.u16(Frame.HASH_AT);
      return frame.parameter(
          Frame.HASH_AT,
          "hash",
          () -> new HashId(HashId.Algorithm.ofId(id), frame.i64(Frame.HASH_NUMBER_AT)));
    }
  }
}
