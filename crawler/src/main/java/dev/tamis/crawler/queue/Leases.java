package dev.tamis.crawler.queue;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.OptionalLong;

/** When each lease runs out; all last equally long, so the first to begin is the first to end. */
final class Leases {

  private final long leaseNanos;
  private final ArrayDeque<Running> running = new ArrayDeque<>();

  Leases(long leaseNanos) {
    this.leaseNanos = leaseNanos;
  }

  /** Notes that a lease begins. */
  void begin(Entry entry, long nowNanos) {
    running.addLast(new Running(entry, nowNanos + leaseNanos));
  }

  /** Returns the lease that ran out or will run out first, whether or not it was ended. */
  Optional<Running> first() {
    return Optional.ofNullable(running.peekFirst());
  }

  /** Returns when the first lease runs out. */
  OptionalLong firstEndNanos() {
    Running first = running.peekFirst();
    return first == null ? OptionalLong.empty() : OptionalLong.of(first.endNanos());
  }

  /** Forgets {@link #first}. */
  void removeFirst() {
    running.removeFirst();
  }

  /** A lease and when it runs out, in nanoseconds of the queue. */
  record Running(Entry entry, long endNanos) {}
}
