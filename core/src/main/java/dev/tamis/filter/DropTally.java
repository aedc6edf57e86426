package dev.tamis.filter;

/**
 * Counts the keys a filter took as new and works out how many it missed, from an fpp that goes up
 * and down.
 */
final class DropTally {

  /*
   * Each key taken as new while the fpp is p stands for p/(1 - p) others that were not. The puts are
   * cut into stretches over which p changes little: within one it goes for the mean of both ends.
   * Where p is nearly 1, too few are taken to tell, but what is missed is among the puts that were
   * denied. Elsewhere that bound would be as random as the number itself, and its mean too low.
   */

  /** The odds from which on the puts that were denied bound what was missed. */
  private static final double BLIND = 100;

  private long accepted;
  private long stretchAccepted;
  private long stretchDenied;
  private double oddsAtStart;
  private double earlierDrops;

  /** Counts a put. */
  void count(boolean isNew) {
    if (isNew) {
      accepted++;
      stretchAccepted++;
    } else {
      stretchDenied++;
    }
  }

  /** Returns the keys taken as new, and those the tally began with. */
  long accepted() {
    return accepted;
  }

  /** Returns the keys taken as new since the stretch began. */
  long stretchAccepted() {
    return stretchAccepted;
  }

  /** Ends the present stretch, over which the fpp came to {@code fpp}. */
  void end(double fpp) {
    earlierDrops = expectedWrongDrops(fpp);
    stretchAccepted = 0;
    stretchDenied = 0;
  }

  /** Begins a stretch, with the fpp at {@code fpp}. */
  void begin(double fpp) {
    oddsAtStart = odds(fpp);
  }

  /** Returns the wrong drops to be expected up to the present, when the fpp is {@code fpp}. */
  double expectedWrongDrops(double fpp) {
    if (stretchAccepted == 0) {
      return earlierDrops;
    }
    double drops = stretchAccepted * (oddsAtStart + odds(fpp)) / 2;
    boolean blind = drops > BLIND * stretchAccepted;
    return earlierDrops + (blind ? Math.min((double) stretchDenied, drops) : drops);
  }

  /** Starts over from so many keys, which came by another way than {@link #count}. */
  void restart(long keys, double fpp) {
    accepted = keys;
    stretchAccepted = 0;
    stretchDenied = 0;
    earlierDrops = 0;
    begin(fpp);
  }

  private static double odds(double fpp) {
    return fpp / (1 - fpp);
  }
}
