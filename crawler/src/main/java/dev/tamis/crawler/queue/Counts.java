package dev.tamis.crawler.queue;

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
    marks.put("accepted", accepted);
    marks.put("duplicates", duplicates);
    marks.put("rejected", rejected);
    marks.put("full", full);
    marks.put("delivered", delivered);
    marks.put("seenKeys", seenKeys);
    marks.put("rescued", rescued);
    marks.put("doubtful", doubtful);
    marks.put("tornBytes", tornBytes);
    marks.put("lastSequence", lastSequence);
    marks.put("lastOrder", lastOrder);
  }

  /**
   * Loads what {@link #save} stored; what is missing is zero.
   *
   * @throws org.h2.mvstore.MVStoreException if one is negative
   */
  void load(StoredMap<String, Long> marks) {
    accepted = count(marks, "accepted");
    duplicates = count(marks, "duplicates");
    rejected = count(marks, "rejected");
    full = count(marks, "full");
    delivered = count(marks, "delivered");
    seenKeys = count(marks, "seenKeys");
    rescued = count(marks, "rescued");
    doubtful = count(marks, "doubtful");
    tornBytes = count(marks, "tornBytes");
    lastSequence = count(marks, "lastSequence");
    lastOrder = count(marks, "lastOrder");
  }

  private static long count(StoredMap<String, Long> marks, String name) {
    long count = marks.get(name).orElse(0L);
    if (count < 0) {
      throw QueueStore.damage(name + " is " + count);
    }
    return count;
  }
}
