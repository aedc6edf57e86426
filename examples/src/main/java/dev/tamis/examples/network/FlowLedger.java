package dev.tamis.examples.network;

import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.hash.KeyHasher;

/**
 * Flow control (row B10): the messages in flight between a sender and a receiver, a few bits each.
 *
 * <p>Errors are counted. A message that leaves without having entered is an underflow and changes
 * nothing. With the probability of the fpp it looks present: then it leaves, and up to k other
 * messages may look absent, which shows as underflows when they leave. A message in flight more
 * than {@link #maxTimesInFlight} times at once overflows and is not recorded. The number in flight
 * is exactly what entered minus what left, never negative. {@link #clear} repairs everything when
 * nothing is in flight. Do not use it where a wrong answer loses data. Thread-safe behind one lock.
 */
final class FlowLedger<T> {

  /** Result of entering a message. */
  enum Entry {
    /** In flight, and certainly was not before. */
    ENTERED,
    /** In flight once more: a second delivery, or a false positive. */
    ENTERED_AGAIN,
    /** Its counters are full: not recorded, so it need not leave. */
    OVERFLOW
  }

  /** Counters since the ledger was created or cleared. */
  record Stats(long entered, long left, long overflows, long underflows) {

    /** Returns the number of messages in flight. */
    long inFlight() {
      return entered - left;
    }
  }

  private final CountingBloomFilter<T> filter;
  private Stats stats = new Stats(0, 0, 0, 0);

  /** Creates a ledger that hashes under a random key, unless {@code hasher} has one. */
  FlowLedger(KeyHasher<? super T> hasher, long expectedInFlight, double fpp) {
    this.filter = CountingBloomFilter.create(hasher.withRandomKey(), expectedInFlight, fpp);
  }

  /** Records that {@code message} was sent. */
  synchronized Entry enter(T message) {
    if (filter.approximateCountHash(filter.hashOf(message)) >= maxTimesInFlight()) {
      stats = new Stats(stats.entered, stats.left, stats.overflows + 1, stats.underflows);
      return Entry.OVERFLOW;
    }
    stats = new Stats(stats.entered + 1, stats.left, stats.overflows, stats.underflows);
    return filter.put(message) ? Entry.ENTERED : Entry.ENTERED_AGAIN;
  }

  /** Records that {@code message} arrived; returns false if it was not in flight, an underflow. */
  synchronized boolean leave(T message) {
    // saturated counters never empty: without the first check more could leave than entered
    boolean was = stats.inFlight() > 0 && filter.remove(message);
    stats =
        was
            ? new Stats(stats.entered, stats.left + 1, stats.overflows, stats.underflows)
            : new Stats(stats.entered, stats.left, stats.overflows, stats.underflows + 1);
    return was;
  }

  /** Returns whether {@code message} is in flight: false is certain. */
  boolean mightBeInFlight(T message) {
    return filter.mightContain(message);
  }

  synchronized Stats stats() {
    return stats;
  }

  double expectedFpp() {
    return filter.expectedFpp();
  }

  /** Returns how often one message can be in flight at once: 2^w − 2 for counters of w bits. */
  long maxTimesInFlight() {
    return (1L << filter.counterBits()) - 2; // one more would saturate a counter
  }

  synchronized void clear() {
    filter.clear();
    stats = new Stats(0, 0, 0, 0);
  }
}
