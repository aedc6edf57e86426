package dev.tamis.tools.network;

import static java.util.Objects.requireNonNull;

import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.hash.KeyHasher;
import java.util.List;

/**
 * Says of each broadcast message whether it was handled already, in memory that never grows.
 *
 * <p>Choose it in a node that gets a message over several links and must pass it on once. Not where
 * a wrong drop is worse than a repeat, or where the sender numbers its messages: there a counter
 * for each sender is exact and smaller.
 *
 * <pre>{@code
 * BroadcastSuppression<byte[]> seen =
 *     BroadcastSuppression.<byte[]>builder(KeyHasher.bytes())
 *         .window(Duration.ofMinutes(2))
 *         .expectedMessages(100_000)
 *         .clock(InstantSource.system())
 *         .fpp(1e-6)
 *         .build();
 * if (seen.receive(messageId) == Sighting.FIRST) {
 *   forward(message);
 * }
 * }</pre>
 *
 * <p><b>What is remembered.</b> With a window of W messages each of the last W for certain; with a
 * window of time T each for T for certain; with both, until both have passed: a message is
 * forgotten only when each window permits it. Each window remembers up to its slack longer. From
 * when a message's window counts is the {@link Renewal}. A first message is dropped with a
 * probability of at most the fpp, while no more than the expected messages come within T; a flood
 * raises it, which {@link #stats} shows, and a flood shortens what a window of W messages covers.
 *
 * <p><b>A key of its own.</b> Each suppression hashes by a random secret key, unless its hasher has
 * one. With one hash function on all nodes a message that is a false positive on one node would be
 * one on all, and be lost in the whole network; and a sender could compute messages that are.
 *
 * <p>Safe for any number of threads, one after the other behind one lock: of all threads that bring
 * the same message within its window exactly one gets FIRST (none, if it is a false positive).
 *
 * @param <T> the type of a message's identity
 */
public final class BroadcastSuppression<T> {

  private final List<WindowedBloomFilter<T>> windows;
  private final Renewal renewal;
  private final GuessTally guesses = new GuessTally();
  private long firsts;
  private long repeats;

  BroadcastSuppression(List<WindowedBloomFilter<T>> windows, Renewal renewal) {
    this.windows = windows;
    this.renewal = renewal;
  }

  /** Starts a suppression of messages that {@code hasher} distinguishes. */
  public static <T> BroadcastSuppressionBuilder<T> builder(KeyHasher<? super T> hasher) {
    return new BroadcastSuppressionBuilder<>(requireNonNull(hasher, "hasher"));
  }

  /** Notes that {@code message} came in, and returns whether it is to be handled. */
  public synchronized Sighting receive(T message) {
    long hash = windows.get(0).hashOf(message);
    boolean known = isKnown(hash);
    if (!known || renewal == Renewal.LAST_SEEN) {
      for (WindowedBloomFilter<T> window : windows) {
        boolean unused = window.putHash(hash);
      }
    }
    if (known) {
      repeats++;
      return Sighting.REPEAT;
    }
    firsts++;
    return Sighting.FIRST;
  }

  /**
   * Returns what {@link #receive} would say, and notes nothing: for whether to ask a neighbour for
   * a message it announced.
   */
  public synchronized Sighting peek(T message) {
    return isKnown(windows.get(0).hashOf(message)) ? Sighting.REPEAT : Sighting.FIRST;
  }

  private boolean isKnown(long hash) {
    for (WindowedBloomFilter<T> window : windows) {
      if (window.mightContainHash(hash)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Notes for {@link #guesses} what became known later of an answer.
   *
   * @param answer what {@link #receive} or {@link #peek} said
   * @param handledBefore whether the message had been handled before in truth
   */
  public void confirm(Sighting answer, boolean handledBefore) {
    if (requireNonNull(answer, "answer") == Sighting.REPEAT) {
      guesses.hit(handledBefore);
    } else {
      guesses.miss(handledBefore);
    }
  }

  /**
   * Returns the answers that were {@linkplain #confirm confirmed}. A false hit is a message lost
   * here; a false miss is one handled twice, because it came again after its window.
   */
  public GuessTable guesses() {
    return guesses.table();
  }

  /** Returns the counters and the fpp. Costs some thousand multiplications. */
  public synchronized Stats stats() {
    double passes = 1;
    double wrongDrops = 0;
    for (WindowedBloomFilter<T> window : windows) {
      passes *= 1 - window.expectedFpp();
      wrongDrops += window.expectedWrongDrops();
    }
    return new Stats(firsts, repeats, 1 - passes, wrongDrops);
  }

  /** Forgets all messages; the counts go on. */
  public synchronized void clear() {
    windows.forEach(WindowedBloomFilter::clear);
  }

  /** Returns from when on a message's window counts. */
  public Renewal renewal() {
    return renewal;
  }

  /** Returns the memory of the windows, in bytes, which stays the same. */
  public long sizeInBytes() {
    return windows.stream().mapToLong(window -> window.bitSize() / Byte.SIZE).sum();
  }

  /** What {@link BroadcastSuppression} says of a message that came in. */
  public enum Sighting {
    /** Certainly not within the window: handle it and pass it on. */
    FIRST,

    /** Handled already, but for the fpp: drop it. */
    REPEAT
  }

  /** From when on the window of a message counts that comes more than once. */
  public enum Renewal {
    /**
     * From its first arrival: however often it comes, it is forgotten when its window has passed,
     * and is handled again after that. A window of messages counts distinct ones only.
     */
    FIRST_SEEN,

    /**
     * From its last arrival: an echo that never ends never gets through again, but a message that
     * is repeated on purpose stays suppressed for as long as it is repeated. A window of messages
     * counts every arrival, so many echoes make it shorter in distinct messages.
     */
    LAST_SEEN
  }

  /**
   * What a {@link BroadcastSuppression} did since it was built, and how full it is.
   *
   * @param firsts messages answered with FIRST, to be handled
   * @param repeats messages answered with REPEAT, to be dropped
   * @param expectedFpp the probability, in [0, 1], that a message never seen is dropped at present
   * @param expectedWrongDrops how many of the repeats were in truth first, as far as the fill over
   *     time tells; too low while {@code expectedFpp} is above 0.99
   */
  public record Stats(long firsts, long repeats, double expectedFpp, double expectedWrongDrops) {

    /** Returns how many messages came in. */
    public long received() {
      return firsts + repeats;
    }
  }
}
