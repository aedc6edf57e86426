package dev.tamis.redis;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.sizing.KeyCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * The generation of a filter that one object works with, until another takes its place or it is
 * lost.
 */
final class Current {

  private final Server server;
  private final Supplier<Generation> opener;
  private final String name;
  private final Tally tally = new Tally();
  private volatile Generation generation;
  private volatile boolean lost;

  /**
   * Begins with a generation, whose ones are counted.
   *
   * @param opener opens what is under the name now
   */
  Current(Server server, Supplier<Generation> opener, String name, Generation generation) {
    this.server = server;
    this.opener = opener;
    this.name = name;
    this.generation = generation;
    recount(generation);
  }

  /** Returns the generation as it was last seen, lost or not. */
  Generation lastSeen() {
    return generation;
  }

  /**
   * Returns the generation to work with.
   *
   * @throws FilterLostException if an earlier call has found it lost
   */
  Generation get() {
    if (lost) {
      throw new FilterLostException(
          "the filter "
              + name
              + " was lost or given up by an earlier call: open or create another");
    }
    return generation;
  }

  /** Returns the count of keys that came by this object. */
  Tally tally() {
    return tally;
  }

  /** Makes every later call fail, and none of them reach the server. */
  void retire() {
    lost = true;
  }

  /**
   * Returns what has come in the place of {@code seen}, if that was on purpose.
   *
   * @param found what the shard begins with instead
   * @throws FilterLostException if it was not
   */
  synchronized Generation follow(Generation seen, int shard, long found) {
    Generation now = get();
    if (now != seen) {
      return now; // another thread was here first
    }
    Generation next = succeed(seen);
    if (next.header().epoch() == seen.header().epoch()) {
      // not for good: it is whole now
      throw new FilterLostException(
          String.format(
              Locale.ROOT,
              "the key %s was another for a moment: it should begin with %016x, and did with %016x",
              seen.shards().printedKey(shard),
              seen.stamp(shard),
              found));
    }
    recount(next);
    generation = next;
    return next;
  }

  /** Opens what is there now, and checks that it may come in the place of {@code seen}. */
  private Generation succeed(Generation seen) {
    try {
      Generation next = opener.get();
      if (next.header().family() != seen.header().family()) {
        throw new FilterLostException(
            "the filter " + name + " was lost and somebody has made another one of that name");
      }
      if (!next.header().hashId().equals(seen.header().hashId())) {
        throw new FilterLostException(
            "the filter " + name + " was replaced by one with " + next.header().hashId());
      }
      return next;
    } catch (FilterLostException | FilterMismatchException e) {
      lost = true;
      throw e;
    }
  }

  /** Checks that every shard is there, and returns the generation that they are of. */
  Generation requireWhole() {
    Generation now = get();
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < now.shards().count(); i++) {
      commands.add(now.readStamp(i));
    }
    List<Reply> replies = server.send(commands);
    for (int i = 0; i < commands.size(); i++) {
      long found = Header.readStamp(Server.bytes(commands.get(i), replies.get(i)));
      if (found != now.stamp(i)) {
        return follow(now, i, found);
      }
    }
    return now;
  }

  /** Estimates the keys from the ones, which the server counts. */
  Estimate estimate(Confidence confidence) {
    Generation now = get();
    while (true) {
      Estimate estimate = estimate(now, confidence);
      Generation after = requireWhole(); // what is whole now was so while it was counted
      if (after == now) {
        return estimate;
      }
      now = after;
    }
  }

  /** Takes the keys into account that came another way. */
  void recount() {
    recount(get());
  }

  private void recount(Generation next) {
    tally.continueFrom(
        estimate(next, Confidence.DEFAULT).rounded(), generation.header().sizing().shape()::fpp);
  }

  private Estimate estimate(Generation of, Confidence confidence) {
    List<Command> commands = of.countOnes();
    List<Reply> replies = server.send(commands);
    long ones = 0;
    for (int i = 0; i < commands.size(); i++) {
      ones += Server.number(commands.get(i), replies.get(i));
    }
    return KeyCounts.keys(of.header().sizing().shape(), ones, confidence);
  }
}
