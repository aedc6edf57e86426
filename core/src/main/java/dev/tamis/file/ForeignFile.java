package dev.tamis.file;

import dev.tamis.format.FormatException;
import dev.tamis.format.Kind;
import dev.tamis.hash.KeyHasher;
import dev.tamis.interop.ForeignFilter;
import dev.tamis.interop.ForeignFilters;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Other programs' filters in Tamis' files, read with every check as {@link FilterFile} reads ours.
 *
 * <p>Errors name the path. Bytes that are no such filter are a {@link FileSystemException} whose
 * cause is the {@link FormatException} that says where and why.
 */
public final class ForeignFile {

  private ForeignFile() {}

  /**
   * Returns whether a file says of itself that it holds another program's filter.
   *
   * @throws FileSystemException if the file cannot be read, or does not begin with a header of ours
   */
  public static boolean isForeign(Path path) throws IOException {
    // looking into a pipe would empty it
    return Files.isRegularFile(path) && FileHeader.read(path).kind() == Kind.FOREIGN;
  }

  /**
   * Reads the foreign filter in a file of ours.
   *
   * @param hasher must pick the bytes of a key that the other program picks
   * @throws FileSystemException if the file cannot be read, or is no such filter or damaged
   */
  public static <T> ForeignFilter<T> load(Path path, KeyHasher<? super T> hasher)
      throws IOException {
    return CheckedFile.read(
        "filter", path, (in, maxBytes) -> ForeignFilters.<T>readFrom(in, hasher, maxBytes));
  }

  /** Writes a foreign filter to a file of ours, as {@link FilterFile#save} does. */
  public static void save(Path path, ForeignFilter<?> filter) throws IOException {
    try (AtomicFile file = AtomicFile.create(path)) {
      filter.writeTo(file.out());
      file.commit();
    }
  }
}
