package dev.tamis.crawler.queue;

/**
 * A URL that was accepted and not yet delivered.
 *
 * @param sequence its place in line; no two entries have the same
 * @param host whose turn it waits for; empty where hosts are not told apart
 * @param url as it was pushed
 * @param failures how often it was leased in vain
 */
record Entry(long sequence, String host, String url, int failures) {

  /** Returns this entry at another place in line, after it was leased in vain. */
  Entry again(long newSequence) {
    return new Entry(newSequence, host, url, failures + 1);
  }
}
