package dev.tamis.redis;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.sizing.KeyCounts;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.WrongDrops;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** The epoch that a filter object works with, until it is replaced or lost. */
final class CurrentEpoch {

  /** Steps of the integration of the fpp over the fill. */
  private static final int STEPS = 256;

  /** Cap of an fpp that is divided by its complement. */
  private static final double ALMOST_ONE = 1 - 1e-6;

  private final Server server;
  private final Supplier<Epoch> opener;
  private final String name;
  private volatile Epoch epoch;
  private volatile Accepted accepted = new Accepted(0, 0, new LongAdder());
  private volatile boolean lost;

  /**
   * Begins with an epoch, whose set bits are counted.
   *
   * @param opener opens the epoch that is stored under the name
   */
  CurrentEpoch(Server server, Supplier<Epoch> opener, String name, Epoch epoch) {
    this.server = server;
    this.opener = opener;
    this.name = name;
    this.epoch = epoch;
    recount(epoch);
  }

  /**
   * The keys that the object accepted as new; replaced as a whole, for readers without a lock.
   *
   * @param before keys that were in the epoch when it was opened or merged into
   * @param earlierDrops expected wrong drops up to then
   * @param since keys accepted since then
   */
  private record Accepted(long before, double earlierDrops, LongAdder since) {
    /** Returns the expected wrong drops if no other object had put keys since. */
    double dropsAlone(Shape shape) {
      return earlierDrops + WrongDrops.expected(shape::fpp, before, since.sum(), 0);
    }

    /**
     * Returns them with {@code keysNow} keys in the filter, put by any object. The keys of this
     * object are taken to be spread evenly over those that came since {@code before}.
     */
    double drops(Shape shape, long keysNow) {
      double sum = 0;
      for (int i = 0; i < STEPS; i++) {
        double middle = before + (keysNow - before) * ((i + 0.5) / STEPS);
        sum += shape.fpp((long) middle);
      }
      double mean = Math.min(ALMOST_ONE, sum / STEPS);
      return Math.max(dropsAlone(shape), earlierDrops + since.sum() * mean / (1 - mean));
    }
  }

  void accept(int keys) {
    if (keys != 0) {
      accepted.since.add(keys);
    }
  }

  /** Returns the keys that the set bits showed, and those that this object accepted since. */
  long acceptedKeys() {
    Accepted now = accepted;
    return now.before + now.since.sum();
  }

  /** Counts the set bits, because others may have put keys. */
  double expectedWrongDrops() {
    Accepted then = accepted;
    if (then.since.sum() == 0) {
      return then.earlierDrops;
    }
    Estimate keys = estimate(Confidence.DEFAULT);
    return accepted.equals(then)
        ? then.drops(epoch.header().sizing().shape(), boundedKeys(keys))
        : expectedWrongDrops(); // replaced or merged into concurrently
  }

  private static long boundedKeys(Estimate keys) {
    return Math.min(keys.rounded(), Long.MAX_VALUE / 2); // an unbounded estimate leaves room
  }

  /** Returns the epoch that was last seen, lost or not. */
  Epoch lastSeen() {
    return epoch;
  }

  /**
   * Returns the epoch to work with.
   *
   * @throws FilterLostException if an earlier call has found it lost
   */
  Epoch get() {
    if (lost) {
      throw new FilterLostException(
          "filter "
              + name
              + ": was lost or abandoned, as an earlier call found; open or create the filter"
              + " again");
    }
    return epoch;
  }

  /** Makes every later call fail without a round trip. */
  void retire() {
    lost = true;
  }

  /**
   * Returns the epoch that has replaced {@code seen}, if it was replaced on purpose.
   *
   * @param found the stamp of the shard instead
   * @throws FilterLostException if it was not
   */
  synchronized Epoch follow(Epoch seen, int shard, long found) {
    Epoch now = get();
    if (now != seen) {
      return now; // another thread was here first
    }
    Epoch next = succeed(seen);
    if (next.header().epoch() == seen.header().epoch()) {
      // not permanently: the filter is complete now
      throw new FilterLostException(
          String.format(
              Locale.ROOT,
              "key %s: was replaced during the call: expected stamp %016x, got %016x; try again",
              seen.shards().printedKey(shard),
              seen.stamp(shard),
              found));
    }
    recount(next);
    epoch = next;
    return next;
  }

  /** Opens the stored epoch, and checks that it may replace {@code seen}. */
  private Epoch succeed(Epoch seen) {
    try {
      Epoch next = opener.get();
      if (next.header().family() != seen.header().family()) {
        throw new FilterLostException(
            "filter " + name + ": was lost and recreated by another client; open the filter again");
      }
      if (!next.header().hashId().equals(seen.header().hashId())) {
        throw new FilterLostException(
            "filter "
                + name
                + ": was replaced by one with "
                + next.header().hashId()
                + "; open the filter again");
      }
      return next;
    } catch (FilterLostException | FilterMismatchException e) {
      lost = true;
      throw e;
    }
  }

  /** Checks that every shard is there, and returns their epoch. */
  Epoch requireWhole() {
    Epoch now = get();
    long[] found = now.readStamps(server);
    for (int i = 0; i < found.length; i++) {
      if (found[i] != now.stamp(i)) {
        return follow(now, i, found[i]);
      }
    }
    return now;
  }

  /** Estimates the keys from the set bits, which the server counts. */
  Estimate estimate(Confidence confidence) {
    Epoch now = get();
    while (true) {
      Estimate estimate = estimate(now, confidence);
      Epoch after = requireWhole(); // if complete now, it was so during the count
      if (after == now) {
        return estimate;
      }
      now = after;
    }
  }

  void recount() {
    recount(get());
  }

  private void recount(Epoch next) {
    // the keys that others have put are unknown from here on
    double drops = accepted.dropsAlone(epoch.header().sizing().shape());
    long before = boundedKeys(estimate(next, Confidence.DEFAULT));
    accepted = new Accepted(before, drops, new LongAdder());
  }

  private Estimate estimate(Epoch of, Confidence confidence) {
    long setBits = of.countSetBits(server, 0);
    Shape shape = of.header().sizing().shape();
    return KeyCounts.keys(shape, setBits, confidence);
  }
}
