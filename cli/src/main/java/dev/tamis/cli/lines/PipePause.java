package dev.tamis.cli.lines;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Waits for more from an emptied pipe, so that blocks of lines are not tiny.
 *
 * <p>A reader faster than the writer would find a few kilobytes each time, which take longer to
 * hand over than to use. So it sleeps until the pipe is about half full. For one thread.
 */
final class PipePause {

  /** The longest that a line is held back. */
  static final long LATENCY_NANOS = 2_000_000;

  /** A shorter pause would cost more than it saves. */
  static final long SHORTEST_NANOS = 20_000;

  /** A longer one would stall the writer of a smaller pipe. */
  static final long LONGEST_NANOS = 100_000;

  /** The capacity of a pipe on Linux. */
  private static final int PIPE_BYTES = 1 << 16;

  static final long COARSE_NANOS = 1_000_000;

  static final int COARSE_PAUSES = 8;

  private final LongSupplier clock;
  private final LongConsumer sleep;
  private long waitUntil;
  private long nanos = SHORTEST_NANOS;
  private int coarse;

  /** Starts with a block that is due, so that the first lines are not held back. */
  PipePause() {
    this(System::nanoTime, LockSupport::parkNanos);
  }

  PipePause(LongSupplier clock, LongConsumer sleep) {
    this.clock = clock;
    this.sleep = sleep;
    this.waitUntil = clock.getAsLong();
  }

  /** Begins another block, which may be held back. */
  void restart() {
    waitUntil = clock.getAsLong() + LATENCY_NANOS;
  }

  /** Returns whether more can be read at once, now or after a pause. */
  boolean bringsMore(InputStream in) throws IOException {
    int bytes = in.available();
    long now = clock.getAsLong();
    while (bytes == 0 && now - waitUntil < 0 && coarse < COARSE_PAUSES) {
      sleep.accept(nanos);
      long before = now;
      now = clock.getAsLong();
      // where timers are coarse, as on Windows, a pipe would be full and its writer wait
      coarse = now - before < COARSE_NANOS ? 0 : coarse + 1;
      bytes = in.available();
      if (bytes <= PIPE_BYTES / 2) {
        nanos = Math.min(LONGEST_NANOS, 2 * nanos);
      } else if (bytes > PIPE_BYTES / 8 * 7) {
        nanos = Math.max(SHORTEST_NANOS, nanos / 2);
      }
    }
    return bytes > 0;
  }
}
