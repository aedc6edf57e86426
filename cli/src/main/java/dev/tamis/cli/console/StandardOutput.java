package dev.tamis.cli.console;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.util.Locale;

/** Standard output that names itself in errors and distinguishes a closed pipe from a failure. */
public final class StandardOutput extends FilterOutputStream {

  public StandardOutput(OutputStream out) {
    super(out);
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      throw named(e);
    }
  }

  @Override
  public void flush() throws IOException {
    try {
      out.flush();
    } catch (IOException e) {
      throw named(e);
    }
  }

  private static IOException named(IOException e) {
    String reason = String.valueOf(e.getMessage());
    IOException named =
        reason.toLowerCase(Locale.ROOT).contains("pipe") // the words differ with the language
            ? new ClosedPipeException()
            : new FileSystemException("standard output", null, reason);
    named.initCause(e);
    return named;
  }

  /** Signals that the reader of standard output, such as {@code head}, closed the pipe. */
  public static final class ClosedPipeException extends IOException {
    private static final long serialVersionUID = 1;
  }
}
