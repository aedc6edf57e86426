package dev.tamis.tools.guard;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A grace period as in read-copy-update: ends when every writer under a replaced version is done.
 *
 * <p>A change publishes a new {@link GuardVersion} and then waits for the writers of the old one,
 * which are what RCU calls readers: they go by the version that was published when they began.
 *
 * @see <a href="https://doi.org/10.1109/TPDS.2011.159">Desnoyers, McKenney, Stern, Dagenais,
 *     Walpole 2012, User-level implementations of read-copy update</a>
 */
final class GracePeriod {

  /*
   * A writer counts itself and then checks that its version is still the published one; a new
   * version is published before the old one's writers are awaited. All of that is volatile, so
   * either the writer sees the new version and leaves again, or it is counted and waited for.
   * Writers never wait.
   *
   * The version itself counts as a writer until it is replaced, so that the count cannot reach zero
   * before: a writer that found it at zero and only then looked whether it is awaited would end the
   * wait for another one that came in between.
   */

  private final AtomicLong writing = new AtomicLong(1);
  private final AtomicBoolean retired = new AtomicBoolean();
  private final CountDownLatch drained = new CountDownLatch(1);
  private volatile @Nullable GracePeriod before;

  /** Begins a grace period that follows {@code before}, which may still have writers. */
  GracePeriod(@Nullable GracePeriod before) {
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

  /** Waits for all writers of this and earlier periods; its version must be replaced already. */
  void await() throws InterruptedException {
    GracePeriod earlier = before;
    if (earlier != null) {
      earlier.await(); // somebody who waited for them may have been interrupted
      before = null;
    }
    if (retired.compareAndSet(false, true)) {
      exit();
    }
    drained.await();
  }
}
