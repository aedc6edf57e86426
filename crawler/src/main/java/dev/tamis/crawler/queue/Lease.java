package dev.tamis.crawler.queue;

/**
 * A URL that one visitor has for a while: it comes back by itself unless it is acknowledged in
 * time. Safe for concurrent use.
 */
public final class Lease {

  private final VisitQueue queue;
  private final Entry entry;

  Lease(VisitQueue queue, Entry entry) {
    this.queue = queue;
    this.entry = entry;
  }

  /** Returns the URL to visit, as it was pushed. */
  public String url() {
    return entry.url();
  }

  /**
   * Returns which attempt this is, from 1 on: one more than the leases of this URL that ended in
   * {@link #retry} or ran out.
   */
  public int attempt() {
    return entry.failures() + 1;
  }

  /**
   * Says that the visit is done: the URL is not delivered again.
   *
   * @return false if the lease was over: acknowledged, given back, or run out, so that somebody
   *     else may visit the URL
   */
  public boolean ack() {
    return queue.acknowledge(entry);
  }

  /**
   * Gives the URL back, to be delivered once more after those that wait now.
   *
   * @return false if the lease was over
   */
  public boolean retry() {
    return queue.giveBack(entry);
  }

  @Override
  public String toString() {
    return "Lease[" + url() + ", attempt " + attempt() + "]";
  }
}
