package dev.tamis.filter;

import dev.tamis.Confidence;
import dev.tamis.sizing.WindowSizing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How far a generation of a {@link WindowedBloomFilter} has come: its puts, its keys, and the fpp.
 *
 * <p>The caller of {@link #mayPut} and {@link #count} holds a stripe, any other all of them, except
 * where stated.
 */
final class WindowProgress {

  /*
   * A generation of puts ends after an exact number, by any number of threads, and the count costs
   * no atomic operation for most: a stretch has a budget, from which a stripe takes a batch for its
   * next puts. The put that takes the last of its batch when the budget is empty takes all stripes,
   * returns their unused batches to the budget, and ends the stretch if that is still empty. Batches
   * shrink with the budget, so few are unused then.
   *
   * Four stretches are a generation. At the end of each the fpp is computed for DropTally, in a
   * window of time too, where they end nothing else.
   */

  private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

  /** The stretches of {@link DropTally} in a generation of its planned size. */
  private static final int STRETCHES = 4;

  private static final int MAX_BATCH = 64;

  /** The chance above which too few keys are counted to tell how many there are. */
  private static final double MOST_FOUND = 0.999;

  /** The start of a count without bound, with room to increase. */
  private static final long UNBOUNDED = Long.MAX_VALUE / 2;

  private static final int LANES = WindowSizing.LIVE_GENERATIONS;

  /** The log2 of the cells of a stripe, a cache line of its own, of which three are used. */
  private static final int SHIFT = 3;

  /** The puts that a stripe may do without asking. */
  private static final int CREDIT = 0;

  /** The puts that returned true. */
  private static final int ACCEPTED = 1;

  /** The keys that were new to the present generation. */
  private static final int KEYS = 2;

  private final WindowSizing sizing;
  private final boolean endsByPuts;
  private final long[] cells;
  private final AtomicLong budget = new AtomicLong();
  private final DropTally tally = new DropTally();

  /** The chance that a random key is found in each lane. */
  private final double[] found = new double[LANES];

  private int lane;
  private long stretch;
  private long putsBeforeStretch;
  private long putsBeforeGeneration;
  private double keysBefore;
  private double foundBefore;
  private volatile long acceptedBefore;

  /**
   * Begins with a generation that has had {@code puts}, and with the keys of {@code ones}.
   *
   * @param stripes how many stripes count; 1 in a filter for a single thread
   * @param ones the set bits of each generation, by age
   */
  WindowProgress(
      WindowSizing sizing, boolean endsByPuts, int stripes, int lane, long puts, long[] ones) {
    this.sizing = sizing;
    this.endsByPuts = endsByPuts;
    this.cells = new long[stripes << SHIFT];
    this.lane = lane;
    this.putsBeforeStretch = puts;
    double all = 0;
    for (int age = LANES - 1; age >= 0; age--) {
      keysBefore = sizing.generationKeys(ones[age], Confidence.DEFAULT).value();
      found[(lane - age) & (LANES - 1)] = sizing.generationFpp(keysBefore);
      all += keysBefore;
    }
    beginStretch();
    restart(Math.min(UNBOUNDED, Math.round(all)));
  }

  /** Returns whether a stripe has a put left in its batch, or another batch. */
  boolean mayPut(int stripe) {
    int cell = stripe << SHIFT;
    if (cells[cell + CREDIT] > 0) {
      return true;
    }
    long left;
    long batch;
    do {
      left = budget.get();
      if (left == 0) {
        return false;
      }
      // with a single stripe none can be unused
      batch = stripes() == 1 ? left : Math.max(1, Math.min(MAX_BATCH, left / (4L * stripes())));
    } while (!budget.compareAndSet(left, left - batch));
    cells[cell + CREDIT] = batch;
    return true;
  }

  /**
   * Counts a put, and returns whether {@link #endStretch} may be due.
   *
   * @param lanes those in which the key was before, a bit for each
   */
  boolean count(int stripe, int lanes) {
    int cell = stripe << SHIFT;
    if (lanes == 0) {
      CELLS.setOpaque(cells, cell + ACCEPTED, cells[cell + ACCEPTED] + 1);
    }
    cells[cell + KEYS] += ~lanes >>> lane & 1;
    return --cells[cell + CREDIT] == 0 && budget.get() == 0;
  }

  /** Ends the stretch if all its puts are done; returns whether the generation is over with it. */
  boolean endStretch() {
    budget.addAndGet(drain(CREDIT));
    if (budget.get() > 0) {
      return false;
    }
    if (endsByPuts && puts() == sizing.generationKeys()) {
      return true;
    }
    putsBeforeStretch = puts();
    endTally();
    keysBefore = keys();
    long unused = drain(KEYS);
    tally.begin(fpp());
    beginStretch();
    return false;
  }

  /** Begins the generation that many after the present one. */
  void rotate(int times) {
    endTally();
    begin(times);
    tally.begin(fpp());
  }

  /** Forgets all keys and begins the generation that many after the present one. */
  void clear(int times) {
    begin(times);
    restart(0);
  }

  private void begin(int times) {
    putsBeforeGeneration += puts();
    putsBeforeStretch = 0;
    long unused = drain(CREDIT) + drain(KEYS);
    keysBefore = 0;
    for (int i = Math.min(times, LANES); i > 0; i--) {
      found[(lane + i) & (LANES - 1)] = 0;
    }
    lane = (lane + times) & (LANES - 1);
    beginStretch();
  }

  private void beginStretch() {
    long longest = sizing.generationKeys() / STRETCHES + 1;
    foundBefore = found[lane];
    stretch = endsByPuts ? Math.min(longest, sizing.generationKeys() - putsBeforeStretch) : longest;
    budget.set(stretch);
  }

  /** Returns the puts in the present generation. */
  long puts() {
    return putsBeforeStretch + stretch - budget.get() - sum(CREDIT);
  }

  /** Returns the puts that returned true; any thread may call it. */
  long acceptedKeys() {
    return acceptedBefore + sum(ACCEPTED);
  }

  /** Continues from {@code keys} accepted keys. */
  void restart(long keys) {
    acceptedBefore = keys - sum(ACCEPTED);
    tally.restart(fpp(), present());
  }

  double expectedWrongDrops() {
    return tally.expectedWrongDrops(fpp(), present());
  }

  private void endTally() {
    tally.end(fpp(), present());
  }

  private DropTally.Counts present() {
    return new DropTally.Counts(putsBeforeGeneration + puts(), sum(ACCEPTED));
  }

  /** Returns the keys of the generation: those that were found in it by chance are not counted. */
  private double keys() {
    return keysBefore + sum(KEYS) / (1 - Math.min(MOST_FOUND, foundBefore));
  }

  /** Returns the fpp by the keys of each generation. */
  private double fpp() {
    found[lane] = sizing.generationFpp(keys());
    double missed = 1;
    for (double inLane : found) {
      missed *= 1 - inLane;
    }
    return 1 - missed;
  }

  private int stripes() {
    return cells.length >>> SHIFT;
  }

  private long sum(int column) {
    long sum = 0;
    for (int cell = column; cell < cells.length; cell += 1 << SHIFT) {
      sum += (long) CELLS.getOpaque(cells, cell);
    }
    return sum;
  }

  private long drain(int column) {
    long sum = sum(column);
    for (int cell = column; cell < cells.length; cell += 1 << SHIFT) {
      cells[cell] = 0;
    }
    return sum;
  }
}
