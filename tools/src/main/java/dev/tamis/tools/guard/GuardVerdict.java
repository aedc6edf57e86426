package dev.tamis.tools.guard;

import static java.util.Objects.requireNonNull;

import java.util.Locale;

/**
 * Whether a guard saves more time than it costs, and by how much.
 *
 * <p>The time saved is {@code skipped · readNanos − asked · askNanos}: each skipped key saves a
 * read of an absent key from the store, and each key costs a query of the filter.
 *
 * @param asked queries of the filter
 * @param skipped negative queries, so that the store was not read
 * @param askNanos mean time of a query of the filter, including reading the clock
 * @param readNanos mean time of a read of an absent key from the store; of all reads, if too few
 *     were of absent keys
 */
public record GuardVerdict(
    Answer answer, long asked, long skipped, double askNanos, double readNanos) {

  /** The fewest queries for a verdict. */
  static final long MIN_ASKED = 1_000;

  /** The fewest reads of the store for a mean. */
  static final long MIN_READS = 30;

  /** The verdicts. */
  public enum Answer {
    /** It saves more than it costs. */
    PAYS,
    /** The store would be faster without it. */
    DOES_NOT_PAY,
    /** Too few gets were measured. */
    NOT_ENOUGH_DATA
  }

  /** Checks for null. */
  public GuardVerdict {
    requireNonNull(answer, "answer");
  }

  static GuardVerdict of(GetStats counters, GuardMeter.Times times) {
    long asked = counters.asked();
    long skipped = counters.skipped();
    double readNanos =
        times.absentReads() >= MIN_READS
            ? times.absentNanos() / times.absentReads()
            : times.nanosOfAllReads() / Math.max(1, times.allReads());
    double askNanos = times.askNanos() / Math.max(1, times.asks());
    Answer answer =
        asked < MIN_ASKED || times.allReads() < MIN_READS
            ? Answer.NOT_ENOUGH_DATA
            : skipped * readNanos > asked * askNanos ? Answer.PAYS : Answer.DOES_NOT_PAY;
    return new GuardVerdict(answer, asked, skipped, askNanos, readNanos);
  }

  /** Returns the time saved by the filter, in nanoseconds; negative if it costs more. */
  public double savedNanos() {
    return skipped * readNanos - asked * askNanos;
  }

  /**
   * Returns the share of skipped keys, in [0, 1], above which the filter pays; 1 if it never does.
   */
  public double breakEvenShare() {
    return readNanos > askNanos ? askNanos / readNanos : 1;
  }

  /** Returns the verdict in a sentence, with its figures. */
  public String sentence() {
    if (answer == Answer.NOT_ENOUGH_DATA) {
      return String.format(
          Locale.ROOT,
          "Not enough data: %d keys asked for; needed are %d, and %d reads of the store.",
          asked,
          MIN_ASKED,
          MIN_READS);
    }
    String figures =
        String.format(
            Locale.ROOT,
            "%.1f %% of %d keys were skipped, %.3f µs saved for each and %.3f µs spent on each key"
                + " asked for: %.3f ms in all",
            100.0 * skipped / asked,
            asked,
            readNanos / 1e3,
            askNanos / 1e3,
            savedNanos() / 1e6);
    return answer == Answer.PAYS
        ? "The guard pays: " + figures + "."
        : String.format(
            Locale.ROOT,
            "The guard does not pay: %s. Disable it unless more than %.2f %% of keys are absent.",
            figures,
            100 * breakEvenShare());
  }
}
