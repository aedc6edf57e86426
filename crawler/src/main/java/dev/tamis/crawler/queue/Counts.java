package dev.tamis.crawler.queue;

import java.util.function.BiFunction;

/** Counters that cannot be recomputed from the maps of a queue. */
final class Counts {
  long accepted;
  long duplicates;
  long rejected;
  long full;
  long delivered;
  long seenKeys;
  long rescued;
  long doubtful;
  long tornBytes;
  long lastSequence;
  long lastOrder;

  /** Counts a push that was not accepted. */
  void count(PushResult.Status status) {
    switch (status) {
      case DUPLICATE -> duplicates++;
      case REJECTED -> rejected++;
      case FULL -> full++;
      case ACCEPTED -> throw new IllegalArgumentException("counted when it is applied");
    }
  }

  /** Stores all counters. */
  void save(StoredMap<String, Long> marks) {
    each(
        (name, count) -> {
          marks.put(name, count);
          return count;
        });
  }

  /**
   * Loads what {@link #save} stored; what is missing is zero.
   *
   * @throws org.h2.mvstore.MVStoreException if one is negative
   */
  void load(StoredMap<String, Long> marks) {
    each((name, count) -> count(marks, name));
  }

  /** Replaces each counter by what a function of its name and value returns. */
  private void each(BiFunction<String, Long, Long> next) {
    accepted = next.apply("accepted", accepted);
    duplicates = next.apply("duplicates", duplicates);
    rejected = next.apply("rejected", rejected);
    full = next.apply("full", full);
    delivered = next.apply("delivered", delivered);
    seenKeys = next.apply("seenKeys", seenKeys);
    rescued = next.apply("rescued", rescued);
    doubtful = next.apply("doubtful", doubtful);
    tornBytes = next.apply("tornBytes", tornBytes);
    lastSequence = next.apply("lastSequence", lastSequence);
    lastOrder = next.apply("lastOrder", lastOrder);
  }

  private static long count(StoredMap<String, Long> marks, String name) {
    long count = marks.get(name).orElse(0L);
    if (count < 0) {
      throw QueueStore.damage(name + " is " + count);
    }
    return count;
  }
}
