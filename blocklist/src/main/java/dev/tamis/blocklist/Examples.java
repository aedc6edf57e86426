package dev.tamis.blocklist;

import java.util.ArrayList;
import java.util.List;

/** Counts things to tell people of, and keeps the first few of them. */
final class Examples {

  private static final int KEPT = 10;

  private final List<String> kept = new ArrayList<>();
  private long count;

  void add(String message) {
    count++;
    if (kept.size() < KEPT) {
      kept.add(message);
    }
  }

  long count() {
    return count;
  }

  List<String> kept() {
    return List.copyOf(kept);
  }
}
