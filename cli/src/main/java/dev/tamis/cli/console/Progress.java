package dev.tamis.cli.console;

import java.io.Closeable;
import java.io.InputStream;

/** Shows the progress of a command through its input. */
public interface Progress extends Closeable {

  /** Less is read too fast for a bar. */
  long LONG_BYTES = 16 << 20;

  /** Shows nothing. */
  Progress NONE =
      new Progress() {
        @Override
        public InputStream watch(InputStream in) {
          return in;
        }

        @Override
        public void close() {}
      };

  /** Returns a stream of the same bytes, whose reading is shown. */
  InputStream watch(InputStream in);

  /** Stops showing anything. */
  @Override
  void close();

  /**
   * Returns a bar for {@code bytes} of input if they are many and standard error is a terminal that
   * does not show the data too; the launcher sets properties that say so.
   *
   * @param toFile whether the data goes to a file by name
   * @param err the terminal
   */
  static Progress overBytes(long bytes, boolean toFile, Messages err) {
    boolean alone = toFile || !Boolean.getBoolean("tamis.stdout.tty");
    // a class of its own, so that the library is loaded only here
    return bytes >= LONG_BYTES && alone && Boolean.getBoolean("tamis.stderr.tty")
        ? new ProgressOnTerminal(bytes, err)
        : NONE;
  }
}
