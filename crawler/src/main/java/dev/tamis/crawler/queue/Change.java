package dev.tamis.crawler.queue;

/** What happens to a queue and must not be forgotten. */
sealed interface Change {

  /**
   * A URL was accepted.
   *
   * @param entry the URL and its place
   * @param key what it is told apart by
   */
  record Accepted(Entry entry, String key) implements Change {}

  /** A key was marked as seen without a visit. */
  record Marked(String key) implements Change {}

  /** A URL was delivered for good. */
  record Delivered(String host, long sequence) implements Change {}

  /**
   * A URL is about to go into a filter that others share, and nobody knows yet who is first.
   *
   * @param claim the URL and what it is told apart by
   */
  record Claimed(Claim claim) implements Change {}

  /** It is known what becomes of the URL that was claimed last. */
  record Settled(Outcome outcome) implements Change {}

  /** What can become of a URL that was claimed. */
  enum Outcome {
    /** It was new to the filter, or is wanted again: it is accepted. */
    ACCEPTED,
    /** It is accepted, and somebody else may have been first: the answer was lost. */
    DOUBTFUL,
    /** Somebody was first. */
    DUPLICATE
  }

  /** A URL that was leased in vain has a new place. */
  record Returned(String host, long sequence, long newSequence) implements Change {}
}
