package dev.tamis.crawler.crawl;

import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;
import java.time.Duration;

/** The time by which reading a page must have ended. */
final class Deadline {

  private final Duration time;
  private final long startNanos = System.nanoTime();

  private Deadline(Duration time) {
    this.time = time;
  }

  /** Returns the deadline that is this far away. */
  static Deadline in(Duration time) {
    return new Deadline(time);
  }

  /**
   * Throws if the time is over.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  void check() throws UnreadablePageException, InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (isOver()) {
      throw new UnreadablePageException("not parsed in " + time.toMillis() + " ms");
    }
  }

  private boolean isOver() {
    return System.nanoTime() - startNanos > time.toNanos();
  }

  /** Returns a reader that fails once the time is over or the thread is interrupted. */
  Reader reader(Reader in) {
    return new FilterReader(in) {
      @Override
      public int read(char[] buffer, int offset, int length) throws IOException {
        if (isOver() || Thread.currentThread().isInterrupted()) {
          throw new IOException("stopped");
        }
        return super.read(buffer, offset, length);
      }
    };
  }
}
