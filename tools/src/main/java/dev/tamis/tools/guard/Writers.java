package dev.tamis.tools.guard;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts the threads that write under one view of a guard, so that all of them can be waited for.
 */
final class Writers {

  /*
   * A writer counts itself and then looks whether its view is still the one in force; a new view is
   * put in force before the old one's writers are awaited. All of that is volatile, so either the
   * writer sees the new view and leaves again, or it is seen and waited for. Nobody who writes ever
   * waits.
   *
   * The view counts as a writer until it is replaced, so that the count cannot touch zero before: a
   * writer that found it at zero and looked only then whether it is awaited would end the wait for
   * another one that came in between.
   */

  private final AtomicLong writing = new AtomicLong(1);
  private final AtomicBoolean retired = new AtomicBoolean();
  private final CountDownLatch drained = new CountDownLatch(1);
  private volatile @Nullable Writers before;

  /** Creates the writers that come after {@code before}, which may have some left. */
  Writers(@Nullable Writers before) {
    this.before = before;
  }

  void enter() {
    writing.incrementAndGet();
  }

  void exit() {
    if (writing.decrementAndGet() == 0) {
      drained.countDown();
    }
  }

  /** Waits until none of these, nor of those before, writes. They must be out of force already. */
  void awaitNone() throws InterruptedException {
    Writers earlier = before;
    if (earlier != null) {
      earlier.awaitNone(); // somebody who waited for them may have been interrupted
      before = null;
    }
    if (retired.compareAndSet(false, true)) {
      exit();
    }
    drained.await();
  }
}
