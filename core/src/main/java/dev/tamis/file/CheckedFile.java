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

/** Reads files that hold one thing and nothing after it, and names them in what goes wrong. */
final class CheckedFile {

  private CheckedFile() {}

  /**
   * Reads what a file holds.
   *
   * @param what what that is, for messages
   * @throws FileSystemException if it cannot be read, is damaged, or goes on after it
   */
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

  /** Reads from the beginning of a file, whatever may follow. */
  static <V> V named(Path path, Reader<V> reader) throws IOException {
    return naming(
        path,
        () -> {
          try (InputStream in = Files.newInputStream(path)) {
            return reader.read(in, memoryLimit(path));
          }
        });
  }

  /**
   * Maps a file and looks at what it holds.
   *
   * @param partBytes the most bytes of a buffer
   */
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

  /** What a filter in the file can need; a pipe does not tell, so there the heap is the limit. */
  private static long memoryLimit(Path path) throws IOException {
    return Files.isRegularFile(path) ? Files.size(path) : Runtime.getRuntime().maxMemory();
  }

  /** Reads something from a stream within so much memory. */
  interface Reader<V> {
    V read(InputStream in, long maxBytes) throws IOException;
  }

  /** Looks at bytes that are mapped. */
  interface Viewer<V> {
    V view(List<ByteBuffer> parts) throws IOException;
  }

  private interface Action<V> {
    V run() throws IOException;
  }
}
