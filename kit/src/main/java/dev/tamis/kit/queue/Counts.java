package dev.tamis.kit.queue;

/** The numbers of a queue that cannot be counted again from what it holds. */
final class Counts {
  long accepted;
  long duplicates;
  long rejected;
  long full;
  long delivered;
  long seenKeys;
  long rescued;
  long lastSequence;

  /** Counts a push that was not accepted. */
  void count(PushResult.Status status) {
    switch (status) {
      case DUPLICATE -> duplicates++;
      case REJECTED -> rejected++;
      case FULL -> full++;
      case ACCEPTED -> throw new IllegalArgumentException("counted when it is made");
    }
  }

  long[] toArray() {
    return new long[] {
      accepted, duplicates, rejected, full, delivered, seenKeys, rescued, lastSequence
    };
  }
}
