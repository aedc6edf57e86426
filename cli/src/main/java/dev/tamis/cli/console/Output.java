package dev.tamis.cli.console;

import dev.tamis.cli.compression.CompressedOutput;
import dev.tamis.file.AtomicFile;
import dev.tamis.file.FileErrors;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where the lines of a command go: standard output, or a file that is replaced as a whole. */
public final class Output implements Closeable {

  private final Streams streams;
  private final @Nullable Path path;
  private final @Nullable AtomicFile file;
  private final OutputStream stream;

  private Output(
      Streams streams, @Nullable Path path, @Nullable AtomicFile file, OutputStream stream) {
    this.streams = streams;
    this.path = path;
    this.file = file;
    this.stream = stream;
  }

  public static Output of(@Nullable Path path, Streams streams) throws IOException {
    if (path == null) {
      return new Output(streams, null, null, new StandardOutput(streams.out()));
    }
    AtomicFile file = AtomicFile.create(path);
    return new Output(streams, path, file, file.out());
  }

  /** Compresses a file whose name has the suffix of a compressed format. */
  public static Output compressed(@Nullable Path path, Streams streams) throws IOException {
    Output plain = of(path, streams);
    if (path == null) {
      return plain;
    }
    try {
      return new Output(streams, path, plain.file, CompressedOutput.of(path, plain.stream));
    } catch (IOException e) {
      plain.close();
      throw FileErrors.named(path, e);
    }
  }

  public OutputStream stream() {
    return stream;
  }

  /** Replaces the file by what was written, once all of it is flushed. */
  public void commit() throws IOException {
    if (file != null && path != null) {
      if (stream instanceof CompressedOutput) {
        stream.close(); // writes the end of the compressed data
      }
      FileOwner.watch(path, streams.err(), file::commit);
    }
  }

  /** Discards what was written to a file and not committed. */
  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
