package dev.tamis.filter;

import dev.tamis.FilterFullException;
import dev.tamis.sizing.Sizing;
import dev.tamis.sizing.WrongDrops;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Counts the keys a filter took as new and those that left, and tells a listener once when there
 * are enough.
 */
final class KeyTally {

  /** The limit of a filter that takes whatever comes. */
  static final long NO_LIMIT = Long.MAX_VALUE;

  /** What a count that knows no bound stands at, with room to go on. */
  private static final long UNBOUNDED = Long.MAX_VALUE / 2;

  private final LongToDoubleFunction fppAtKeys;
  private final @Nullable LongAdder shared;
  private final @Nullable Notice notice;
  private final long limit;
  private final AtomicBoolean noticePending = new AtomicBoolean(true);
  private final LongAdder removed = new LongAdder();
  private final LongAccumulator mostKeys = new LongAccumulator(Math::max, 0);
  private long counted;
  private volatile long base;
  private volatile double earlierDrops;

  /**
   * Starts at zero keys.
   *
   * @param fppAtKeys the fpp the filter has with so many distinct keys in
   * @param concurrent whether several threads may count at once
   * @param limit the most keys there may be, or {@link #NO_LIMIT}
   */
  KeyTally(
      LongToDoubleFunction fppAtKeys, boolean concurrent, @Nullable Notice notice, long limit) {
    this.fppAtKeys = fppAtKeys;
    this.shared = concurrent ? new LongAdder() : null;
    this.notice = notice;
    this.limit = limit;
  }

  /** Returns a tally without notice or limit. */
  static KeyTally of(Sizing sizing, boolean concurrent) {
    return new KeyTally(sizing.shape()::fpp, concurrent, null, NO_LIMIT);
  }

  /** Returns a tally at zero with the same limit, for a copy. */
  KeyTally fresh(boolean concurrent) {
    return new KeyTally(fppAtKeys, concurrent, null, limit);
  }

  /** Returns whether one more key may come in. */
  boolean hasRoom() {
    return limit == NO_LIMIT || keys() < limit;
  }

  /** Returns what to throw when there is no room. */
  FilterFullException full() {
    return new FilterFullException(
        "the filter was told to take no more than "
            + limit
            + " keys and holds "
            + keys()
            + "; build it for more expectedKeys");
  }

  /** Returns whether there is a limit, and {@link #hasRoom} must be asked before each put. */
  boolean isLimited() {
    return limit != NO_LIMIT;
  }

  /** Counts one key. */
  void add() {
    add(1);
  }

  /** Counts several keys. */
  void add(int keys) {
    if (shared != null) {
      shared.add(keys);
    } else {
      counted += keys;
    }
    if (notice != null && keys() >= notice.keys() && noticePending.compareAndSet(true, false)) {
      notice.action().run();
    }
  }

  /** Counts one key that left. */
  void subtract() {
    mostKeys.accumulate(keys());
    removed.increment();
  }

  /** Returns the keys counted and those the tally began with, without those that left. */
  long keys() {
    return Math.max(0, base + accepted() - removed.sum());
  }

  /** Goes on from so many keys, which came by another way than {@link #add}. */
  void continueFrom(long keys) {
    earlierDrops = expectedWrongDrops(0);
    zeroCounts();
    base = Math.min(keys, UNBOUNDED);
  }

  /** Starts over from zero. */
  void clear() {
    zeroCounts();
    earlierDrops = 0;
    base = 0;
  }

  /**
   * Returns the wrong drops to be expected; at most so many where keys have left, because what came
   * in their place counts as if the filter had been as full as ever then.
   */
  double expectedWrongDrops(double otherFpp) {
    long accepted = accepted();
    long most = Math.max(mostKeys.get(), keys());
    long rising = Math.max(0, Math.min(accepted, most - base));
    double perRefill =
        accepted == rising
            ? 0
            : WrongDrops.comePerAccepted(fppAtKeys, (double) most) / (1 - otherFpp) - 1;
    return earlierDrops
        + WrongDrops.expected(fppAtKeys, base, rising, otherFpp)
        + (accepted - rising) * perRefill;
  }

  private long accepted() {
    return shared != null ? shared.sum() : counted;
  }

  private void zeroCounts() {
    counted = 0;
    removed.reset();
    mostKeys.reset();
    if (shared != null) {
      shared.reset();
    }
  }

  /** What to run once when the keys reach a number. */
  record Notice(long keys, Runnable action) {}
}
