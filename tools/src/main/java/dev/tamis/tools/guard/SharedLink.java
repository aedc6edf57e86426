package dev.tamis.tools.guard;

import dev.tamis.HashedFilter;
import dev.tamis.HashedMutableFilter;
import dev.tamis.hash.HashFunction;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** A guard's reference to its shared filter: opened, found complete, lost, opened again. */
final class SharedLink<K> {

  /*
   * The mark that a filter has every key of the store is in the filter, so that it is lost with the
   * filter, whatever the server does. It is 64 reserved keys: a filter without the mark seems to
   * have it with probability fpp^64, below 1e-19 for an fpp of at most 0.5; one with a higher fpp is
   * useless and counts as incomplete. The fpp only rises, so it is checked last.
   */

  private static final int MARKS = 64;
  private static final double WORST_FPP = 0.5;

  /** Hashed with a seed of their own, the same in every process. */
  private static final long[] MARK_HASHES =
      LongStream.range(0, MARKS)
          .map(HashFunction.xxh3(0x74616d6973L)::hashLong) // "tamis"
          .toArray();

  private final SharedFilter<K> shared;
  private final GuardMeter meter;
  private final GuardNotice.Sender notices;
  private final long retryNanos;
  private final AtomicLong nextTryNanos = new AtomicLong();
  private final LongAdder losses = new LongAdder();

  /** The filter; null while none can be opened. */
  private final AtomicReference<@Nullable Hold<K>> hold = new AtomicReference<>();

  private volatile boolean disabled;

  /** A filter that was opened, and whether it is known to have every key of the store. */
  private record Hold<K>(GuardFilter<K> filter, boolean complete) {}

  SharedLink(
      SharedFilter<K> shared, GuardMeter meter, GuardNotice.Sender notices, long retryNanos) {
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

  long losses() {
    return losses.sum();
  }

  /** Returns the filter if it is complete and enabled; tries to open one after each pause. */
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
        lose(now, e); // most likely it has been replaced
      }
    }
    try {
      return checked(open());
    } catch (RuntimeException e) {
      lose(hold.get(), e);
      return null;
    }
  }

  private Hold<K> checked(Hold<K> opened) {
    return isMarked(opened.filter().filter())
        ? become(opened.filter(), GuardNotice.Kind.LOADED, "is in use")
        : opened;
  }

  private static boolean isMarked(HashedFilter<?> filter) {
    boolean[] answers = new boolean[MARKS];
    filter.mightContainHashes(MARK_HASHES, MARKS, answers);
    for (boolean answer : answers) {
      if (!answer) {
        return false;
      }
    }
    return filter.expectedFpp() <= WORST_FPP;
  }

  /** Returns the filter to put into, opened if need be; exceptions of opening it propagate. */
  HashedMutableFilter<K> forPut() {
    Hold<K> now = hold.get();
    return (now == null ? open() : now).filter().filter();
  }

  /** Returns the filter if it is complete; never opens one. */
  @Nullable GuardFilter<K> complete() {
    Hold<K> now = hold.get();
    return now != null && now.complete() ? now.filter() : null;
  }

  private Hold<K> open() {
    return hold(shared.open());
  }

  /** Replaces the shared filter by an empty one, for a rebuild. */
  GuardFilter<K> replace() {
    return hold(shared.replace()).filter();
  }

  private Hold<K> hold(HashedMutableFilter<K> filter) {
    Hold<K> opened = new Hold<>(new GuardFilter<>(filter, Long.MAX_VALUE), false);
    hold.set(opened);
    return opened;
  }

  /** Marks a filter that was rebuilt, and uses it. */
  void markComplete(GuardFilter<K> filter) {
    filter.filter().putHashes(MARK_HASHES, MARKS, new boolean[MARKS]);
    become(filter, GuardNotice.Kind.REBUILT, "has taken over");
  }

  private Hold<K> become(GuardFilter<K> filter, GuardNotice.Kind kind, String what) {
    filter.tookOverAt(meter.gets());
    Hold<K> complete = new Hold<>(filter, true);
    hold.set(complete);
    notices.send(kind, state(complete), "the shared filter knows every key and " + what);
    return complete;
  }

  /** Drops a filter that threw an exception, unless it has been replaced meanwhile. */
  void lose(HashedMutableFilter<K> filter, RuntimeException cause) {
    Hold<K> now = hold.get();
    if (now != null && now.filter().filter() == filter) {
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
}
