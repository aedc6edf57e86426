package dev.tamis.tools.network;

import static java.util.Objects.requireNonNull;

import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.filter.CountingBloomFilterBuilder;
import dev.tamis.hash.KeyHasher;

/**
 * Notes which messages are in flight between a sender and a receiver, in a few bits each.
 *
 * <p>Choose it next to a queue whose messages are many and whose identities are long, to find out
 * whether one is still in flight. Not where the answer decides about losing data: then keep the
 * identities.
 *
 * <pre>{@code
 * FlowLedger<String> ledger =
 *     FlowLedger.<String>builder(KeyHasher.text()).expectedInFlight(100_000).fpp(1e-4).build();
 * ledger.enter(id);                          // sent
 * ledger.leave(id) == Presence.ABSENT;       // acknowledged: was it ever sent?
 * ledger.stats().inFlight();                 // entered - left, exactly
 * }</pre>
 *
 * <p><b>What goes wrong is counted.</b> Leaving what never entered is an underflow and changes
 * nothing. With a probability of the fpp such a message looks as if it were there: then it leaves,
 * and up to k others, k the hashes of the filter, may look absent from then on, which shows as
 * underflows when they leave. A message that is in flight more than {@link #maxTimesInFlight} times
 * at once overflows: it is not noted. {@link #clear} the ledger when nothing can be in flight: that
 * undoes whatever went wrong.
 *
 * <p>Safe for any number of threads, one after the other behind one lock, so that the counters add
 * up at every moment.
 *
 * @param <T> the type of a message's identity
 */
public final class FlowLedger<T> {

  private final CountingBloomFilter<T> filter;
  private final GuessTally guesses = new GuessTally();
  private long entered;
  private long left;
  private long overflows;
  private long underflows;

  private FlowLedger(CountingBloomFilter<T> filter) {
    this.filter = filter;
  }

  /**
   * Starts a ledger of messages that {@code hasher} distinguishes, under a random key unless it has
   * one.
   */
  public static <T> Builder<T> builder(KeyHasher<? super T> hasher) {
    return new Builder<>(requireNonNull(hasher, "hasher"));
  }

  /** Notes that {@code message} is on its way; once more, if it is already. */
  public synchronized EnterResult enter(T message) {
    long hash = filter.hashOf(message);
    if (filter.approximateCountHash(hash) >= maxTimesInFlight()) {
      overflows++;
      return EnterResult.OVERFLOW;
    }
    boolean isNew = filter.putHash(hash);
    entered++;
    return isNew ? EnterResult.ENTERED : EnterResult.ENTERED_AGAIN;
  }

  /**
   * Notes that {@code message} has arrived; once less, if it is in flight several times.
   *
   * @return IN_FLIGHT if it was on its way, ABSENT if it never entered, an underflow
   */
  public synchronized Presence leave(T message) {
    // stuck counters never empty: without the first check more could leave than entered
    if (entered > left && filter.removeHash(filter.hashOf(message))) {
      left++;
      return Presence.IN_FLIGHT;
    }
    underflows++;
    return Presence.ABSENT;
  }

  /** Returns whether {@code message} is still on its way. */
  public synchronized Presence find(T message) {
    return filter.mightContain(message) ? Presence.IN_FLIGHT : Presence.ABSENT;
  }

  /**
   * Notes for {@link #guesses} what became known later of an answer.
   *
   * @param answer what {@link #find} or {@link #leave} said
   * @param wasInFlight whether the message was on its way in truth
   */
  public void confirm(Presence answer, boolean wasInFlight) {
    if (requireNonNull(answer, "answer") == Presence.IN_FLIGHT) {
      guesses.hit(wasInFlight);
    } else {
      guesses.miss(wasInFlight);
    }
  }

  /** Returns the answers that were {@linkplain #confirm confirmed}. */
  public GuessTable guesses() {
    return guesses.table();
  }

  /** Returns the counters. Costs two passes over the filter, during which others wait. */
  public synchronized Stats stats() {
    return new Stats(
        entered, left, overflows, underflows, filter.saturatedCounters(), filter.expectedFpp());
  }

  /** Returns what is in flight: all that entered, less all that left. Costs nothing. */
  public synchronized long inFlight() {
    return entered - left;
  }

  /** Returns how often one message can be in flight at once: 2^w − 2, w bits to a counter. */
  public long maxTimesInFlight() {
    return (1L << filter.counterBits()) - 2; // one more, and a counter would be stuck
  }

  /** Forgets everything, the counters too. */
  public synchronized void clear() {
    filter.clear();
    entered = 0;
    left = 0;
    overflows = 0;
    underflows = 0;
  }

  /** Returns the memory of the counters, in bytes, which stays the same. */
  public long sizeInBytes() {
    return filter.bitSize() / Byte.SIZE;
  }

  /**
   * Settings of a {@link FlowLedger}; both numbers are needed.
   *
   * @param <T> the type of a message's identity
   */
  public static final class Builder<T> {
    private final CountingBloomFilterBuilder<T> filter;

    private Builder(KeyHasher<? super T> hasher) {
      this.filter = CountingBloomFilter.builder(hasher.withRandomKey());
    }

    /** Sets how many different messages to expect in flight at any one time; at least 1. */
    public Builder<T> expectedInFlight(long messages) {
      filter.expectedKeys(messages);
      return this;
    }

    /** Sets the probability that a message not in flight looks so; in (0, 1). */
    public Builder<T> fpp(double fpp) {
      filter.fpp(fpp);
      return this;
    }

    /**
     * Sets w, the bits of a counter, 2 to 16 and {@value CountingBloomFilter#DEFAULT_COUNTER_BITS}
     * without: more where one message is delivered many times.
     */
    public Builder<T> counterBits(int bits) {
      filter.counterBits(bits);
      return this;
    }

    /**
     * Builds a ledger of nothing.
     *
     * @throws IllegalStateException if a setting is missing
     * @throws IllegalArgumentException if no such filter is possible, or this JVM's heap cannot
     *     hold it
     */
    public FlowLedger<T> build() {
      return new FlowLedger<>(filter.build());
    }
  }

  /** Result of entering a message into a {@link FlowLedger}. */
  public enum EnterResult {
    /** It is in flight, and certainly was not before. */
    ENTERED,

    /** It is in flight once more than before: a second delivery, or one that looks like another. */
    ENTERED_AGAIN,

    /**
     * Its counters can count no further, so it was not noted and need not leave: it is in flight as
     * often as the ledger can count, and one more would never leave.
     */
    OVERFLOW
  }

  /** Whether a {@link FlowLedger} knows a message as in flight. */
  public enum Presence {
    /** It is in flight, but for the fpp. */
    IN_FLIGHT,

    /** It is certainly not noted as in flight. */
    ABSENT
  }

  /**
   * Counters of a {@link FlowLedger} since it was built or cleared.
   *
   * @param entered messages that were noted, each time counted
   * @param left messages that left
   * @param overflows messages that were not noted because their counters were full
   * @param underflows messages that were to leave and had never entered
   * @param saturatedCounters counters that are stuck at their most and make false positives until
   *     the ledger is cleared
   * @param expectedFpp the probability, in [0, 1], that a message that is not in flight looks so
   */
  public record Stats(
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
}
