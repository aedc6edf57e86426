package dev.tamis.cli.console;

import com.google.errorprone.annotations.FormatMethod;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The three standard streams of a command. */
public record Streams(InputStream in, OutputStream out, Messages err) {

  /** Returns standard input as a stream that stays open when it is closed. */
  public InputStream unclosedIn() {
    return new FilterInputStream(in) {
      @Override
      public void close() {}
    };
  }

  /** Prints a line on standard error. */
  @FormatMethod
  public void message(String format, @Nullable Object... args) {
    err.line(format, args);
  }

  /** Prints lines of text on standard output, in which nothing can steer the terminal. */
  public void print(String text) throws IOException {
    write(Printable.lines(text));
  }

  /** Writes data to standard output, unchanged. */
  public void write(String data) throws IOException {
    OutputStream output = new StandardOutput(out);
    output.write(data.getBytes(StandardCharsets.UTF_8));
    output.flush();
  }
}
