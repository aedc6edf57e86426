package dev.tamis.filter;

import dev.tamis.sizing.Shape;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts the keys a filter took as new, and tells a listener once when there are enough. */
final class KeyTally {

  /** What a count that knows no bound stands at, with room to go on. */
  private static final long UNBOUNDED = Long.MAX_VALUE / 2;

  private final Shape shape;
  private final @Nullable LongAdder shared;
  private final @Nullable Notice notice;
  private final AtomicBoolean noticePending = new AtomicBoolean(true);
  private long counted;
  private volatile long base;
  private volatile double earlierDrops;

  /** Starts at zero keys. {@code concurrent} tells whether several threads may count at once. */
  KeyTally(Shape shape, boolean concurrent, @Nullable Notice notice) {
    this.shape = shape;
    this.shared = concurrent ? new LongAdder() : null;
    this.notice = notice;
  }

  /** Counts one key. */
  void add() {
    if (shared != null) {
      shared.increment();
    } else {
      counted++;
    }
    if (notice != null && keys() >= notice.keys() && noticePending.compareAndSet(true, false)) {
      notice.action().run();
    }
  }

  /** Returns the keys counted and those the tally began with. */
  long keys() {
    return base + (shared != null ? shared.sum() : counted);
  }

  /** Goes on from so many keys, which came by another way than {@link #add}. */
  void continueFrom(long keys) {
    earlierDrops = expectedWrongDrops(0);
    zeroCount();
    base = Math.min(keys, UNBOUNDED);
  }

  /** Starts over from zero. */
  void clear() {
    zeroCount();
    earlierDrops = 0;
    base = 0;
  }

  double expectedWrongDrops(double otherFpp) {
    return earlierDrops + shape.expectedWrongDrops(base, Math.max(0, keys() - base), otherFpp);
  }

  private void zeroCount() {
    counted = 0;
    if (shared != null) {
      shared.reset();
    }
  }

  /** What to run once when the keys reach a number. */
  record Notice(long keys, Runnable action) {}
}
