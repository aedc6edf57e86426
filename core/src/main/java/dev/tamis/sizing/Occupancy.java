package dev.tamis.sizing;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The probability E_i[(X/B)^k], for each number of keys i in a small block, that k random cells of
 * its B are all occupied, where X are occupied after k throws by each key.
 */
final class Occupancy {

  /*
   * Exact, by the distribution of X after each throw: P(X=x) becomes P(x)·x/B + P(x-1)·(1-(x-1)/B).
   * The shortcut (E[X]/B)^k is 1 to 10 % too low. Computed lazily and cached, since a table does
   * not depend on the size of the filter and sizing uses the same one repeatedly.
   */

  private static final Map<Long, Occupancy> TABLES = new ConcurrentHashMap<>();

  /** From here on a block counts as full: the rest is below the rounding of a double. */
  private static final double FULL = 1 - 1e-15;

  private final int cells;
  private final int throwsPerKey;
  private final double[] distribution;
  private final double[] hitIfOccupied;
  private double[] hits = new double[64];
  private int known = 1; // hits[0] = 0: an empty block matches nothing

  private Occupancy(int cells, int throwsPerKey) {
    this.cells = cells;
    this.throwsPerKey = throwsPerKey;
    this.distribution = new double[cells + 1];
    distribution[0] = 1;
    this.hitIfOccupied = new double[cells + 1];
    for (int x = 0; x <= cells; x++) {
      hitIfOccupied[x] = Math.pow((double) x / cells, throwsPerKey);
    }
  }

  /** Returns the table for blocks of {@code cells} cells. */
  static Occupancy of(int cells, int throwsPerKey) {
    return TABLES.computeIfAbsent(
        ((long) cells << 32) | throwsPerKey, key -> new Occupancy(cells, throwsPerKey));
  }

  /** Returns the probability that all throws of another key hit in a block with {@code keys}. */
  synchronized double hit(long keys) {
    while (known <= keys && hits[known - 1] < FULL) {
      addKey();
    }
    return hits[(int) Math.min(keys, known - 1)];
  }

  private void addKey() {
    for (int i = 0; i < throwsPerKey; i++) {
      addThrow();
    }
    int most = mostOccupied();
    if (known == hits.length) {
      hits = Arrays.copyOf(hits, 2 * known);
    }
    double hit = 0;
    for (int x = 0; x <= most; x++) {
      hit += distribution[x] * hitIfOccupied[x];
    }
    hits[known++] = Math.min(1, hit);
  }

  /** Returns the most cells that can be occupied after the next key. */
  private int mostOccupied() {
    return (int) Math.min(cells, (long) known * throwsPerKey);
  }

  private void addThrow() {
    for (int x = mostOccupied(); x > 0; x--) {
      double stays = distribution[x] * x / cells;
      double rises = distribution[x - 1] * (cells - (x - 1)) / cells;
      distribution[x] = stays + rises;
    }
    distribution[0] = 0;
  }
}
