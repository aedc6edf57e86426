package dev.tamis.internal.bits;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/** Spin locks that divide the words of a filter among its writers, each with a counter. */
public final class Stripes {

  /*
   * A stripe is held for a few dozen nanoseconds, by code that neither blocks nor waits for a second
   * stripe of lower index, so a waiter spins briefly. If that does not help, the holder is likely to
   * have lost its core to another thread: then it yields, and after many rounds sleeps, because a
   * scheduler with priorities may not let the holder go on for a yield. There is no queue and no
   * fairness.
   *
   * Each stripe has a cache line of its own, because two threads that take neighbouring stripes
   * would otherwise contend for the line. The counter shares the line with its lock: whoever
   * holds the lock has the line already, so counting costs no atomic operation.
   */

  /** The most stripes; with so many, eight threads meet in one put of three hundred. */
  public static final int MAX_STRIPES = 1024;

  private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

  private static final int CELLS_PER_STRIPE = 8;
  private static final int SHIFT = Integer.numberOfTrailingZeros(CELLS_PER_STRIPE);
  private static final int COUNTER = 1;
  private static final long FREE = 0;
  private static final long HELD = 1;
  private static final int SPINS = 64;
  private static final int YIELDS = 1024;
  private static final long SLEEP_NANOS = 50_000;

  private final int mask;
  private final long[] cells;

  private Stripes(int count) {
    this.mask = count - 1;
    this.cells = new long[count << SHIFT];
  }

  /**
   * Returns a stripe for each 64 words, at most an eighth of their memory, up to {@link
   * #MAX_STRIPES}.
   */
  public static Stripes forWords(long words) {
    long wanted = Math.max(1, Math.min(MAX_STRIPES, words / Long.SIZE));
    return new Stripes((int) Long.highestOneBit(wanted));
  }

  public int count() {
    return mask + 1;
  }

  /** Returns the stripe of a line's index, or of any other number: its low bits. */
  public int of(long index) {
    return (int) index & mask;
  }

  /** Waits for a stripe and takes it; the writes of its former holders are visible. */
  public void lock(int stripe) {
    if (!CELLS.compareAndSet(cells, stripe << SHIFT, FREE, HELD)) {
      await(stripe);
    }
    VarHandle.releaseFence(); // who sees a word that the holder writes sees what it did before
  }

  @SuppressWarnings("ThreadPriorityCheck") // nothing depends on what a yield does
  private void await(int stripe) {
    int cell = stripe << SHIFT;
    int rounds = 0;
    do {
      while ((long) CELLS.getOpaque(cells, cell) != FREE) {
        rounds++;
        if (rounds <= SPINS) {
          Thread.onSpinWait();
        } else if (rounds <= SPINS + YIELDS) {
          Thread.yield();
        } else {
          LockSupport.parkNanos(SLEEP_NANOS);
        }
      }
    } while (!CELLS.compareAndSet(cells, cell, FREE, HELD));
  }

  public void unlock(int stripe) {
    CELLS.setRelease(cells, stripe << SHIFT, FREE);
  }

  /** Takes two stripes, maybe the same; returns both, the lower in the low half. */
  public long lockBoth(int one, int other) {
    int low = Math.min(one, other);
    int high = Math.max(one, other);
    lock(low);
    if (high != low) {
      lock(high);
    }
    return (long) high << Integer.SIZE | low;
  }

  /** Releases the stripes that {@link #lockBoth} took. */
  public void unlockBoth(long both) {
    int low = (int) both;
    int high = (int) (both >>> Integer.SIZE);
    if (high != low) {
      unlock(high);
    }
    unlock(low);
  }

  /** Adds to the counter of a stripe that the caller holds, and releases the stripe. */
  public void unlock(int stripe, long amount) {
    count(stripe, amount);
    unlock(stripe);
  }

  /** Takes all stripes, in the ascending order that every holder of several must follow. */
  public void lockAll() {
    for (int stripe = 0; stripe <= mask; stripe++) {
      lock(stripe);
    }
  }

  public void unlockAll() {
    for (int stripe = 0; stripe <= mask; stripe++) {
      unlock(stripe);
    }
  }

  /** Adds to the counter of a stripe that the caller holds. */
  public void count(int stripe, long amount) {
    int cell = (stripe << SHIFT) + COUNTER;
    CELLS.setOpaque(cells, cell, cells[cell] + amount);
  }

  /** Returns the sum of all counters: at least what was counted before the call. */
  public long counted() {
    long sum = 0;
    for (int stripe = 0; stripe <= mask; stripe++) {
      sum += (long) CELLS.getOpaque(cells, (stripe << SHIFT) + COUNTER);
    }
    return sum;
  }

  /** Sets all counters to zero; the caller holds all stripes. */
  public void resetCounters() {
    for (int stripe = 0; stripe <= mask; stripe++) {
      CELLS.setOpaque(cells, (stripe << SHIFT) + COUNTER, 0L);
    }
  }
}
