package dev.tamis.kit.queue;

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

  /** A URL that was leased in vain has a new place. */
  record Returned(String host, long sequence, long newSequence) implements Change {}
}
