package dev.tamis.crawler.queue;

import java.io.IOException;

/**
 * The state of a queue behind its write-ahead log: what is committed here survives a crash.
 *
 * @param state what the changes are applied to
 * @param persistence where they are logged first
 */
record LoggedState(QueueState state, Persistence persistence) {

  /**
   * Appends a change to the log, then applies it.
   *
   * @throws IOException if it could not be logged; nothing has changed then
   * @throws BrokenException if it was logged and could not be applied
   */
  void commit(Change change) throws IOException {
    persistence.append(change);
    try {
      state.apply(change);
    } catch (RuntimeException | Error e) {
      throw new BrokenException(e);
    }
  }

  /** Thrown when memory and disk differ. */
  static final class BrokenException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private BrokenException(Throwable cause) {
      super("the queue is broken: close it and open it again", cause);
    }
  }
}
