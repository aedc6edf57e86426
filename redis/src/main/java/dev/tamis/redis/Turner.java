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
 * and a thousandth of the time since it last asked. That time is the longer one of two clocks: one
 * that nobody sets, and the wall's, which goes on while a machine sleeps. Whether it is time the
 * server decides.
 */
final class Turner {

  private static final long EARLY_MILLIS = 2; // both sides round to whole milliseconds
  private static final long DRIFT = 1_000; // no clock gains a thousandth on another

  private final Server server;
  private final Ring ring;
  private final @Nullable InstantSource clock;
  private final InstantSource wall;
  private final LongSupplier steadyMillis;
  private final AtomicReferenceArray<Known> known;

  /**
   * Knows nothing yet, so that every shard is due.
   *
   * @param clock the one to go by, or null for the server's
   */
  Turner(Server server, Ring ring, @Nullable InstantSource clock) {
    this(
        server,
        ring,
        clock,
        InstantSource.system(),
        () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
  }

  /** Does so with other clocks to guess by. */
  Turner(
      Server server,
      Ring ring,
      @Nullable InstantSource clock,
      InstantSource wall,
      LongSupplier steadyMillis) {
    this.server = server;
    this.ring = ring;
    this.clock = clock;
    this.wall = wall;
    this.steadyMillis = steadyMillis;
    Known[] nothing = new Known[ring.shards().count()];
    Arrays.fill(nothing, new Known(-1, 0, new Moment(0, 0)));
    this.known = new AtomicReferenceArray<>(nothing);
  }

  /** The time here, by the two clocks to guess by. */
  private record Moment(long wallMillis, long steadyMillis) {
    long since(Moment earlier) {
      return Math.max(wallMillis - earlier.wallMillis, steadyMillis - earlier.steadyMillis);
    }
  }

  /**
   * What a shard last said.
   *
   * @param period the one that was present
   * @param epochMillis the time there
   * @param asked when it was asked
   */
  private record Known(long period, long epochMillis, Moment asked) {}

  /** Returns the period to put keys of a shard into. */
  long period(int shard) {
    return known.get(shard).period;
  }

  /** Takes note of the period that the reply to a put told. */
  void saw(int shard, long period) {
    known.updateAndGet(
        shard, old -> old.period == period ? old : new Known(period, old.epochMillis, old.asked));
  }

  /**
   * Goes on to the next period in those shards where it may be time.
   *
   * @throws FilterLostException if one of them is not of this filter
   */
  void turnIfDue(int[] shards) {
    List<Command> commands = new ArrayList<>();
    List<Integer> due = new ArrayList<>();
    Moment now = new Moment(wall.millis(), steadyMillis.getAsLong());
    Long handedIn = clock == null ? null : Long.valueOf(clock.millis());
    for (int shard : shards) {
      Known last = known.get(shard);
      long time = handedIn == null ? guess(last, now) : handedIn;
      if (last.period < 0 || ring.rotation().periodAt(time) > last.period) {
        due.add(shard);
        commands.add(ring.turn(shard, handedIn));
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

  private static long guess(Known last, Moment now) {
    long since = now.since(last.asked);
    return last.epochMillis + since + since / DRIFT + EARLY_MILLIS;
  }
}
