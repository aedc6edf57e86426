package dev.tamis.crawler.crawl;

import java.util.EnumMap;
import java.util.Map;

/** Counts visits by outcome. */
final class PageTally {

  private final EnumMap<Outcome, Long> counts = new EnumMap<>(Outcome.class);

  PageTally() {
    for (Outcome outcome : Outcome.values()) {
      counts.put(outcome, 0L);
    }
  }

  void add(Outcome outcome) {
    counts.merge(outcome, 1L, Long::sum);
  }

  void remove(Outcome outcome) {
    counts.merge(outcome, -1L, Long::sum);
  }

  Map<Outcome, Long> counts() {
    return new EnumMap<>(counts);
  }

  long total() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }
}
