package dev.tamis.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Streams that fail at the first byte. */
public final class Failing {

  private Failing() {}

  /** Returns an input whose reads throw this exception or error. */
  public static InputStream input(Throwable thrown) {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        throw Failing.<RuntimeException>unchecked(thrown);
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

  /** Throws it, whatever it is. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public static <E extends Throwable> E unchecked(Throwable thrown) throws E {
    throw (E) thrown;
  }
}
