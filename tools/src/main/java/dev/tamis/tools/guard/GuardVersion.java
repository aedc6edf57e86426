package dev.tamis.tools.guard;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One immutable version of a guard's state; a change publishes the next one.
 *
 * <p>This is read-copy-update: threads read the published version without a lock, and a change that
 * needs every writer to have seen it waits for the {@link GracePeriod} of the version before.
 *
 * @param active a filter with every key of the store; null if there is no such filter
 * @param next the filter of a rebuild in progress; null if there is none
 * @param stale whether too many of the active filter's keys are gone from the store
 * @param disabled whether the guard is switched off
 * @param gracePeriod ends when all writes under this version, and others that share it, have ended
 */
record GuardVersion<K>(
    @Nullable GuardFilter<K> active,
    @Nullable GuardFilter<K> next,
    boolean stale,
    boolean disabled,
    GracePeriod gracePeriod) {

  GuardState state() {
    if (disabled) {
      return GuardState.DISABLED;
    }
    if (active == null) {
      return GuardState.REBUILDING;
    }
    return stale ? GuardState.STALE : GuardState.READY;
  }

  /** Returns the filter that may answer, or null if the store has to. */
  @Nullable GuardFilter<K> answering() {
    return state() == GuardState.READY ? active : null;
  }

  GuardVersion<K> withNewGracePeriod() {
    return new GuardVersion<>(active, next, stale, disabled, new GracePeriod(gracePeriod));
  }

  GuardVersion<K> withNext(@Nullable GuardFilter<K> filter) {
    return new GuardVersion<>(active, filter, stale, disabled, gracePeriod);
  }

  /** Returns this version with another active filter, which is not stale. */
  GuardVersion<K> withActive(@Nullable GuardFilter<K> filter) {
    return new GuardVersion<>(filter, next, false, disabled, gracePeriod);
  }

  GuardVersion<K> withStale() {
    return new GuardVersion<>(active, next, true, disabled, gracePeriod);
  }

  GuardVersion<K> withDisabled(boolean off) {
    return new GuardVersion<>(active, next, stale, off, gracePeriod);
  }

  /**
   * A grace period as in read-copy-update: ends when every writer under a replaced version is done.
   *
   * @see <a href="https://doi.org/10.1109/TPDS.2011.159">Desnoyers, McKenney, Stern, Dagenais,
   *     Walpole 2012, User-level implementations of read-copy update</a>
   */
  static final class GracePeriod {

    /*
     * A writer counts itself and then checks that its version is still the published one; a new
     * version is published before the old one's writers are awaited. All of that is volatile, so
     * either the writer sees the new version and leaves again, or it is counted and waited for.
     * Writers never wait.
     *
     * The version counts as a writer until it is replaced. Otherwise the count could reach zero
     * between two writers, and the first would end the wait for the second.
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
        earlier.await(); // an earlier wait may have been interrupted
        before = null;
      }
      if (retired.compareAndSet(false, true)) {
        exit();
      }
      drained.await();
    }
  }
}
