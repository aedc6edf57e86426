package dev.tamis.cli.console;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Has Ctrl-C end a command in good order: tells it to stop, then waits until it has. */
public final class OnInterrupt implements AutoCloseable {

  /** Who waits longer after Ctrl-C believes that it did nothing. */
  private static final long PATIENCE_SECONDS = 10;

  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook;

  /** Has {@code stop} called when the process is told to end, until this is closed. */
  public OnInterrupt(Runnable stop) {
    hook = new Thread(() -> stopAndWait(stop), "interrupt");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void stopAndWait(Runnable stop) {
    stop.run();
    try {
      ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Says that the command has ended. */
  @Override
  public void close() {
    ended.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // the process is ending, and was waiting for this
    }
  }
}
