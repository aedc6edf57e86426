package dev.tamis.cli.console;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;

/**
 * Standard input, which waits a moment before it ends.
 *
 * <p>Ctrl-C ends all programs of a pipeline. Whatever wrote into the pipe ends at once, the JVM
 * some milliseconds later: without the wait this process would take the rest of the data for all of
 * it, and replace its output file.
 */
public final class StandardInput extends FilterInputStream {

  /** Far longer than the JVM takes to begin to end, far shorter than anybody notices. */
  private static final long WAIT_MILLIS = 20;

  private boolean hasEnded;

  public StandardInput(InputStream in) {
    super(in);
  }

  @Override
  public int read() throws IOException {
    int read = super.read();
    return read < 0 ? end() : read;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int read = super.read(bytes, offset, length);
    return read < 0 ? end() : read;
  }

  private int end() throws InterruptedIOException {
    if (!hasEnded) {
      hasEnded = true;
      try {
        Thread.sleep(WAIT_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted at the end of standard input");
      }
    }
    return -1;
  }
}
