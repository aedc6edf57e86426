package dev.tamis.tools.guard;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A guard's hold on the filter that it shares: opened, found complete, lost, opened again.
 *
 * @param <K> the type of key
 */
final class SharedLink<K> {

  private final SharedFilter<K> shared;
  private final GuardMeter meter;
  private final Notices notices;
  private final long retryNanos;
  private final AtomicLong nextTryNanos = new AtomicLong();
  private final LongAdder losses = new LongAdder();

  /** The filter, or null while there is none to be had. */
  private final AtomicReference<@Nullable Hold<K>> hold = new AtomicReference<>();

  private volatile boolean disabled;

  SharedLink(SharedFilter<K> shared, GuardMeter meter, Notices notices, long retryNanos) {
    this.shared = shared;
    this.meter = meter;
    this.notices = notices;
    this.retryNanos = retryNanos;
    nextTryNanos.set(meter.nanos());
    if (answering() == null) {
      notices.send(
          GuardNotice.Kind.NOT_LOADED,
          state(),
          "there is no shared filter that knows every key: call rebuild, in one process");
    }
  }

  GuardState state() {
    return state(hold.get());
  }

  private GuardState state(@Nullable Hold<K> now) {
    if (disabled) {
      return GuardState.DISABLED;
    }
    return now != null && now.complete() ? GuardState.READY : GuardState.REBUILDING;
  }

  void setDisabled(boolean off) {
    disabled = off;
  }

  /** Returns how often the filter was lost. */
  long losses() {
    return losses.sum();
  }

  /**
   * Returns the filter that knows every key of the store, if that is known; else tries at times.
   */
  @Nullable GuardFilter<K> answering() {
    Hold<K> now = hold.get();
    if (state(now) == GuardState.REBUILDING && isTimeToTry()) {
      now = tryToOpen();
    }
    return now != null && state(now) == GuardState.READY ? now.filter() : null;
  }

  /** Returns true to one thread each time that the pause is over. */
  private boolean isTimeToTry() {
    long due = nextTryNanos.get();
    long now = meter.nanos();
    return now - due >= 0 && nextTryNanos.compareAndSet(due, now + retryNanos);
  }

  private @Nullable Hold<K> tryToOpen() {
    Hold<K> now = hold.get();
    if (now != null) {
      try {
        return checked(now);
      } catch (RuntimeException e) {
        lose(now, e); // most likely because there is another one by now
      }
    }
    try {
      return checked(open());
    } catch (RuntimeException e) {
      lose(hold.get(), e);
      return null;
    }
  }

  /** Returns what is held, as complete if it is. */
  private Hold<K> checked(Hold<K> opened) {
    return Completeness.isMarked(opened.filter().filter())
        ? become(opened.filter(), GuardNotice.Kind.LOADED, "is in use")
        : opened;
  }

  /** Returns the filter to put into, opened if need be; what that throws comes out. */
  GuardFilter<K> forPut() {
    Hold<K> now = hold.get();
    return (now == null ? open() : now).filter();
  }

  /** Returns the filter that gets go by, or null while they go to the store; asks nobody. */
  @Nullable GuardFilter<K> complete() {
    Hold<K> now = hold.get();
    return now != null && now.complete() ? now.filter() : null;
  }

  private Hold<K> open() {
    Hold<K> opened = new Hold<>(new GuardFilter<>(shared.open(), Long.MAX_VALUE), false);
    hold.set(opened);
    return opened;
  }

  /** Puts an empty filter in force, for a rebuild. */
  GuardFilter<K> replace() {
    GuardFilter<K> made = new GuardFilter<>(shared.replace(), Long.MAX_VALUE);
    hold.set(new Hold<>(made, false));
    return made;
  }

  /** Takes a filter that knows every key of the store. */
  Hold<K> become(GuardFilter<K> filter, GuardNotice.Kind kind, String what) {
    filter.tookOverAt(meter.gets());
    Hold<K> complete = new Hold<>(filter, true);
    hold.set(complete);
    notices.send(kind, state(complete), "the shared filter knows every key and " + what);
    return complete;
  }

  /** Lets go of a filter that threw an exception, unless another one has come meanwhile. */
  void lose(GuardFilter<K> filter, RuntimeException cause) {
    Hold<K> now = hold.get();
    if (now != null && now.filter() == filter) {
      lose(now, cause);
    }
  }

  private void lose(@Nullable Hold<K> lost, RuntimeException cause) {
    if (lost != null && hold.compareAndSet(lost, null) && lost.complete()) {
      losses.increment();
      notices.send(
          GuardNotice.Kind.FILTER_LOST,
          state(),
          "the shared filter is lost or cannot be reached, so the store is asked for everything."
              + " If the server has lost it, call rebuild, in one process",
          cause);
    }
  }

  /**
   * A filter that was opened.
   *
   * @param filter the filter
   * @param complete whether it is known to have every key of the store
   */
  record Hold<K>(GuardFilter<K> filter, boolean complete) {}
}
