package dev.tamis.filter;

import static java.util.Objects.requireNonNull;

import dev.tamis.DropAware;
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
 * Counts the keys a filter took as new and those that left, and tells a listener once when there
 * are enough.
 */
final class KeyTally {

  /*
   * Accepted keys are counted in one of three places: a plain field for a single thread; the stripes
   * of the filter, where a put holds one anyway and counting costs no atomic operation, but the sum
   * takes a pass over all of them; or one atomic counter, where each put has to know the sum, because
   * there is a limit or a notice.
   *
   * Where keys leave, what came less what left would drift: a key that came as a false positive is
   * not counted, but may be when it leaves. So a filter that can tell its keys from its contents is
   * asked as soon as one has left.
   *
   * What the filter was too full to take follows from what it took, as long as there is room: where
   * nine in ten keys are dropped, no number of those taken tells how many those were. From there on
   * every put that was turned down counts as a wrong drop.
   */

  /** The limit of a filter that takes whatever comes. */
  static final long NO_LIMIT = Long.MAX_VALUE;

  /** What a count that knows no bound stands at, with room to go on. */
  private static final long UNBOUNDED = Long.MAX_VALUE / 2;

  private final LongToDoubleFunction fppAtKeys;
  private final boolean threadSafe;
  private final @Nullable Notice notice;
  private final long limit;
  private final @Nullable Stripes stripes;
  private final @Nullable LongSupplier present;
  private final AtomicBoolean noticePending = new AtomicBoolean(true);
  private final AtomicLong exact = new AtomicLong();
  private final LongAdder removed = new LongAdder();
  private final LongAccumulator mostKeys = new LongAccumulator(Math::max, 0);
  private final LongAdder dropped = new LongAdder();
  private long alone;
  private long droppedAlone;
  private volatile Start start = new Start(0, 0, 0, 0);
  private volatile boolean closed;

  /**
   * Starts at zero keys, counted in one place.
   *
   * @param fppAtKeys the fpp the filter has with so many distinct keys in
   * @param threadSafe whether several threads may count at once
   * @param limit the most keys there may be, or {@link #NO_LIMIT}
   */
  KeyTally(
      LongToDoubleFunction fppAtKeys, boolean threadSafe, @Nullable Notice notice, long limit) {
    this(fppAtKeys, threadSafe, notice, limit, null, null);
  }

  private KeyTally(
      LongToDoubleFunction fppAtKeys,
      boolean threadSafe,
      @Nullable Notice notice,
      long limit,
      @Nullable Stripes stripes,
      @Nullable LongSupplier present) {
    this.fppAtKeys = fppAtKeys;
    this.threadSafe = threadSafe;
    this.notice = notice;
    this.limit = limit;
    this.stripes = stripes;
    this.present = present;
  }

  /** Returns a tally without notice or limit. */
  static KeyTally of(Sizing sizing, boolean threadSafe) {
    return new KeyTally(sizing.shape()::fpp, threadSafe, null, NO_LIMIT);
  }

  /** Returns the tally of a filter that takes the expected keys and no more. */
  static KeyTally limited(Sizing sizing, boolean threadSafe) {
    return new KeyTally(sizing.shape()::fpp, threadSafe, null, sizing.expectedKeys());
  }

  /** Returns a tally at zero with the same limit, for a copy. */
  KeyTally fresh(boolean threadSafe) {
    return new KeyTally(fppAtKeys, threadSafe, null, limit);
  }

  /**
   * Returns a tally at zero with the same settings for a filter with these stripes: unless each put
   * has to know the sum, the filter counts in them, by {@link Stripes#count}, and calls neither
   * {@link #add} nor {@link #reserve}.
   */
  KeyTally countedIn(Stripes stripes) {
    boolean needsSum = isLimited() || notice != null;
    return new KeyTally(fppAtKeys, true, notice, limit, needsSum ? null : stripes, null);
  }

  /**
   * Returns a tally at zero with the same settings for a filter that can tell from its contents how
   * many keys it holds.
   */
  KeyTally derivedFrom(LongSupplier keys) {
    return new KeyTally(fppAtKeys, threadSafe, notice, limit, null, keys);
  }

  /** Returns whether the filter counts in its stripes. */
  boolean isInStripes() {
    return stripes != null;
  }

  /** Returns what to throw when there is no room. */
  FilterFullException full() {
    return new FilterFullException(
        "filter is full: limit is "
            + limit
            + " keys, holds "
            + keys()
            + "; build it for more expectedKeys");
  }

  /**
   * Checks that the filter may hold so many keys.
   *
   * @throws FilterFullException if that is more than the limit
   */
  void requireRoomFor(long keys) {
    if (keys > limit) {
      throw new FilterFullException(
          "filter is full: limit is "
              + limit
              + " keys, both filters together hold about "
              + keys
              + "; build it for more expectedKeys");
    }
  }

  /** Returns whether there is a limit. */
  boolean isLimited() {
    return limit != NO_LIMIT;
  }

  /** Counts one key. */
  void add() {
    add(1);
  }

  /** Counts several keys. */
  void add(int keys) {
    if (threadSafe) {
      exact.addAndGet(keys);
    } else {
      alone += keys;
    }
    notifyOnce();
  }

  /**
   * Counts one key if there is room for it, and returns whether there was. Tells no listener, which
   * {@link #notifyOnce} does once no stripe is held.
   */
  boolean reserve() {
    if (!threadSafe) {
      boolean hasRoom = hasRoom(alone);
      alone += hasRoom ? 1 : 0;
      return hasRoom;
    }
    long counted;
    do {
      counted = exact.get();
      if (!hasRoom(counted)) {
        return false;
      }
    } while (!exact.compareAndSet(counted, counted + 1));
    return true;
  }

  private boolean hasRoom(long counted) {
    return !closed && (limit == NO_LIMIT || keys(start, counted) < limit);
  }

  /**
   * Returns how many keys {@link #reserve} would find room for, if nobody else counts; none where
   * each put may have to run a listener's action.
   */
  long room() {
    boolean isWatched = notice != null && noticePending.get();
    return closed || isWatched ? 0 : limit == NO_LIMIT ? NO_LIMIT : Math.max(0, limit - keys());
  }

  /** Makes {@link #reserve} find no room from now on. */
  void close() {
    closed = true;
  }

  /** Takes {@link #close} back. */
  void reopen() {
    closed = false;
  }

  /** Runs the listener's action if there are enough keys and it has not run. */
  void notifyOnce() {
    if (notice != null && keys() >= notice.keys() && noticePending.compareAndSet(true, false)) {
      notice.action().run();
    }
  }

  /** Counts one put that was turned down, rightly or wrongly. */
  void drop() {
    drop(1);
  }

  private void drop(int puts) {
    if (threadSafe) {
      dropped.add(puts);
    } else {
      droppedAlone += puts;
    }
  }

  /** Counts keys whose bits were set by others than the filter, and puts that were turned down. */
  void count(int keys, int turnedDown) {
    if (stripes != null) {
      stripes.lock(0);
      stripes.unlock(0, keys);
    } else {
      add(keys);
    }
    drop(turnedDown);
  }

  private long dropped() {
    return threadSafe ? dropped.sum() : droppedAlone;
  }

  /** Counts one key that left. */
  void subtract() {
    mostKeys.accumulate(keys());
    removed.increment();
  }

  /** Returns the keys counted and those the tally began with, without those that left. */
  long keys() {
    return keys(start, counted());
  }

  private long keys(Start from, long counted) {
    long left = removed.sum();
    return present != null && left != 0
        ? Math.min(UNBOUNDED, present.getAsLong())
        : Math.max(0, from.keys() + counted - from.counted() - left);
  }

  /**
   * Goes on from so many keys, which came by another way than being counted. What others count
   * meanwhile belongs to either side.
   */
  void continueFrom(long keys) {
    double drops = expectedWrongDrops();
    restart(Math.min(keys, UNBOUNDED), drops);
  }

  /** Starts over from zero. */
  void clear() {
    restart(0, 0);
  }

  private void restart(long keys, double drops) {
    removed.reset();
    mostKeys.reset();
    start = new Start(keys, counted(), drops, dropped());
  }

  /**
   * Returns the wrong drops to be expected; where the filter is too full to tell, all puts that
   * were turned down, unless its user puts new keys alone.
   */
  double expectedWrongDrops() {
    Start from = start;
    long turnedDown = dropped() - from.dropped();
    double expected = expectedWrongDrops(0) - from.drops();
    double came = Math.max(mostKeys.get(), keys()) + expected;
    boolean unknown =
        fppAtKeys.applyAsDouble((long) Math.min(came, (double) UNBOUNDED))
            > DropAware.UNKNOWN_FROM_FPP;
    return from.drops() + (unknown && turnedDown > 0 ? turnedDown : expected);
  }

  /**
   * Returns the wrong drops to be expected; at most so many where keys have left, because what came
   * in their place counts as if the filter had been as full as ever then.
   */
  double expectedWrongDrops(double otherFpp) {
    Start from = start;
    long counted = counted();
    long accepted = counted - from.counted();
    long most = Math.max(mostKeys.get(), keys(from, counted));
    long rising = Math.max(0, Math.min(accepted, most - from.keys()));
    double perRefill =
        accepted == rising
            ? 0
            : WrongDrops.comePerAccepted(fppAtKeys, (double) most) / (1 - otherFpp) - 1;
    return from.drops()
        + WrongDrops.expected(fppAtKeys, from.keys(), rising, otherFpp)
        + (accepted - rising) * perRefill;
  }

  private long counted() {
    if (!threadSafe) {
      return alone;
    }
    return isInStripes() ? requireNonNull(stripes).counted() : exact.get();
  }

  /** What to run once when the keys reach a number. */
  record Notice(long keys, Runnable action) {}

  /**
   * Where counting began.
   *
   * @param keys the keys there were
   * @param counted what the counter stood at, which is never set back
   * @param drops the wrong drops that were to be expected before
   * @param dropped the puts that had been turned down
   */
  private record Start(long keys, long counted, double drops, long dropped) {}
}
