package dev.tamis.file;

import dev.tamis.Storable;
import dev.tamis.format.FormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Reads and maps files, with their names in errors. */
final class CheckedFile {

  private CheckedFile() {}

  /** Reads a file that contains one {@code what} and nothing after it. */
  static <S extends Storable> S read(String what, Path path, Reader<S> reader) throws IOException {
    return named(
        path,
        (in, maxBytes) -> {
          S stored = reader.read(in, maxBytes);
          if (in.read() >= 0) {
            throw new FormatException(
                what, stored.serializedSize(), "end", "no more bytes", "more");
          }
          return stored;
        });
  }

  /** Reads from the beginning of a file. */
  static <V> V named(Path path, Reader<V> reader) throws IOException {
    return naming(
        path,
        () -> {
          try (InputStream in = Files.newInputStream(path)) {
            return reader.read(in, memoryLimit(path));
          }
        });
  }

  /** Maps a file in buffers of at most {@code partBytes}. */
  static <V> V map(Path path, int partBytes, Viewer<V> viewer) throws IOException {
    return naming(path, () -> viewer.view(parts(path, partBytes)));
  }

  private static List<ByteBuffer> parts(Path path, int partBytes) throws IOException {
    List<ByteBuffer> parts = new ArrayList<>();
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      long size = channel.size();
      for (long at = 0; at < size; at += partBytes) {
        parts.add(channel.map(FileChannel.MapMode.READ_ONLY, at, Math.min(partBytes, size - at)));
      }
    }
    return parts;
  }

  private static <V> V naming(Path path, Action<V> action) throws IOException {
    try {
      return action.run();
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      throw FileErrors.named(path, e);
    }
  }

  /** Returns the length of the file, or the heap for a pipe. */
  private static long memoryLimit(Path path) throws IOException {
    return Files.isRegularFile(path) ? Files.size(path) : Runtime.getRuntime().maxMemory();
  }

  interface Reader<V> {
    V read(InputStream in, long maxBytes) throws IOException;
  }

  interface Viewer<V> {
    V view(List<ByteBuffer> parts) throws IOException;
  }

  private interface Action<V> {
    V run() throws IOException;
  }
}
