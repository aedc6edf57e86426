package dev.tamis.crawler.queue;

/** What a queue does once it has seen as many different keys as it was built for. */
public enum OnFull {

  /**
   * Goes on in the same memory and says so, once for each doubling: the fpp rises, so more and more
   * URLs are wrongly taken for seen.
   */
  WARN,

  /** Takes more memory and keeps the fpp. */
  GROW,

  /** Takes no new key: {@code push} answers FULL. */
  REFUSE
}
