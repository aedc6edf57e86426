package dev.tamis.internal.counters;

import dev.tamis.internal.bits.Placement;
import dev.tamis.internal.bits.ScatteredPlacement;
import dev.tamis.internal.bits.Stripes;
import org.jspecify.annotations.Nullable;

/** The counters of a key: one at each place where a {@link Placement} has a bit. */
public final class CountedPlaces {

  /*
   * A put counts at every probe, also where two probes of a key meet; a removal undoes just that.
   *
   * Threads. A thread that changes counters of a key holds all stripes that these counters belong to,
   * from before it looks at the first until after it changed the last, and takes them in ascending
   * order. That is two-phase locking: puts and removals have the effect they would have one after
   * the other, each at one moment between its call and its return, and removals of other keys
   * change nothing about who is first. A put returns true if it found a counter at zero. So of all
   * puts of a key exactly one does, as long as the key is not removed, unless all its counters were
   * above zero already when that one took effect.
   *
   * Lookups hold nothing. A counter is never lower than the number of puts of keys that are in, at
   * no time, because it changes in one step. So a lookup never misses a key that is in.
   *
   * Which counter belongs to which stripe must not let two stripes write one word. Where the
   * counters of a line fill whole words, the stripes are those of the lines of a key: one or two.
   * Elsewhere (the places of a key are scattered, or the bits of a counter are no power of two, so
   * that lines begin within words) runs of words have a stripe each, of 64 at most, so that the
   * stripes of a key fit in a mask.
   */

  /** The log2 of the adjacent words that share a stripe where lines have none. */
  private static final int RUN_SHIFT = 6;

  private final Placement placement;
  private final Counters counters;
  private final @Nullable Stripes stripes;
  private final boolean byLine;

  /** Counters above zero that are not counted in the stripes. */
  private long nonZeros;

  public CountedPlaces(Placement placement, Counters counters, boolean threadSafe) {
    this.placement = placement;
    this.counters = counters;
    this.stripes = threadSafe ? Stripes.forWords(counters.words().count()) : null;
    this.byLine =
        !(placement instanceof ScatteredPlacement)
            && Placement.BITS_PER_LINE % counters.perWord() == 0;
  }

  /** Takes the stripes of a key, if there are any, and returns them for {@link #unlock}. */
  public long lock(long hash) {
    if (stripes == null) {
      return 0;
    }
    return byLine ? placement.lock(stripes, hash) : lockEach(stripes, hash);
  }

  private long lockEach(Stripes all, long hash) {
    long mask = 0;
    for (int probe = 0; probe < placement.probes(); probe++) {
      mask |= 1L << stripeOfWord(all, counters.wordOf(placement.position(hash, probe)));
    }
    for (long rest = mask; rest != 0; rest &= rest - 1) {
      all.lock(Long.numberOfTrailingZeros(rest));
    }
    return mask;
  }

  private static int stripeOfWord(Stripes all, long word) {
    return all.of((word >>> RUN_SHIFT) & (Long.SIZE - 1));
  }

  public void unlock(long locked) {
    if (stripes == null) {
      return;
    }
    if (byLine) {
      placement.unlock(stripes, locked);
      return;
    }
    for (long rest = locked; rest != 0; rest &= rest - 1) {
      stripes.unlock(Long.numberOfTrailingZeros(rest));
    }
  }

  public void lockAll() {
    if (stripes != null) {
      stripes.lockAll();
    }
  }

  public void unlockAll() {
    if (stripes != null) {
      stripes.unlockAll();
    }
  }

  /** Returns whether several threads may change counters. */
  public boolean isThreadSafe() {
    return stripes != null;
  }

  /**
   * Adds all counters of {@code others}, one stripe at a time, while other threads put and remove.
   */
  public void addAll(Counters others) {
    long step = byLine ? Placement.BITS_PER_LINE : (long) counters.perWord() << RUN_SHIFT;
    for (long from = 0; from < counters.length(); from += step) {
      int stripe = 0;
      if (stripes != null) {
        stripe = byLine ? stripes.of(from / step) : stripeOfWord(stripes, counters.wordOf(from));
        stripes.lock(stripe);
      }
      try {
        count(stripe, counters.addAll(others, from, Math.min(counters.length(), from + step)));
      } finally {
        if (stripes != null) {
          stripes.unlock(stripe);
        }
      }
    }
  }

  /** Returns the number of counters above zero. Takes a microsecond at most. */
  public long nonZeros() {
    return nonZeros + (stripes == null ? 0 : stripes.counted());
  }

  /** Sets the number of counters above zero; the caller is alone, or holds all stripes. */
  public void setNonZeros(long known) {
    if (stripes != null) {
      stripes.resetCounters();
    }
    nonZeros = known;
  }

  /** Counts counters that became positive; the caller holds the stripe. */
  private void count(int stripe, long filled) {
    if (stripes == null) {
      nonZeros += filled;
    } else {
      stripes.count(stripe, filled);
    }
  }

  private int heldStripe(long locked) {
    return byLine ? (int) locked : Long.numberOfTrailingZeros(locked);
  }

  /** Counts a put of a key whose stripes the caller holds; returns whether a counter was zero. */
  public boolean put(long hash, long locked) {
    int filled = 0;
    for (int probe = 0; probe < placement.probes(); probe++) {
      filled += counters.add(placement.position(hash, probe), 1) == 0 ? 1 : 0;
    }
    if (filled != 0) {
      count(heldStripe(locked), filled);
    }
    return filled != 0;
  }

  /**
   * Undoes a put of a key whose stripes the caller holds; returns whether a counter is zero now.
   */
  public boolean remove(long hash, long locked) {
    int emptied = 0;
    for (int probe = 0; probe < placement.probes(); probe++) {
      emptied += counters.decrement(placement.position(hash, probe)) == 1 ? 1 : 0;
    }
    if (emptied != 0) {
      count(heldStripe(locked), -emptied);
    }
    return emptied != 0;
  }

  public boolean mightContain(long hash) {
    for (int probe = 0; probe < placement.probes(); probe++) {
      if (counters.get(placement.position(hash, probe)) == 0) {
        return false;
      }
    }
    return true;
  }

  public long least(long hash) {
    long least = counters.maxCount();
    for (int probe = 0; probe < placement.probes() && least > 0; probe++) {
      least = Math.min(least, counters.get(placement.position(hash, probe)));
    }
    return least;
  }

  /** Returns a value that depends on a key's counters. */
  private long prefetch(long hash) {
    long read = 0;
    for (int probe = 0; probe < placement.probes(); probe++) {
      read |= counters.prefetch(placement.position(hash, probe));
    }
    return read;
  }

  /** Prefetches the counters of several keys; writes {@code scratch} so that the reads remain. */
  public void prefetch(long[] hashes, int from, int to, boolean[] scratch) {
    for (int i = from; i < to; i++) {
      scratch[i] = prefetch(hashes[i]) != 0;
    }
  }

  /** Returns the fpp. Costs one pass, and a bit per counter meanwhile. */
  public double fpp() {
    return placement.fpp(counters.nonZeros());
  }
}
