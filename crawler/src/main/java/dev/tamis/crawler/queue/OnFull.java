package dev.tamis.crawler.queue;

/** What a queue does once it has seen as many distinct keys as it was built for. */
public enum OnFull {

  /**
   * Continues in the same memory and warns, once for each doubling: the fpp rises, so more and more
   * new URLs are taken for seen ones.
   */
  WARN,

  /** Allocates more memory and keeps the fpp. */
  GROW,

  /** Rejects new keys: {@code push} returns FULL. */
  REJECT
}
