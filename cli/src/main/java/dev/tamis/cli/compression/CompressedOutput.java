package dev.tamis.cli.compression;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Optional;

/** Output in the format of a file name; closing it ends the compressed data. */
public final class CompressedOutput extends FilterOutputStream {

  private CompressedOutput(Compression compression, OutputStream out) throws IOException {
    super(compression.compressed(new Unclosed(out)));
  }

  /** Returns a stream that compresses to {@code out}, which stays open, or {@code out} itself. */
  public static OutputStream of(Path file, OutputStream out) throws IOException {
    Optional<Compression> compression = Compression.of(file);
    return compression.isEmpty() ? out : new CompressedOutput(compression.get(), out);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    out.write(bytes, offset, length);
  }

  /** Ignored: short blocks compress badly, and the file is not visible yet. */
  @Override
  public void flush() {}

  @Override
  public void close() throws IOException {
    out.close();
  }

  private static final class Unclosed extends FilterOutputStream {
    Unclosed(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
      out.flush();
    }
  }
}
