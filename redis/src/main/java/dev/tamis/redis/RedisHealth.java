package dev.tamis.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.List;

/**
 * What a check of a filter found just now, for the health endpoint of a service.
 *
 * @param status whether calls succeed
 * @param detail what failed, and what to do; empty if nothing did
 * @param roundTrip how long it took to read the stamp of every shard, or to fail
 * @param appendOnlyFile of the server with the first shard
 */
public record RedisHealth(
    Status status, String detail, Duration roundTrip, AppendOnlyFile appendOnlyFile) {

  /** Whether calls succeed. */
  public enum Status {
    /** The server replies, and every shard is there. */
    READY,
    /** The filter, or a part of it, is not there. */
    LOST,
    /** The server does not reply. */
    UNAVAILABLE,
    /** The server refuses, for example because it is loading its data. */
    REFUSED
  }

  /** Whether a server writes each put to a file. */
  public enum AppendOnlyFile {
    /** A restart loses the puts since the last second at most, unless {@code appendfsync no}. */
    ON,
    /** A restart loses everything, or silently all puts since the last snapshot. */
    OFF,
    /** The server does not say, for example because {@code INFO} is not permitted. */
    UNKNOWN
  }

  /** Runs a check that reads the stamp of every shard of a filter. */
  static RedisHealth of(Server server, Shards shards, Runnable check) {
    long start = System.nanoTime();
    Status status = Status.READY;
    String detail = "";
    try {
      check.run();
    } catch (RedisFilterException e) {
      status = status(e);
      detail = String.valueOf(e.getMessage());
    }
    Duration roundTrip = Duration.ofNanos(System.nanoTime() - start);
    return new RedisHealth(
        status,
        detail,
        roundTrip,
        status == Status.UNAVAILABLE ? AppendOnlyFile.UNKNOWN : appendOnlyFile(server, shards));
  }

  private static Status status(RedisFilterException e) {
    if (e instanceof FilterLostException || e instanceof FilterMismatchException) {
      return Status.LOST;
    }
    return e instanceof RedisRefusedException ? Status.REFUSED : Status.UNAVAILABLE;
  }

  private static AppendOnlyFile appendOnlyFile(Server server, Shards shards) {
    Command info = Command.read("INFO", shards.key(0), Words.of("persistence"));
    if (server.send(List.of(info)).get(0) instanceof Reply.Bytes bytes && bytes.value() != null) {
      String text = new String(bytes.value(), UTF_8);
      if (text.contains("aof_enabled:1")) {
        return AppendOnlyFile.ON;
      }
      if (text.contains("aof_enabled:0")) {
        return AppendOnlyFile.OFF;
      }
    }
    return AppendOnlyFile.UNKNOWN;
  }
}
