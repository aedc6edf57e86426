package dev.tamis.filter;

import static java.util.Objects.requireNonNull;

import dev.tamis.DropAware;
import dev.tamis.Estimate;
import dev.tamis.FilterFullException;
import dev.tamis.internal.bits.Stripes;
import dev.tamis.sizing.Sizing;
import dev.tamis.sizing.WrongDrops;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.LongToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Counts the keys a filter took as new and those removed, and runs an action at a number of keys.
 */
final class KeyTally {

  /*
   * A single thread counts in a plain field. Otherwise keys are counted in the stripes of the filter,
   * since a put holds one anyway, but the sum takes a pass over all; or in one atomic counter, if a
   * limit or a notice requires the sum at each put.
   *
   * With removals, keys put less keys removed would drift, since a false positive counts only when it
   * is removed. So a filter that can estimate its keys from its contents does after a removal.
   *
   * A merge adds the difference of two estimates to the counter, as puts add one each, so that no
   * concurrent put is lost and no limit passed.
   *
   * Wrong drops follow from the accepted keys up to UNKNOWN_FROM_FPP. Beyond it, where hardly a key
   * is accepted, they are the distinct keys by the contents, less the accepted.
   */

  static final long NO_LIMIT = Long.MAX_VALUE;

  /** The largest count, with room to increase. */
  private static final long UNBOUNDED = Long.MAX_VALUE / 2;

  private final LongToDoubleFunction fppAtKeys;
  private final KeyCounter counter;
  private final @Nullable Notice notice;
  private final long limit;
  private final @Nullable LongSupplier contents;
  private final AtomicBoolean noticePending = new AtomicBoolean(true);
  private final LongAdder removed = new LongAdder();
  private final LongAccumulator mostKeys = new LongAccumulator(Math::max, 0);
  private final LongAdder dropped = new LongAdder();
  private long droppedAlone;
  private volatile Start start = new Start(0, 0, 0, 0, 0);
  private volatile boolean closed;

  /**
   * Starts at zero keys, counted in one place.
   *
   * @param fppAtKeys the fpp of the filter by its distinct keys
   * @param threadSafe whether several threads may count at once
   * @param limit the maximum number of keys, or {@link #NO_LIMIT}
   */
  KeyTally(
      LongToDoubleFunction fppAtKeys, boolean threadSafe, @Nullable Notice notice, long limit) {
    this(fppAtKeys, new KeyCounter(threadSafe, null), notice, limit, null);
  }

  private KeyTally(
      LongToDoubleFunction fppAtKeys,
      KeyCounter counter,
      @Nullable Notice notice,
      long limit,
      @Nullable LongSupplier contents) {
    this.fppAtKeys = fppAtKeys;
    this.counter = counter;
    this.notice = notice;
    this.limit = limit;
    this.contents = contents;
  }

  static KeyTally of(Sizing sizing, boolean threadSafe) {
    return new KeyTally(sizing.shape()::fpp, threadSafe, null, NO_LIMIT);
  }

  /** Returns the tally of a filter that refuses more than the expected keys. */
  static KeyTally limited(Sizing sizing, boolean threadSafe) {
    return new KeyTally(sizing.shape()::fpp, threadSafe, null, sizing.expectedKeys());
  }

  /** Returns a tally at zero with the same limit, for a copy. */
  KeyTally fresh(boolean threadSafe) {
    return new KeyTally(fppAtKeys, threadSafe, null, limit);
  }

  /**
   * Returns a tally at zero for a filter with these stripes: unless each put needs the sum, the
   * filter counts in them, and calls neither {@link #add} nor {@link #reserve}.
   */
  KeyTally countedIn(Stripes stripes) {
    boolean needsSum = isLimited() || notice != null;
    KeyCounter inStripes = new KeyCounter(true, needsSum ? null : stripes);
    return new KeyTally(fppAtKeys, inStripes, notice, limit, contents);
  }

  /** Returns a tally at zero for a filter that can estimate its distinct keys from its contents. */
  KeyTally derivedFrom(LongSupplier keys) {
    return new KeyTally(fppAtKeys, counter, notice, limit, keys);
  }

  boolean isInStripes() {
    return counter.stripes != null;
  }

  FilterFullException full() {
    return full("holds " + keys());
  }

  private FilterFullException full(String held) {
    return new FilterFullException(
        "filter is full: limit is "
            + limit
            + " keys, "
            + held
            + "; build it for more expectedKeys");
  }

  boolean isLimited() {
    return limit != NO_LIMIT;
  }

  void add() {
    increment();
    notifyOnce();
  }

  /** Counts one key, whatever the limit. {@link #notifyOnce} must follow, with no stripe held. */
  void increment() {
    counter.add(1);
  }

  /**
   * Counts one key if there is room for it, and returns whether there was. {@link #notifyOnce} must
   * follow once no stripe is held.
   */
  boolean reserve() {
    long counted;
    do {
      counted = counter.sum();
      if (!hasRoom(counted)) {
        return false;
      }
    } while (!counter.addTo(counted, 1));
    return true;
  }

  private boolean hasRoom(long counted) {
    return !closed && (limit == NO_LIMIT || keys(start, counted) < limit);
  }

  /** Returns how many keys {@link #reserve} would accept; 0 where a put may have to notify. */
  long room() {
    boolean isWatched = notice != null && noticePending.get();
    return closed || isWatched ? 0 : limit == NO_LIMIT ? NO_LIMIT : Math.max(0, limit - keys());
  }

  /** Makes {@link #reserve} find no room from now on. */
  void close() {
    closed = true;
  }

  void reopen() {
    closed = false;
  }

  /** Runs the action if there are enough keys and it has not run. */
  void notifyOnce() {
    if (notice != null && keys() >= notice.keys() && noticePending.compareAndSet(true, false)) {
      notice.action().run();
    }
  }

  void drop() {
    drop(1);
  }

  private void drop(int puts) {
    if (counter.threadSafe) {
      dropped.add(puts);
    } else {
      droppedAlone += puts;
    }
  }

  /** Counts keys whose bits were set without the filter, and rejected puts. */
  void count(int keys, int rejected) {
    counter.add(keys);
    notifyOnce();
    drop(rejected);
  }

  private long dropped() {
    return counter.threadSafe ? dropped.sum() : droppedAlone;
  }

  void subtract() {
    mostKeys.accumulate(keys());
    removed.increment();
  }

  /** Returns the keys counted and those at the start, less those removed. */
  long keys() {
    return keys(start, counter.sum());
  }

  private long keys(Start from, long counted) {
    long left = removed.sum();
    return contents != null && left != 0
        ? Math.min(UNBOUNDED, contents.getAsLong())
        : Math.max(0, from.keys() + counted - from.counted() - left);
  }

  /** Continues from {@code keys}, which nobody else has counted. */
  void continueFrom(long keys) {
    long known = Math.min(keys, UNBOUNDED);
    start = new Start(known, known, counter.sum(), 0, dropped());
  }

  /**
   * Continues from the keys of a copy: from {@code before}, counted before the bits were copied, to
   * {@code after}; if these differ, what the contents say.
   */
  void continueBetween(long before, long after) {
    long estimate = before == after ? before : requireNonNull(contents).getAsLong();
    continueFrom(Math.max(Math.min(before, after), Math.min(Math.max(before, after), estimate)));
  }

  /**
   * Counts the keys that a merge is about to bring; one merge at a time, beside puts.
   *
   * @param before an estimate of the distinct keys without it
   * @param after an estimate of those with it
   * @throws FilterFullException if {@code refuses} and the limit would be passed
   */
  void merge(Estimate before, Estimate after, boolean refuses) {
    long distinct = Math.min(UNBOUNDED, after.rounded());
    long more = distinct - Math.min(UNBOUNDED, before.rounded());
    Start from = start;
    long counted;
    do {
      counted = counter.sum();
      long both = keys(from, counted) + more;
      if (refuses && both > limit) {
        throw full("both filters together hold about " + both);
      }
    } while (!counter.addTo(counted, more));
    long keys = keys(from, counted) + more;
    double drops = from.drops() + dropsSince(from, counted);
    mostKeys.reset();
    start = new Start(keys, distinct, counted + more, drops, dropped());
  }

  void clear() {
    removed.reset();
    mostKeys.reset();
    continueFrom(0);
  }

  double expectedWrongDrops() {
    Start from = start;
    return from.drops() + dropsSince(from, counter.sum());
  }

  private double dropsSince(Start from, long counted) {
    long turnedDown = dropped() - from.dropped();
    double expected = expectedSince(from, counted, 0);
    double keys = Math.max(mostKeys.get(), keys(from, counted));
    double came = keys - from.keys() + from.distinct() + expected;
    if (turnedDown == 0
        || fppAtKeys.applyAsDouble((long) Math.min(came, (double) UNBOUNDED))
            <= DropAware.UNKNOWN_FROM_FPP) {
      return expected;
    }
    if (contents == null || removed.sum() != 0) {
      return turnedDown;
    }
    long distinct = Math.min(UNBOUNDED, contents.getAsLong()) - from.distinct();
    return Math.max(0, Math.min(turnedDown, distinct - (counted - from.counted())));
  }

  /**
   * Returns the expected wrong drops where a key is new only if something of {@code otherFpp} does
   * not report it either; with removals an upper bound, from the largest fill.
   */
  double expectedWrongDrops(double otherFpp) {
    Start from = start;
    return from.drops() + expectedSince(from, counter.sum(), otherFpp);
  }

  private double expectedSince(Start from, long counted, double otherFpp) {
    long accepted = counted - from.counted();
    long most = Math.max(mostKeys.get(), keys(from, counted));
    long rising = Math.max(0, Math.min(accepted, most - from.keys()));
    double perRefill =
        accepted == rising
            ? 0
            : WrongDrops.comePerAccepted(fppAtKeys, (double) most) / (1 - otherFpp) - 1;
    return WrongDrops.expected(fppAtKeys, from.distinct(), rising, otherFpp)
        + (accepted - rising) * perRefill;
  }

  record Notice(long keys, Runnable action) {}

  /** The state where counting began: distinct keys include those wrongly dropped. */
  private record Start(long keys, long distinct, long counted, double drops, long dropped) {}

  private static final class KeyCounter {

    private final boolean threadSafe;
    private final @Nullable Stripes stripes;
    private final AtomicLong shared = new AtomicLong();
    private long alone;

    private KeyCounter(boolean threadSafe, @Nullable Stripes stripes) {
      this.threadSafe = threadSafe;
      this.stripes = stripes;
    }

    private void add(long keys) {
      if (stripes != null) {
        stripes.lock(0);
        stripes.unlock(0, keys);
      } else if (threadSafe) {
        shared.addAndGet(keys);
      } else {
        alone += keys;
      }
    }

    /** Adds to the sum if it is still {@code counted}; in stripes, whatever it is. */
    private boolean addTo(long counted, long keys) {
      if (threadSafe && stripes == null) {
        return shared.compareAndSet(counted, counted + keys);
      }
      add(keys);
      return true;
    }

    private long sum() {
      if (!threadSafe) {
        return alone;
      }
      return stripes != null ? stripes.counted() : shared.get();
    }
  }
}
