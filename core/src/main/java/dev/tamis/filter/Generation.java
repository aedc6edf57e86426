package dev.tamis.filter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A generation of a windowed filter: the slice it began with, and how far it has come. */
final class Generation {

  /*
   * In a window of puts a generation ends after an exact number, by any number of threads. A put
   * reserves its place before it sets bits and counts as done afterwards; the generation has ended
   * when the last place is done. If it ended at the last reservation, lookups would skip the old bits
   * of a key while the put that refreshes it has not set the new ones.
   *
   * To spare these two counters, for most of a generation puts are counted by stripe, and become done
   * in batches of b. A put needs no place then; but when it begins, with its stripe held, fewer than
   * limit − s·b puts must be done, s being the number of stripes. A put that finds more takes all
   * stripes, adds up and makes the count exact.
   *
   * That never lets too many in: of c puts with one stripe, the last began after the others had been
   * counted, so at least c − b of them were done, while fewer than limit − s·b were in all. The sum
   * of c − b over the stripes is less than limit − s·b, so the sum of c is less than the limit.
   */

  private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

  // apart from each other and from what lookups read, so that they need not fetch it again
  private static final int DONE = 16;
  private static final int RESERVED = 32;
  private static final int COUNTS = 48;

  private final int youngest;
  private final long start;
  private final RotationPolicy policy;
  private final Batches batches;
  private final long[] counts = new long[COUNTS];
  private final long earlierPuts;
  private boolean exact;
  private long stretchEnd;
  private volatile boolean ended;
  private volatile int dirty;

  /**
   * Begins a generation.
   *
   * @param state the progress, see {@link RotationPolicy}
   * @param countedPuts the puts that all stripes have counted so far
   */
  Generation(int youngest, long state, RotationPolicy policy, Batches batches, long countedPuts) {
    long puts = policy.puts(state);
    this.youngest = youngest;
    this.start = state - puts;
    this.policy = policy;
    this.batches = batches;
    this.earlierPuts = countedPuts - puts;
    this.stretchEnd = puts + batches.stretch();
    setDone(puts);
    if (policy.nanos() == 0 && (batches.puts() == 1 || puts >= threshold())) {
      makeExact(countedPuts);
    }
  }

  int youngest() {
    return youngest;
  }

  /** Returns when it began, in a window of time. */
  long start() {
    return start;
  }

  /** Returns whether all of its puts are done; never in a window of time. */
  boolean hasEnded() {
    return ended;
  }

  /** Returns how many of the youngest slices may have bits of the generations they had before. */
  int dirtySlices() {
    return dirty;
  }

  void setDirtySlices(int slices) {
    dirty = slices;
  }

  /** Returns whether a put may proceed; the caller holds its stripe. */
  boolean tryReserve() {
    if (!exact) {
      return (long) CELLS.getAcquire(counts, DONE) < threshold();
    }
    long reserved;
    do {
      reserved = (long) CELLS.getOpaque(counts, RESERVED);
      if (reserved >= policy.limit()) {
        return false;
      }
    } while (!replaceReserved(reserved));
    return true;
  }

  private boolean replaceReserved(long reserved) {
    if (batches.isShared()) {
      return CELLS.weakCompareAndSet(counts, RESERVED, reserved, reserved + 1);
    }
    counts[RESERVED] = reserved + 1;
    return true;
  }

  /**
   * Counts a put as done.
   *
   * @param putsOfStripe the puts with this stripe so far, this one included
   * @return whether the stretch of {@link DropTally} is over
   */
  boolean finish(long putsOfStripe) {
    long puts = exact ? 1 : batches.puts();
    if ((putsOfStripe & (puts - 1)) != 0) {
      return false;
    }
    long done;
    if (batches.isShared()) {
      done = (long) CELLS.getAndAdd(counts, DONE, puts) + puts;
    } else {
      done = counts[DONE] += puts;
    }
    if (done == policy.limit()) {
      ended = true;
    }
    return done >= stretchEnd;
  }

  private long threshold() {
    return policy.limit() - batches.mostUncounted();
  }

  /** Counts every put immediately from now on; the caller holds all stripes. */
  void makeExact(long countedPuts) {
    long puts = countedPuts - earlierPuts;
    counts[RESERVED] = puts;
    setDone(puts);
    exact = true;
  }

  private void setDone(long puts) {
    CELLS.setRelease(counts, DONE, puts);
    ended = puts >= policy.limit();
  }

  /** Returns whether the stretch is over; the caller holds all stripes. */
  boolean isStretchOver() {
    return counts[DONE] >= stretchEnd;
  }

  /** Begins another stretch; the caller holds all stripes. */
  void beginStretch() {
    stretchEnd = counts[DONE] + batches.stretch();
  }

  /** Returns the progress, see {@link RotationPolicy}; the caller holds all stripes. */
  long state(long countedPuts) {
    return start + policy.puts(countedPuts - earlierPuts);
  }

  /**
   * How puts are counted.
   *
   * @param stripes how many stripes count, 0 for a single thread
   * @param puts b, the puts of a stripe that are counted together; a power of two
   * @param stretch the puts of a stretch of {@link DropTally}
   */
  record Batches(int stripes, long puts, long stretch) {

    private static final long MAX_PUTS = 64;

    /** At most one in 16 puts of a generation is counted by itself. */
    private static final long EXACT_PART = 16;

    static Batches of(int stripes, long generationKeys, long stretch) {
      long puts = generationKeys / EXACT_PART / Math.max(1, stripes);
      long batch = Long.highestOneBit(Math.max(1, Math.min(MAX_PUTS, puts)));
      return new Batches(stripes, stripes == 0 ? 1 : batch, stretch);
    }

    boolean isShared() {
      return stripes > 0;
    }

    long mostUncounted() {
      return stripes * puts;
    }
  }
}
