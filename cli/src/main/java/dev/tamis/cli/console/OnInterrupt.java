package dev.tamis.cli.console;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ends a command cleanly on Ctrl-C: signals it to stop, then waits until it has. */
public final class OnInterrupt implements AutoCloseable {

  /** After a longer wait a user would believe that Ctrl-C had no effect. */
  private static final long PATIENCE_SECONDS = 10;

  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook;

  /** Calls {@code stop} when the process receives a signal to end, until this is closed. */
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
