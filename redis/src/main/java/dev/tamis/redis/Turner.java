package dev.tamis.redis;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Knows which period each shard is in, and lets the server go on to the next when it may be time.
 *
 * <p>By the server's clock, this side only guesses when to ask, and guesses early: two milliseconds
 * and a thousandth of the time since it last asked. Whether it is time the server decides.
 */
final class Turner {

  private static final long EARLY_MILLIS = 2; // both sides round to whole milliseconds
  private static final long DRIFT = 1_000; // no clock gains a thousandth on another

  private final Server server;
  private final Ring ring;
  private final LongSupplier millis;
  private final boolean byServer;
  private final AtomicReferenceArray<Known> known;

  /**
   * Asks all shards for their period, which must be there.
   *
   * @param clock the one to go by, or null for the server's
   */
  Turner(Server server, Ring ring, @Nullable InstantSource clock) {
    this.server = server;
    this.ring = ring;
    this.byServer = clock == null;
    this.millis =
        clock == null ? () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()) : clock::millis;
    Known[] nothing = new Known[ring.shards().count()];
    Arrays.fill(nothing, new Known(-1, Long.MAX_VALUE / 2, 0));
    this.known = new AtomicReferenceArray<>(nothing);
  }

  /**
   * What a shard last said.
   *
   * @param period the one that was present
   * @param epochMillis the time there
   * @param askedMillis when it was asked, by the clock here
   */
  private record Known(long period, long epochMillis, long askedMillis) {}

  /** Returns the period to put keys of a shard into. */
  long period(int shard) {
    return known.get(shard).period;
  }

  /** Takes note of the period that the reply to a put told. */
  void saw(int shard, long period) {
    known.updateAndGet(
        shard,
        old -> old.period == period ? old : new Known(period, old.epochMillis, old.askedMillis));
  }

  /**
   * Goes on to the next period in those shards where it may be time.
   *
   * @throws FilterLostException if one of them is not of this filter
   */
  void turnIfDue(int[] shards) {
    List<Command> commands = new ArrayList<>();
    List<Integer> due = new ArrayList<>();
    long now = millis.getAsLong();
    for (int shard : shards) {
      if (isDue(known.get(shard), now)) {
        due.add(shard);
        commands.add(ring.turn(shard, byServer ? null : now));
      }
    }
    if (commands.isEmpty()) {
      return; // as nearly always
    }
    List<Reply> replies = server.send(commands);
    for (int i = 0; i < commands.size(); i++) {
      List<Long> reply = Server.numbers(commands.get(i), replies.get(i), Ring.TURN_REPLIES);
      if (reply.get(0) == 0) {
        throw ring.lost(due.get(i));
      }
      known.set(due.get(i), new Known(reply.get(1), reply.get(2), now));
    }
  }

  private boolean isDue(Known shard, long now) {
    if (!byServer) {
      return ring.rotation().periodAt(now) > shard.period;
    }
    long since = now - shard.askedMillis;
    long guess = shard.epochMillis + since + since / DRIFT + EARLY_MILLIS;
    return ring.rotation().periodAt(guess) > shard.period;
  }
}
