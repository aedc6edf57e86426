package dev.tamis.sizing;

/** The chance that a random key has its bit in k slices in a row, slice by slice. */
final class SliceRuns {

  private static final double LN2 = Math.log(2);

  /** The chance of no k in a row yet, by the length of the run at the end. */
  private final double[] byRun;

  private double reached;

  /** Starts without slices; {@code hashes} is k. */
  SliceRuns(int hashes) {
    byRun = new double[hashes];
    byRun[0] = 1;
  }

  /** Returns {@code slices} slices, the youngest first, which k generations fill by half. */
  static SliceRuns halfFull(int hashes, int slices) {
    return worstPhase(hashes, slices, LN2 / hashes);
  }

  /**
   * Returns {@code slices} slices, the youngest first, just before the youngest generation ends.
   *
   * @param load a generation leaves exp(−load) of the zeros of a slice
   */
  static SliceRuns worstPhase(int hashes, int slices, double load) {
    SliceRuns runs = new SliceRuns(hashes);
    for (int age = 0; age < slices; age++) {
      runs.extend(-Math.expm1(-load * Math.min(age + 1, hashes)));
    }
    return runs;
  }

  /** Appends a slice with a share of {@code fill} of its bits set. */
  void extend(double fill) {
    int last = byRun.length - 1;
    reached += byRun[last] * fill;
    double ended = 0;
    for (int run = last; run > 0; run--) {
      ended += byRun[run];
      byRun[run] = byRun[run - 1] * fill;
    }
    byRun[0] = (ended + byRun[0]) * (1 - fill);
  }

  /** Returns the chance of k in a row in all slices so far. */
  double reached() {
    return Math.min(1, reached);
  }
}
