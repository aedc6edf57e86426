package dev.tamis.crawler.queue;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/** Lets files be written to their end by threads that are interrupted meanwhile. */
final class Uninterrupted {

  private Uninterrupted() {}

  /** Runs an action that can be run again from its beginning, and keeps interrupts for later. */
  static void run(Action action) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        interrupted |= Thread.interrupted();
        try {
          action.run();
          return;
        } catch (IOException e) {
          if (!(e instanceof ClosedByInterruptException)
              && !(e.getCause() instanceof ClosedByInterruptException)) {
            throw e;
          }
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Writes something. */
  interface Action {
    void run() throws IOException;
  }
}
