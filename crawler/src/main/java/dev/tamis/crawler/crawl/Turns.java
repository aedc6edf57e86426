package dev.tamis.crawler.crawl;

import dev.tamis.crawler.queue.Lease;
import dev.tamis.crawler.queue.VisitQueue;
import java.util.Optional;

/** Hands visits to the threads of a crawl, no more than there may be, until all is done. */
final class Turns {

  /** How late a visit may begin that had to wait for its host. */
  private static final long POLL_MILLIS = 10;

  private final VisitQueue queue;
  private final long maxPages;
  private long done;
  private long underWay;
  private boolean stopped;

  /**
   * Makes turns.
   *
   * @param done visits that are done already
   */
  Turns(VisitQueue queue, long maxPages, long done) {
    this.queue = queue;
    this.maxPages = maxPages;
    this.done = done;
  }

  /** Waits for a visit to be due and returns it, or nothing if no more will come. */
  synchronized Optional<Lease> next() throws InterruptedException {
    while (!stopped) {
      if (done + underWay < maxPages) {
        Optional<Lease> lease = queue.lease();
        if (lease.isPresent()) {
          underWay++;
          return lease;
        }
      }
      // who is under way may find links, or put its page off
      if (underWay == 0 && (done >= maxPages || queue.peek().isEmpty())) {
        return Optional.empty();
      }
      wait(POLL_MILLIS);
    }
    return Optional.empty();
  }

  /**
   * Ends a visit.
   *
   * @param forGood false if its URL is visited again
   */
  synchronized void end(boolean forGood) {
    underWay--;
    done += forGood ? 1 : 0;
    notifyAll();
  }

  /** Gives out no more visits. */
  synchronized void stop() {
    stopped = true;
    notifyAll();
  }
}
