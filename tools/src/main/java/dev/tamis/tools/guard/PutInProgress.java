package dev.tamis.tools.guard;

/** A put that is on its way to the store; closed once the store has it, or never will. */
public final class PutInProgress implements AutoCloseable {

  private final Runnable end;
  private boolean ended;

  PutInProgress(Runnable end) {
    this.end = end;
  }

  /** Ends the put. Any thread may, once; further calls do nothing. */
  @Override
  public synchronized void close() {
    if (!ended) {
      ended = true;
      end.run();
    }
  }
}
