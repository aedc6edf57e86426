package dev.tamis.tools.guard;

import static java.util.Objects.requireNonNull;

import dev.tamis.Storable;
import dev.tamis.tools.guard.GuardVersion.GracePeriod;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.NoSuchFileException;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The filters of a guard, and the order in which they and the store receive a key. */
final class GuardCore<K> {

  /*
   * The promise: a get that begins after a put has returned never gets "absent".
   *
   * Put: the key goes into every filter of the version, then into the store. The active filter thus
   * has a key before the store does. If the store then fails, the filter has a key too many, which
   * costs a read.
   *
   * Rebuild: publish the version with the new filter, await the grace period of its predecessors,
   * then open the source of keys. A put under an older version is in the store by then, so the
   * source yields its key; a put under the new version puts the key into the new filter itself. When
   * the source has ended, the new filter has every key and becomes active in one step. A get that
   * still queries the old filter read the version before that step; a put that the old filter misses
   * began after it, thus during the get.
   *
   * Remove, from a counting filter: a key is counted as often as puts have begun for it, less the
   * puts that replaced a value (they take their own count back) and the removes that found one. The
   * store reports which, and each of its answers is atomic, so the count is at least 1 while the
   * store has the key, however puts and removes interleave; no lock is needed. A filter under
   * construction only takes keys, since it may never have received what it would have to give back.
   * That leaves at most three stale keys for each key written during a rebuild, however often. A
   * remove uses the version from before its store access: the key was in the store at that time or
   * later, so the active filter of that version has its count, unless it has been replaced since;
   * hence a get trusts an "absent" only if the filter that said it is still active.
   */

  private final FilterPlan<K> plan;
  private final double staleShare;
  private final @Nullable SavedFilter saved;
  private final Runnable storeSync;
  private final GuardMeter meter;
  private final GuardNotice.Sender notices;
  private final AtomicReference<@Nullable Rebuild> running = new AtomicReference<>();

  /** Held for each change of the version. */
  private final Object changing = new Object();

  /** Held while waiting for writers, and during a save. */
  private final ReentrantLock waiting = new ReentrantLock();

  private volatile GuardVersion<K> version =
      new GuardVersion<>(null, null, false, false, new GracePeriod(null));

  GuardCore(GuardBuilder<K> settings, Runnable storeSync) {
    this.staleShare = settings.staleShare();
    this.saved = settings.savedFilter();
    this.plan = settings.plan(saved);
    this.storeSync = storeSync;
    this.meter = settings.meter();
    this.notices = settings.notices();
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

  GuardMeter meter() {
    return meter;
  }

  /**
   * Queries the filter; a negative counts only if the filter is still the active one afterwards.
   */
  boolean mightContain(GuardFilter<K> filter, K key) {
    if (meter.ask(filter, key) || version.answering() != filter) {
      return true;
    }
    meter.skip();
    return false;
  }

  GuardStats stats() {
    Rebuild rebuild = running.get();
    GuardVersion<K> now = version;
    GuardFilter<K> active = now.active();
    GetStats total = meter.gets();
    GetStats current = active == null ? GetStats.NONE : active.since(total);
    return new GuardStats(
        now.state(),
        total,
        current,
        active == null ? 0 : active.filter().acceptedKeys(),
        active == null ? 0 : active.staleKeys(),
        memoryBytes(active) + (rebuild == null ? 0 : memoryBytes(rebuild.next)),
        active == null ? OptionalDouble.empty() : OptionalDouble.of(active.filter().expectedFpp()),
        rebuild == null ? OptionalLong.empty() : OptionalLong.of(rebuild.keys.sum()),
        GuardVerdict.of(current, meter.times()));
  }

  private static long memoryBytes(@Nullable GuardFilter<?> generation) {
    return generation == null ? 0 : generation.filter().bitSize() / Byte.SIZE;
  }

  // --- writing ---

  /**
   * Begins a write, to be ended with {@link #endWrite}.
   *
   * @throws java.io.UncheckedIOException if the saved filter cannot be removed
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

  private void takeBackSaved() {
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
    long hash =
        generation.filter().hashOf(key); // outside: the hasher's exceptions are the caller's
    try {
      boolean isNew = generation.filter().putHash(hash);
      checkOverFull(generation);
      return isNew;
    } catch (IllegalArgumentException | IllegalStateException e) {
      giveUp(generation, e);
      return true;
    }
  }

  private void checkOverFull(GuardFilter<K> generation) {
    if (generation.becameOverFull()) {
      notices.send(
          GuardNotice.Kind.OVER_FULL,
          version.state(),
          "there are more keys than its filter was built for, and its fpp rises: call rebuild");
    }
  }

  /** Abandons a filter that could not take a key, before the store has that key. */
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

  /** Applies the store's answer to a put. */
  void stored(GuardVersion<K> written, K key, boolean newToStore, NewTo newTo) {
    GuardFilter<K> active = written.active();
    if (active != null) {
      if (plan.removable() && !newToStore) {
        active.remove(key);
      } else if (!plan.removable() && newToStore && !newTo.active()) {
        active.dropStale(); // it was removed before, or is a false positive
      }
    }
    GuardFilter<K> next = written.next();
    if (next != null && newToStore && !newTo.next()) {
      next.dropStale();
    } else if (plan.removable() && !newToStore) {
      addStaleIfLasting(next, key, newTo.next());
    }
  }

  /** Records a put that threw, so that the store may or may not have the key. */
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

  /** Records that the store has removed a key. */
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

  private void checkStale(GuardFilter<K> generation) {
    if (generation.staleShare() <= staleShare) {
      return;
    }
    synchronized (changing) {
      boolean isStale = generation.staleShare() > staleShare; // again: keys may have come since
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

  RebuildSummary rebuild(KeySource<? extends K> source) {
    Rebuild mine = new Rebuild();
    Rebuild other = running.compareAndExchange(null, mine);
    if (other != null) {
      throw new IllegalStateException(
          "a rebuild is running already and has read " + other.keys + " keys: wait for it");
    }
    try {
      return mine.run(source);
    } finally {
      running.set(null);
    }
  }

  /** One rebuild of the filter, from its first key to the swap. */
  private final class Rebuild {

    final LongAdder keys = new LongAdder();
    volatile @Nullable GuardFilter<K> next;

    RebuildSummary run(KeySource<? extends K> source) {
      long start = meter.nanos();
      try {
        GuardFilter<K> filled = fill(source);
        long nanos = meter.nanos() - start;
        notices.send(
            GuardNotice.Kind.REBUILT,
            version.state(),
            "its filter was rebuilt from " + keys + " keys and has taken over");
        checkStale(filled);
        checkOverFull(filled);
        return new RebuildSummary(keys.sum(), nanos, memoryBytes(filled));
      } catch (Exception e) {
        throw notices.rebuildFailed(
            version.state(), "The filter from before, if any, is in use", keys.sum(), e);
      }
    }

    private GuardFilter<K> fill(KeySource<? extends K> source) throws Exception {
      GuardFilter<K> active = version.active();
      GuardFilter<K> made = plan.create(active == null ? 0 : active.mostKeys());
      next = made;
      try {
        startNext(made);
        Thread caller = Thread.currentThread();
        try (Stream<? extends K> stream = requireNonNull(source.open(), "the source's stream")) {
          stream.forEach(
              key -> {
                boolean unused = made.filter().put(requireNonNull(key, "a key of the source"));
                keys.increment();
                if (caller.isInterrupted()) {
                  throw new Interrupted();
                }
              });
        } catch (Interrupted e) {
          throw new InterruptedException();
        }
        swapIn(made);
        return made;
      } finally {
        dropNext(made); // does nothing once it is active
      }
    }
  }

  /** Carries an interrupt through a stream. */
  private static final class Interrupted extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** Publishes a new filter that all writes fill, and waits for writes that began without it. */
  private void startNext(GuardFilter<K> next) throws InterruptedException {
    waiting.lockInterruptibly();
    try {
      takeBackSaved(); // a rebuild may be called because the filter is not to be trusted
      publishAndWait(current -> current.withNext(next));
    } finally {
      waiting.unlock();
    }
  }

  private void swapIn(GuardFilter<K> next) {
    synchronized (changing) {
      if (version.next() != next) {
        throw new IllegalStateException("the new filter could not take a key");
      }
      next.tookOverAt(meter.gets());
      version = version.withNext(null).withActive(next);
    }
  }

  private void dropNext(GuardFilter<K> next) {
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
