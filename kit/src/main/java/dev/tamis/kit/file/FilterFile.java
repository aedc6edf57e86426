package dev.tamis.kit.file;

import dev.tamis.Filter;
import dev.tamis.KeyHasher;
import dev.tamis.MutableFilter;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.Filters;
import dev.tamis.format.FormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Filters in files: read with every check, and replaced as a whole or not at all.
 *
 * <p>Errors name the path. Bytes that are no filter are a {@link FileSystemException} whose cause
 * is the {@link FormatException} that says where and why.
 */
public final class FilterFile {

  private FilterFile() {}

  /**
   * Reads the filter in a file, of whichever kind. The file must hold one filter and nothing after
   * it; no more memory is allocated than the file has bytes.
   *
   * @param hasher must hash as the one that filled the filter, which the bytes cannot tell
   * @throws FileSystemException if the file cannot be read, or is not a filter or damaged
   */
  public static <T> Filter<T> load(Path path, KeyHasher<? super T> hasher) throws IOException {
    return read(path, (in, maxBytes) -> Filters.<T>readFrom(in, hasher, maxBytes));
  }

  /**
   * Does what {@link #load} does for filters that take more keys; one that was built once and for
   * all is refused.
   */
  public static <T> MutableFilter<T> loadMutable(Path path, KeyHasher<? super T> hasher)
      throws IOException {
    if (FilterFile.<T>load(path, hasher) instanceof MutableFilter<T> filter) {
      return filter;
    }
    throw new FileSystemException(
        path.toString(), null, "holds a filter that was built once and takes no more keys");
  }

  /**
   * Does what {@link #load} does for a {@link BloomFilter}, which is then in concurrent mode. Other
   * kinds are refused.
   */
  public static <T> BloomFilter<T> loadConcurrent(Path path, KeyHasher<? super T> hasher)
      throws IOException {
    return read(path, (in, maxBytes) -> BloomFilter.<T>readConcurrentFrom(in, hasher, maxBytes));
  }

  /**
   * Writes the filter to a file, as {@link AtomicFile} does: on any error, what was there before
   * is.
   *
   * @throws FileSystemException if the file cannot be written
   */
  public static void save(Path path, Filter<?> filter) throws IOException {
    try (AtomicFile file = AtomicFile.create(path)) {
      filter.writeTo(file.out());
      file.commit();
    }
  }

  private static <F extends Filter<?>> F read(Path path, Reader<F> reader) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      F filter = reader.read(in, memoryLimit(path));
      if (in.read() >= 0) {
        throw new FormatException(filter.serializedSize(), "end", "no more bytes", "more");
      }
      return filter;
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      FileSystemException named =
          new FileSystemException(path.toString(), null, String.valueOf(e.getMessage()));
      named.initCause(e);
      throw named;
    }
  }

  /** What a filter in the file can need; a pipe does not tell, so there the heap is the limit. */
  private static long memoryLimit(Path path) throws IOException {
    return Files.isRegularFile(path) ? Files.size(path) : Runtime.getRuntime().maxMemory();
  }

  /** Reads a filter from a stream within so much memory. */
  private interface Reader<F> {
    F read(InputStream in, long maxBytes) throws IOException;
  }
}
