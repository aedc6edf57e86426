package dev.tamis.crawler.queue;

/**
 * A URL that was accepted and not yet delivered.
 *
 * @param sequence its position in the queue; unique
 * @param host the host it is scheduled under; empty where hosts are not told apart
 * @param url as it was pushed
 * @param failures how many of its leases ended without acknowledgement
 */
record QueuedUrl(long sequence, String host, String url, int failures) {

  /** Returns this URL at a new position, after a lease that ended without acknowledgement. */
  QueuedUrl again(long newSequence) {
    return new QueuedUrl(newSequence, host, url, failures + 1);
  }
}
