package dev.tamis.crawler.queue;

import dev.tamis.crawler.queue.SeenKeys.Lookup;
import java.util.Optional;

/** A change of a queue's state, one record of the write-ahead log. */
sealed interface Change {

  /**
   * A URL was accepted.
   *
   * @param lookup the lookup of the key that led here; not logged, so empty in replay
   */
  record Accepted(QueuedUrl url, String key, Optional<Lookup> lookup) implements Change {}

  /**
   * A key was marked as seen without a visit.
   *
   * @param lookup the lookup of the key that led here; not logged, so empty in replay
   */
  record Marked(String key, Optional<Lookup> lookup) implements Change {}

  /** A URL was delivered and will not come back. */
  record Delivered(String host, long sequence) implements Change {}

  /**
   * Intent: a URL is about to be put into a shared filter, which has not yet decided who is first.
   *
   * @param host the host it will be scheduled under; empty where hosts are not told apart
   */
  record Claimed(String host, String url, String key) implements Change {}

  /** An open claim was resolved. */
  record Settled(String key, Outcome outcome) implements Change {}

  enum Outcome {
    /** The key was new to the filter, or the URL is to be visited again: it is accepted. */
    ACCEPTED,
    /** The filter's reply was lost: it is accepted, although another queue may have been first. */
    DOUBTFUL,
    /** Another queue was first. */
    DUPLICATE
  }

  /** A lease ended without acknowledgement: the URL has a new position. */
  record Returned(String host, long sequence, long newSequence) implements Change {}
}
