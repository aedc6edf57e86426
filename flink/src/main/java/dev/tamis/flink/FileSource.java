package dev.tamis.flink;

import dev.tamis.Filter;
import dev.tamis.file.FilterFile;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/** The filter of a file, reloaded when the file has been replaced. */
final class FileSource<K> implements FilterSource<K> {

  private static final long serialVersionUID = 1;

  private final String path;
  private final KeyHasher<? super K> hasher;
  private transient @Nullable Loaded<K> loaded;

  FileSource(String path, KeyHasher<? super K> hasher) {
    this.path = path;
    this.hasher = hasher;
  }

  @Override
  public Filter<K> load() throws IOException {
    Version version = Version.of(Path.of(path)); // before reading: a later write is another version
    Loaded<K> before = loaded;
    if (before != null && before.version().equals(version)) {
      return before.filter();
    }
    Filter<K> filter = FilterFile.load(Path.of(path), hasher);
    loaded = new Loaded<>(version, filter);
    return filter;
  }

  private record Loaded<K>(Version version, Filter<K> filter) {}

  /** The identity of a file's contents; files are replaced by renaming. */
  private record Version(FileTime modified, long bytes, @Nullable Object file) {
    static Version of(Path path) throws IOException {
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      return new Version(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
    }
  }
}
