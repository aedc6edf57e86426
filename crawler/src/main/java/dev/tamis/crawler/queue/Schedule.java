package dev.tamis.crawler.queue;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Pending URLs in the order in which they are due; times are the queue's, in nanoseconds. What
 * concerns hosts does nothing by default.
 */
interface Schedule {

  /**
   * Adds a URL.
   *
   * @param isNew whether it was accepted just now; false if it comes back
   */
  void add(QueuedUrl url, boolean isNew, long nowNanos);

  /** Returns the first URL that is due, or empty if none is. */
  Optional<QueuedUrl> due(long nowNanos);

  /** Returns the URL that will be due first, even if that is later. */
  Optional<QueuedUrl> first();

  /** Returns when {@link #first} is due, or empty if that depends on a visit that has not ended. */
  OptionalLong firstDueNanos();

  /** Removes a URL and returns it, or empty if it is not pending. */
  Optional<QueuedUrl> remove(String host, long sequence);

  /** Marks a host as being visited: its next URL is not due before the visit ends. */
  default void begin(String host) {}

  /** Ends a visit: the host's next URL is due after its delay. */
  default void end(String host, long nowNanos) {}

  /** Makes a host's URLs due no earlier than {@code untilNanos}. */
  default void pause(String host, long untilNanos) {}

  /** Applies the delay to all hosts, as after a crash the ends of the last visits are unknown. */
  default void pauseAll(long nowNanos) {}

  /** Returns how many URLs of the host were accepted. */
  default long accepted(String host) {
    return 0;
  }

  long size();

  /** Returns how many hosts are known; 0 where they are not told apart. */
  default long hosts() {
    return 0;
  }

  /** First in, first out, regardless of host. */
  final class Fifo implements Schedule {

    private final StoredMap<Long, QueuedUrl> pending;

    Fifo(QueueStore store) {
      pending = store.map("pending", StoredType.NUMBER, StoredType.QUEUED_URL);
    }

    @Override
    public void add(QueuedUrl url, boolean isNew, long nowNanos) {
      pending.put(url.sequence(), url);
    }

    @Override
    public Optional<QueuedUrl> due(long nowNanos) {
      return first();
    }

    @Override
    public Optional<QueuedUrl> first() {
      return pending.firstKey().flatMap(pending::get);
    }

    @Override
    public OptionalLong firstDueNanos() {
      return pending.firstKey().isEmpty() ? OptionalLong.empty() : OptionalLong.of(0);
    }

    @Override
    public Optional<QueuedUrl> remove(String host, long sequence) {
      return pending.remove(sequence);
    }

    @Override
    public long size() {
      return pending.size();
    }
  }
}
