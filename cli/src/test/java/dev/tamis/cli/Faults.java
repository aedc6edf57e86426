package dev.tamis.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Streams that fail at the first byte, and damaged files. */
public final class Faults {

  private Faults() {}

  /** Returns an input whose reads throw this exception or error. */
  public static InputStream input(Throwable thrown) {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        throw Faults.<RuntimeException>unchecked(thrown);
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        return read();
      }
    };
  }

  /** Returns an output that throws an {@link IOException} with this message. */
  public static OutputStream output(String message) {
    return new OutputStream() {
      @Override
      public void write(int value) throws IOException {
        throw new IOException(message);
      }
    };
  }

  /** Changes the lowest bit of a byte of a file; {@code at} counts from the end if negative. */
  public static void flip(Path file, int at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[at < 0 ? bytes.length + at : at] ^= 1;
    Files.write(file, bytes);
  }

  /** Throws it, whatever it is. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public static <E extends Throwable> E unchecked(Throwable thrown) throws E {
    throw (E) thrown;
  }
}
