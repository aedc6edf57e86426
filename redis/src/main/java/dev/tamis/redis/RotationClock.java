package dev.tamis.redis;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The current period of each shard of a window, and the script that rotates a shard to the next.
 *
 * <p>With the server's clock, this side only estimates when a rotation may be due, and errs on the
 * early side: by two milliseconds and a thousandth of the time since the server last reported its
 * clock. That time is the greater of two measurements: by a monotonic clock, and by the wall clock,
 * which advances while a machine sleeps. The server decides whether the rotation is due.
 */
final class RotationClock {

  /**
   * Advances to the current period, clears the generations of the periods that begin, and returns
   * the period and the time. What is not the expected filter is left unchanged.
   */
  private static final byte[] ROTATE =
      CommandTokens.of(
          "if redis.call('GETRANGE', KEYS[1], 0, 7) ~= ARGV[1] then return {0, 0, 0} end "
              + "local now = tonumber(ARGV[2]) "
              + "if not now then local t = redis.call('TIME') "
              + "now = t[1] * 1000 + math.floor(t[2] / 1000) end "
              + "local g, size = tonumber(ARGV[4]), tonumber(ARGV[5]) "
              + "local at = redis.call('BITFIELD', KEYS[1], 'GET', 'i64', ARGV[6])[1] "
              + "local due = math.floor(now / tonumber(ARGV[3])) "
              + "if due > at then "
              + "local zeros = string.rep('\\0', math.min(size, 65536)) "
              + "for p = math.max(at + 1, due - g + 1), due do "
              + "local start = tonumber(ARGV[7]) + p % g * size "
              + "for i = 0, size - 1, 65536 do "
              + "redis.call('SETRANGE', KEYS[1], start + i, string.sub(zeros, 1, size - i)) "
              + "end end "
              + "redis.call('BITFIELD', KEYS[1], 'SET', 'i64', ARGV[6], due) at = due end "
              + "return {1, at, now}");

  /** Values in the reply to {@link #ROTATE}: whether it is the filter, the period, the time. */
  private static final int REPLIES = 3;

  private static final long EARLY_MILLIS = 2; // both sides round to whole milliseconds
  private static final long DRIFT = 1_000; // no clock gains a thousandth on another

  private final Server server;
  private final Epoch epoch;
  private final Rotation rotation;
  private final @Nullable InstantSource clock;
  private final InstantSource wall;
  private final LongSupplier steadyMillis;
  private final AtomicReferenceArray<Known> known;

  /**
   * Begins with no period known, so that every shard is due.
   *
   * @param clock replaces the server's, if not null
   */
  RotationClock(Server server, Epoch epoch, @Nullable InstantSource clock) {
    this(
        server,
        epoch,
        clock,
        InstantSource.system(),
        () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
  }

  /** Replaces the local clocks of the estimate. */
  RotationClock(
      Server server,
      Epoch epoch,
      @Nullable InstantSource clock,
      InstantSource wall,
      LongSupplier steadyMillis) {
    this.server = server;
    this.epoch = epoch;
    this.rotation = requireNonNull(epoch.header().rotation(), "rotation");
    this.clock = clock;
    this.wall = wall;
    this.steadyMillis = steadyMillis;
    Known[] nothing = new Known[epoch.shards().count()];
    Arrays.fill(nothing, new Known(-1, 0, new Moment(0, 0)));
    this.known = new AtomicReferenceArray<>(nothing);
  }

  /** The local time, by both clocks of the estimate. */
  private record Moment(long wallMillis, long steadyMillis) {
    long since(Moment earlier) {
      return Math.max(wallMillis - earlier.wallMillis, steadyMillis - earlier.steadyMillis);
    }
  }

  /**
   * What a shard last reported.
   *
   * @param period the current one
   * @param epochMillis the time there
   * @param queried the local time of that query
   */
  private record Known(long period, long epochMillis, Moment queried) {}

  Rotation rotation() {
    return rotation;
  }

  long period(int shard) {
    return known.get(shard).period;
  }

  /** Records the period that the reply to a put reported. */
  void record(int shard, long period) {
    known.updateAndGet(
        shard, old -> old.period == period ? old : new Known(period, old.epochMillis, old.queried));
  }

  /**
   * Rotates the shards for which it may be due.
   *
   * @throws FilterLostException if one of them does not belong to this filter
   */
  void rotateIfDue(int[] shards) {
    List<Command> commands = new ArrayList<>();
    List<Integer> due = new ArrayList<>();
    Moment now = new Moment(wall.millis(), steadyMillis.getAsLong());
    Long supplied = clock == null ? null : Long.valueOf(clock.millis());
    for (int shard : shards) {
      Known last = known.get(shard);
      long time = supplied == null ? estimate(last, now) : supplied;
      if (last.period < 0 || rotation.periodAt(time) > last.period) {
        due.add(shard);
        commands.add(rotate(shard, supplied));
      }
    }
    if (commands.isEmpty()) {
      return; // the common case
    }
    List<Reply> replies = server.sendInTurn(commands, epoch.shards().bytesOf(0));
    for (int i = 0; i < replies.size(); i++) {
      List<Long> reply = Server.numbers(commands.get(i), replies.get(i), REPLIES);
      if (reply.get(0) == 0) {
        throw epoch.shards().lost(due.get(i));
      }
      known.set(due.get(i), new Known(reply.get(1), reply.get(2), now));
    }
  }

  private static long estimate(Known last, Moment now) {
    long since = now.since(last.queried);
    return last.epochMillis + since + since / DRIFT + EARLY_MILLIS;
  }

  /**
   * Returns the command that advances a shard to the current period.
   *
   * @param epochMillis the time, or null for that of the server
   */
  private Command rotate(int shard, @Nullable Long epochMillis) {
    byte[] key = epoch.shards().key(shard);
    return Command.write(
        "EVAL",
        key,
        ROTATE,
        CommandTokens.ONE,
        key,
        ByteBuffer.allocate(Long.BYTES).putLong(epoch.stamp(shard)).array(),
        epochMillis == null ? CommandTokens.of("") : CommandTokens.of(Math.max(0, epochMillis)),
        CommandTokens.of(rotation.spanMillis()),
        CommandTokens.of(rotation.generations()),
        CommandTokens.of(epoch.shards().bytesOf(shard)),
        CommandTokens.PERIOD_OFFSET,
        CommandTokens.of(Header.WINDOW_BYTES));
  }
}
