package dev.tamis.filter;

/** Estimates the wrong drops of a filter whose fpp rises and falls, from its accepted keys. */
final class DropTally {

  /*
   * Each key accepted at an fpp of p implies p/(1 - p) dropped ones. Puts are divided into stretches
   * over which p changes little, and the mean of both ends is used. Where p is nearly 1, too few are
   * accepted, and the rejected puts are a bound; elsewhere that bound would be too low on average.
   */

  /** The odds above which the rejected puts are the bound. */
  private static final double BLIND = 100;

  private Counts atStart = new Counts(0, 0);
  private double oddsAtStart;
  private double earlierDrops;

  void end(double fpp, Counts counts) {
    earlierDrops = expectedWrongDrops(fpp, counts);
    atStart = counts;
  }

  void begin(double fpp) {
    oddsAtStart = odds(fpp);
  }

  /** Returns the wrong drops to be expected up to the present, when the fpp is {@code fpp}. */
  double expectedWrongDrops(double fpp, Counts counts) {
    long accepted = counts.accepted() - atStart.accepted();
    if (accepted == 0) {
      return earlierDrops;
    }
    double drops = accepted * (oddsAtStart + odds(fpp)) / 2;
    long denied = counts.puts() - atStart.puts() - accepted;
    boolean blind = drops > BLIND * accepted;
    return earlierDrops + (blind ? Math.min((double) denied, drops) : drops);
  }

  void restart(double fpp, Counts counts) {
    earlierDrops = 0;
    atStart = counts;
    begin(fpp);
  }

  private static double odds(double fpp) {
    return fpp / (1 - fpp);
  }

  /** The puts, and those of them that returned true. */
  record Counts(long puts, long accepted) {}
}
