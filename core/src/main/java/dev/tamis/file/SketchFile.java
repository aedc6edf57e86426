package dev.tamis.file;

import dev.tamis.Storable;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sketch.CountMinSketch;
import dev.tamis.sketch.DistinctCounter;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** Sketches in files, read with every check and replaced whole as {@link FilterFile} does. */
public final class SketchFile {

  private SketchFile() {}

  /**
   * Reads the count-min sketch in a file.
   *
   * @param hasher must hash as the one that filled it, which the bytes cannot tell
   * @throws FileSystemException if the file cannot be read, or is no such sketch or damaged
   */
  public static <T> CountMinSketch<T> loadCountMin(Path path, KeyHasher<? super T> hasher)
      throws IOException {
    return CheckedFile.read(
        "sketch", path, (in, maxBytes) -> CountMinSketch.<T>readFrom(in, hasher, maxBytes));
  }

  /** Does what {@link #loadCountMin} does for a distinct counter. */
  public static <T> DistinctCounter<T> loadDistinct(Path path, KeyHasher<? super T> hasher)
      throws IOException {
    return CheckedFile.read(
        "sketch", path, (in, maxBytes) -> DistinctCounter.<T>readFrom(in, hasher, maxBytes));
  }

  /**
   * Writes a sketch to a file, as {@link AtomicFile} does: on any error, what was there before is.
   *
   * @throws FileSystemException if the file cannot be written
   */
  public static void save(Path path, Storable sketch) throws IOException {
    try (AtomicFile file = AtomicFile.create(path)) {
      sketch.writeTo(file.out());
      file.commit();
    }
  }
}
