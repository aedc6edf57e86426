package dev.tamis.redis;

import java.time.Duration;

/**
 * The result of a check of a filter, for the health endpoint of a service.
 *
 * @param status whether calls succeed
 * @param detail the failure and the remedy; empty if all is well
 * @param roundTrip how long it took to read the stamp of every shard, or to fail
 * @param persistence of the server with the first shard
 */
public record RedisHealth(
    Status status, String detail, Duration roundTrip, RedisPersistence persistence) {

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
        status == Status.UNAVAILABLE
            ? RedisPersistence.UNKNOWN
            : RedisPersistence.of(server, shards));
  }

  private static Status status(RedisFilterException e) {
    if (e instanceof FilterLostException || e instanceof FilterMismatchException) {
      return Status.LOST;
    }
    return e instanceof RedisRefusedException ? Status.REFUSED : Status.UNAVAILABLE;
  }
}
