package dev.tamis.cli.console;

import java.io.Closeable;
import java.io.InputStream;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/** Shows the progress of a command through its input. */
public interface Progress extends Closeable {

  /** Smaller input needs no bar. */
  long LONG_BYTES = 16 << 20;

  Progress NONE =
      new Progress() {
        @Override
        public InputStream watch(InputStream in) {
          return in;
        }

        @Override
        public void countLines(LongSupplier counter) {}

        @Override
        public void close() {}
      };

  /** Returns a stream of the same bytes, whose reading is shown. */
  InputStream watch(InputStream in);

  /** Sets the counter of lines, shown where the end is unknown. */
  void countLines(LongSupplier counter);

  /** Stops showing anything. */
  @Override
  void close();

  /** Returns a bar for long input, if standard error is a terminal that does not show the data. */
  static Progress overBytes(OptionalLong bytes, boolean toFile, Messages err) {
    // a class of its own, so that the library is loaded only here
    return isShown(toFile) && bytes.orElse(LONG_BYTES) >= LONG_BYTES
        ? new ProgressOnTerminal(bytes, err)
        : NONE;
  }

  /** Returns whether progress can be shown: on a terminal that does not show the data too. */
  static boolean isShown(boolean toFile) {
    return Boolean.getBoolean("tamis.stderr.tty")
        && (toFile || !Boolean.getBoolean("tamis.stdout.tty"));
  }
}
