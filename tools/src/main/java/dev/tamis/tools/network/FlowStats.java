package dev.tamis.tools.network;

/**
 * The account of a {@link FlowLedger} since it was built or cleared.
 *
 * @param entered messages that were noted, each time counted
 * @param left messages that left
 * @param overflows messages that were not noted because their counters were full
 * @param underflows messages that were to leave and had never entered
 * @param saturatedCounters counters that are stuck at their most and make false positives until the
 *     ledger is cleared
 * @param expectedFpp the probability, in [0, 1], that a message that is not in flight looks so
 */
public record FlowStats(
    long entered,
    long left,
    long overflows,
    long underflows,
    long saturatedCounters,
    double expectedFpp) {

  /** Returns what is in flight: all that entered, less all that left. */
  public long inFlight() {
    return entered - left;
  }
}
