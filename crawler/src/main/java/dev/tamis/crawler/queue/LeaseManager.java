package dev.tamis.crawler.queue;

import dev.tamis.crawler.queue.QueueState.LoggedState;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Optional;

/** Delivers and leases URLs, and returns those whose lease expired; one thread at a time. */
final class LeaseManager {

  /*
   * All leases last equally long, so the first to begin is the first to expire and a queue orders
   * them. A lease that was ended stays in it until then.
   */

  private final LoggedState log;
  private final QueueState state;
  private final long leaseNanos;
  private final ArrayDeque<Expiry> expiries = new ArrayDeque<>();

  LeaseManager(LoggedState log, long leaseNanos) {
    this.log = log;
    this.state = log.state();
    this.leaseNanos = leaseNanos;
  }

  Optional<QueuedUrl> deliver() throws IOException {
    log.persistence().checkpointIfDue();
    Optional<QueuedUrl> url = due();
    if (url.isPresent()) {
      log.commit(new Change.Delivered(url.get().host(), url.get().sequence()));
    }
    return url;
  }

  Optional<QueuedUrl> lease() throws IOException {
    log.persistence().checkpointIfDue();
    Optional<QueuedUrl> url = due();
    if (url.isPresent()) {
      state.lease(url.get()); // not logged: replay returns leases anyway
      expiries.addLast(new Expiry(url.get(), state.now() + leaseNanos));
    }
    return url;
  }

  private Optional<QueuedUrl> due() throws IOException {
    returnExpired();
    return state.schedule().due(state.now());
  }

  private void returnExpired() throws IOException {
    for (Expiry first = expiries.peekFirst();
        first != null && first.nanos() <= state.now();
        first = expiries.peekFirst()) {
      if (state.isLeased(first.url())) {
        giveBack(first.url());
      }
      expiries.removeFirst();
    }
  }

  /** Ends a lease, its URL delivered; returns false if the lease had ended. */
  boolean acknowledge(QueuedUrl url) throws IOException {
    boolean held = holds(url);
    if (held) {
      log.commit(new Change.Delivered(url.host(), url.sequence()));
    }
    return held;
  }

  /** Ends a lease, its URL to be delivered again; returns false if the lease had ended. */
  boolean retry(QueuedUrl url) throws IOException {
    boolean held = holds(url);
    if (held) {
      giveBack(url);
    }
    return held;
  }

  private boolean holds(QueuedUrl url) throws IOException {
    returnExpired();
    return state.isLeased(url);
  }

  private void giveBack(QueuedUrl url) throws IOException {
    long position = state.counts().lastSequence + 1;
    log.commit(new Change.Returned(url.host(), url.sequence(), position));
  }

  /** Returns in how many nanoseconds a URL may be due, if nothing else happens. */
  long nanosUntilDue() {
    long due = state.schedule().firstDueNanos().orElse(Long.MAX_VALUE);
    Expiry first = expiries.peekFirst();
    long expiry = first == null ? Long.MAX_VALUE : first.nanos();
    return Math.max(0, Math.min(due, expiry) - state.now());
  }

  private record Expiry(QueuedUrl url, long nanos) {}
}
