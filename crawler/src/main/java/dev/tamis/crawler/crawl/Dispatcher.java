package dev.tamis.crawler.crawl;

import dev.tamis.crawler.queue.Lease;
import dev.tamis.crawler.queue.VisitQueue;
import java.util.Optional;

/** Dispatches visits to the workers of a crawl, up to the page limit, until none is left. */
final class Dispatcher {

  /** The most a visit starts late after its host is due. */
  private static final long POLL_MILLIS = 10;

  private final VisitQueue queue;
  private final long maxPages;
  private long done;
  private long inProgress;
  private boolean stopped;

  /**
   * Creates a dispatcher.
   *
   * @param done visits done in earlier runs
   */
  Dispatcher(VisitQueue queue, long maxPages, long done) {
    this.queue = queue;
    this.maxPages = maxPages;
    this.done = done;
  }

  /** Waits for a visit to be due and leases it, or returns empty if there are no more. */
  synchronized Optional<Lease> next() throws InterruptedException {
    while (!stopped) {
      if (done + inProgress < maxPages) {
        Optional<Lease> lease = queue.lease();
        if (lease.isPresent()) {
          inProgress++;
          return lease;
        }
      }
      // a visit in progress may find links, or be retried
      if (inProgress == 0 && (done >= maxPages || queue.peek().isEmpty())) {
        return Optional.empty();
      }
      wait(POLL_MILLIS);
    }
    return Optional.empty();
  }

  /**
   * Ends a visit.
   *
   * @param completed false if its URL is visited again
   */
  synchronized void end(boolean completed) {
    inProgress--;
    done += completed ? 1 : 0;
    notifyAll();
  }

  /** Dispatches no more visits. */
  synchronized void stop() {
    stopped = true;
    notifyAll();
  }
}
