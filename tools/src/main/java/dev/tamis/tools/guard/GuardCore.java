package dev.tamis.tools.guard;

import dev.tamis.Storable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.NoSuchFileException;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The filters of a guard, and the order in which they and the store learn of a key.
 *
 * @param <K> the type of key
 */
final class GuardCore<K> {

  /*
   * The promise: a get that begins after a put has returned is never told "absent".
   *
   * Put: the key goes into every filter of the version, then into the store. The active filter thus
   * knows a key before the store does. If the store then fails, the filter has a key too many, which
   * costs a read.
   *
   * Rebuild: the version with the new filter is published, then its predecessors' grace period is
   * waited for, then the source of keys is opened. A put under an older version is in the store by
   * then, and the source gives its key; a put under the new version puts the key into the new filter
   * itself. So when the source has ended, the new filter has every key, and becomes the active one in
   * one step. A get that still asks the old one has read the version before that step; a put that the
   * old filter does not know began after that step, thus while the get was running.
   *
   * Remove, from a filter that counts: a key is counted as often as puts have begun for it, less the
   * puts that replaced a value (they take their own count back) and the removes that found one. The
   * store says which, and each of its answers is one step, so the count is never below 1 while the
   * store has the key, however puts and removes of it are mixed; no lock is needed. A filter in the
   * making only takes keys: what it would have to give back it might never have been given. That
   * leaves keys too many, which are counted as stale: a key that is removed, until it comes back,
   * and a key that is put again, which the source gives too or which counts twice, and so outlasts its
   * removal. However often a key is written, that makes three at most. A remove goes by the version from before it asked
   * the store: a key that it removed was in the store at that time or later, so the active filter of
   * that version has its count, unless another one has replaced it since; which is why a get believes an
   * "absent" only if the filter that said it is still the active one.
   */

  private final FilterPlan<K> plan;
  private final double staleShare;
  private final @Nullable SavedFilter saved;
  private final Runnable storeSync;
  private final GuardMeter meter;
  private final Notices notices;

  /** Held for each change of the version. */
  private final Object changing = new Object();

  /** Held while writers are waited for, and for all of a save. */
  private final ReentrantLock waiting = new ReentrantLock();

  private volatile GuardVersion<K> version;

  GuardCore(GuardBuilder<K> settings, Runnable storeSync) {
    this.staleShare = settings.staleShare();
    this.saved = settings.savedFilter();
    this.plan = settings.plan(saved);
    this.storeSync = storeSync;
    this.meter = settings.meter();
    this.notices = settings.notices();
    this.version = new GuardVersion<>(null, null, false, false, new GracePeriod(null));
    if (saved != null) {
      load(saved);
    }
  }

  private void load(SavedFilter file) {
    try {
      version = version.withActive(file.load(plan));
      notices.send(
          GuardNotice.Kind.LOADED, version.state(), "its filter was read from " + file.path());
    } catch (NoSuchFileException e) {
      notices.send(
          GuardNotice.Kind.NOT_LOADED,
          version.state(),
          "there is no saved filter "
              + file.path()
              + ", because nothing was saved yet or the program"
              + " was stopped before it could: call rebuild");
    } catch (IOException | IllegalArgumentException e) {
      notices.send(
          GuardNotice.Kind.NOT_LOADED,
          version.state(),
          "its saved filter cannot be used and will be set aside ("
              + e.getMessage()
              + "): call rebuild",
          e);
    }
  }

  GuardVersion<K> version() {
    return version;
  }

  FilterPlan<K> plan() {
    return plan;
  }

  GuardMeter meter() {
    return meter;
  }

  Notices notices() {
    return notices;
  }

  /** Asks the filter; what it says counts only if it is still the active one afterwards. */
  boolean mightContain(GuardFilter<K> filter, K key) {
    if (meter.ask(filter, key) || version.answering() != filter) {
      return true;
    }
    meter.skip();
    return false;
  }

  GuardStats stats(@Nullable Rebuild<K> running) {
    GuardVersion<K> now = version;
    GuardFilter<K> active = now.active();
    GetStats total = meter.gets();
    GetStats current = active == null ? GetStats.NONE : active.since(total);
    long activeBytes = active == null ? 0 : active.filter().bitSize() / Byte.SIZE;
    return new GuardStats(
        now.state(),
        total,
        current,
        active == null ? 0 : active.filter().acceptedKeys(),
        active == null ? 0 : active.staleKeys(),
        activeBytes + (running == null ? 0 : running.memoryBytes()),
        active == null ? OptionalDouble.empty() : OptionalDouble.of(active.filter().expectedFpp()),
        running == null ? OptionalLong.empty() : OptionalLong.of(running.keys()),
        GuardVerdict.of(current, meter.times()));
  }

  // --- writing ---

  /**
   * Begins a write, to be ended with {@link #endWrite}.
   *
   * @throws java.io.UncheckedIOException if the saved filter cannot be taken back
   */
  GuardVersion<K> beginWrite() {
    while (true) {
      GracePeriod period = version.gracePeriod();
      period.enter();
      GuardVersion<K> current = version;
      if (current.gracePeriod() == period) {
        try {
          takeBackSaved();
        } catch (RuntimeException e) {
          period.exit();
          throw e;
        }
        return current;
      }
      period.exit();
    }
  }

  void endWrite(GuardVersion<K> written) {
    written.gracePeriod().exit();
  }

  void takeBackSaved() {
    if (saved != null) {
      saved.takeBack();
    }
  }

  /** Puts a key into all filters; returns to which of them it was certainly new. */
  NewTo putInto(GuardVersion<K> written, K key) {
    return new NewTo(
        written.active() != null && put(written.active(), key),
        written.next() != null && put(written.next(), key));
  }

  /** The filters to which a key was new. */
  record NewTo(boolean active, boolean next) {}

  private boolean put(GuardFilter<K> generation, K key) {
    long hash = generation.filter().hashOf(key); // outside: what a hasher throws is the caller's
    try {
      boolean isNew = generation.filter().putHash(hash);
      checkOverFull(generation);
      return isNew;
    } catch (IllegalArgumentException | IllegalStateException e) {
      giveUp(generation, e);
      return true;
    }
  }

  void checkOverFull(GuardFilter<K> generation) {
    if (generation.becameOverFull()) {
      notices.send(
          GuardNotice.Kind.OVER_FULL,
          version.state(),
          "there are more keys than its filter was built for, and its fpp rises: call rebuild");
    }
  }

  /** Lets go of a filter that could not take a key, before the store has that key. */
  private void giveUp(GuardFilter<K> generation, RuntimeException cause) {
    synchronized (changing) {
      if (version.active() == generation) {
        version = version.withActive(null);
      }
      if (version.next() == generation) {
        version = version.withNext(null);
      }
    }
    notices.send(
        GuardNotice.Kind.FILTER_LOST,
        version.state(),
        "a filter could take no more keys and is given up: raise the heap or the fpp, call rebuild",
        cause);
  }

  /** Tells the filters what the store said to a put. */
  void stored(GuardVersion<K> written, K key, boolean newToStore, NewTo newTo) {
    GuardFilter<K> active = written.active();
    if (active != null) {
      if (plan.removable() && !newToStore) {
        active.remove(key);
      } else if (!plan.removable() && newToStore && !newTo.active()) {
        active.dropStale(); // it was removed before, or looks as if
      }
    }
    GuardFilter<K> next = written.next();
    if (next != null && newToStore && !newTo.next()) {
      next.dropStale();
    } else if (plan.removable() && !newToStore) {
      addStaleIfLasting(next, key, newTo.next());
    }
  }

  /** Tells the filters that nobody knows whether the store has the key of a put. */
  void putFailed(GuardVersion<K> written, K key, NewTo newTo) {
    addStaleIfLasting(written.active(), key, newTo.active());
    addStaleIfLasting(written.next(), key, newTo.next());
  }

  /** Counts a key whose put is not taken back: once if it was new, and once if it is in twice. */
  private void addStaleIfLasting(@Nullable GuardFilter<K> generation, K key, boolean isNew) {
    if (generation != null && (isNew || (plan.removable() && generation.count(key) == 2))) {
      addStale(generation);
    }
  }

  /** Tells the filters that the store has removed a key. */
  void removed(GuardVersion<K> written, K key) {
    if (plan.removable() && written.active() != null) {
      written.active().remove(key);
    } else {
      addStale(written.active());
    }
    addStale(written.next());
  }

  private void addStale(@Nullable GuardFilter<K> generation) {
    if (generation != null) {
      generation.addStale();
      checkStale(generation);
    }
  }

  void checkStale(GuardFilter<K> generation) {
    if (generation.staleShare() <= staleShare) {
      return;
    }
    synchronized (changing) {
      boolean isStale = generation.staleShare() > staleShare; // now: it may have been filled since
      if (version.active() != generation || version.stale() || !isStale) {
        return;
      }
      version = version.withStale();
    }
    notices.send(
        GuardNotice.Kind.STALE,
        version.state(),
        generation.staleKeys() + " of the keys in its filter were removed: call rebuild");
  }

  void setDisabled(boolean disabled) {
    synchronized (changing) {
      version = version.withDisabled(disabled);
    }
  }

  // --- rebuilding ---

  /** Brings a new filter in that all writes fill, and waits for writes that do not know it. */
  void startNext(GuardFilter<K> next) throws InterruptedException {
    waiting.lockInterruptibly();
    try {
      takeBackSaved(); // whoever rebuilds may do so because the filter is not to be trusted
      publishAndWait(current -> current.withNext(next));
    } finally {
      waiting.unlock();
    }
  }

  /** Makes the new filter the active one. */
  void swapIn(GuardFilter<K> next) {
    synchronized (changing) {
      if (version.next() != next) {
        throw new IllegalStateException("the new filter could not take a key");
      }
      next.tookOverAt(meter.gets());
      version = version.withNext(null).withActive(next);
    }
  }

  /** Forgets the new filter, unless it is active by now. */
  void dropNext(GuardFilter<K> next) {
    synchronized (changing) {
      if (version.next() == next) {
        version = version.withNext(null);
      }
    }
  }

  private void publishAndWait(UnaryOperator<GuardVersion<K>> change) throws InterruptedException {
    GracePeriod earlier;
    synchronized (changing) {
      earlier = version.gracePeriod();
      version = change.apply(version).withNewGracePeriod();
    }
    earlier.await();
  }

  // --- saving ---

  boolean hasFile() {
    return saved != null;
  }

  /** Saves the active filter; returns whether the file has every key of the store. */
  boolean save() throws IOException {
    if (saved == null) {
      throw new IllegalStateException("there is no file to save to: call file(path) when building");
    }
    waiting.lock();
    try {
      if (saved.isCurrent()) {
        return true;
      }
      GuardVersion<K> before = version;
      if (before.active() == null || before.stale() || before.next() != null) {
        notSaved("it has no filter worth keeping, or is being rebuilt", null);
        return false;
      }
      return write(saved, before.active());
    } catch (IOException | RuntimeException e) {
      notSaved(String.valueOf(e.getMessage()), e);
      throw e;
    } finally {
      waiting.unlock();
    }
  }

  private boolean write(SavedFilter file, GuardFilter<K> generation) throws IOException {
    file.begin();
    try {
      publishAndWait(UnaryOperator.identity());
      storeSync.run();
      boolean written = file.write((Storable) generation.filter());
      if (!written) {
        notSaved("something was written to the store meanwhile", null);
      }
      return written;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for writes to end");
    } finally {
      file.abandon();
    }
  }

  private void notSaved(String reason, @Nullable Throwable cause) {
    notices.send(
        GuardNotice.Kind.NOT_SAVED,
        version.state(),
        "its filter was not saved, so the next start needs a rebuild: " + reason,
        cause);
  }
}
