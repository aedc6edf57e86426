package dev.tamis.crawler.queue;

import java.util.Map;

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
  void save(Map<String, Long> marks) {
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

  /** Loads what {@link #save} stored; what is missing is zero. */
  void load(Map<String, Long> marks) {
    accepted = marks.getOrDefault("accepted", 0L);
    duplicates = marks.getOrDefault("duplicates", 0L);
    rejected = marks.getOrDefault("rejected", 0L);
    full = marks.getOrDefault("full", 0L);
    delivered = marks.getOrDefault("delivered", 0L);
    seenKeys = marks.getOrDefault("seenKeys", 0L);
    rescued = marks.getOrDefault("rescued", 0L);
    doubtful = marks.getOrDefault("doubtful", 0L);
    tornBytes = marks.getOrDefault("tornBytes", 0L);
    lastSequence = marks.getOrDefault("lastSequence", 0L);
    lastOrder = marks.getOrDefault("lastOrder", 0L);
  }
}
