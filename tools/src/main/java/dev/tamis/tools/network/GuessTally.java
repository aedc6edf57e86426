package dev.tamis.tools.network;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts guesses against the truth, as it becomes known, into a {@link GuessTable}.
 *
 * <p>Safe for any number of threads. A table taken while others count may lack their latest
 * guesses; no guess is ever lost or counted twice.
 */
public final class GuessTally {

  private final LongAdder trueHits = new LongAdder();
  private final LongAdder falseHits = new LongAdder();
  private final LongAdder trueMisses = new LongAdder();
  private final LongAdder falseMisses = new LongAdder();

  /** Creates a tally of nothing. */
  public GuessTally() {
    // all four begin at zero
  }

  /** Counts a guess "present". */
  public void hit(boolean wasPresent) {
    (wasPresent ? trueHits : falseHits).increment();
  }

  /** Counts a guess "absent". */
  public void miss(boolean wasPresent) {
    (wasPresent ? falseMisses : trueMisses).increment();
  }

  /** Returns what was counted. */
  public GuessTable table() {
    return new GuessTable(trueHits.sum(), falseHits.sum(), trueMisses.sum(), falseMisses.sum());
  }
}
