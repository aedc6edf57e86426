package dev.tamis.crawler.queue;

import java.util.function.LongConsumer;

/** Tells once for each doubling that there are more keys than the queue was built for. */
final class FullWarning {

  private static final System.Logger LOG = System.getLogger(VisitQueue.class.getName());

  private final long expectedKeys;
  private final LongConsumer listener;
  private long nextKeys;

  /**
   * Begins with so many keys, about which nothing is said any more.
   *
   * @param listener is told the number of keys each time
   */
  FullWarning(long expectedKeys, long seenKeys, LongConsumer listener) {
    this.expectedKeys = expectedKeys;
    this.listener = listener;
    nextKeys = expectedKeys;
    moveBeyond(seenKeys);
  }

  /** Returns whether it is time to tell; says yes once. One thread at a time. */
  boolean isDue(long seenKeys) {
    if (seenKeys <= nextKeys) {
      return false;
    }
    moveBeyond(seenKeys);
    return true;
  }

  private void moveBeyond(long seenKeys) {
    while (nextKeys < seenKeys) {
      nextKeys = nextKeys > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : 2 * nextKeys;
    }
  }

  /** Tells. */
  void tell(long seenKeys) {
    LOG.log(
        System.Logger.Level.WARNING,
        "the visit queue has seen {0} keys and was built for {1}: more and more new URLs are taken"
            + " for seen; build it for more, or let it grow",
        Long.toString(seenKeys),
        Long.toString(expectedKeys));
    listener.accept(seenKeys);
  }
}
