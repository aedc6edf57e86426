package dev.tamis.crawler.queue;

/**
 * A URL held by one visitor for a limited time, after which it is delivered again unless it was
 * acknowledged. Thread-safe.
 */
public final class Lease {

  private final VisitQueue queue;
  private final QueuedUrl queued;

  Lease(VisitQueue queue, QueuedUrl queued) {
    this.queue = queue;
    this.queued = queued;
  }

  /** Returns the URL to visit, as it was pushed. */
  public String url() {
    return queued.url();
  }

  /**
   * Returns the number of this attempt, from 1: one more than the leases of this URL that ended in
   * {@link #retry} or expired.
   */
  public int attempt() {
    return queued.failures() + 1;
  }

  /**
   * Acknowledges the visit: the URL is not delivered again.
   *
   * @return false if the lease had ended: acknowledged, retried or expired, so that another visitor
   *     may have the URL
   */
  public boolean ack() {
    return queue.acknowledge(queued);
  }

  /**
   * Returns the URL to the queue, to be delivered again after those pending now.
   *
   * @return false if the lease had ended
   */
  public boolean retry() {
    return queue.retry(queued);
  }

  @Override
  public String toString() {
    return "Lease[" + url() + ", attempt " + attempt() + "]";
  }
}
