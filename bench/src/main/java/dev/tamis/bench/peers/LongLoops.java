package dev.tamis.bench.peers;

/** The loops over longs that are timed. */
final class LongLoops {

  /*
   * Filling goes through a method that is called often, and so gets compiled like any other; one
   * long loop would run in what the JVM compiles for a loop that is under way.
   */
  private static final int CHUNK = 1 << 12;

  private LongLoops() {}

  /** Puts all keys. */
  static void putAll(TakesLongs filter, long[] keys) {
    put(filter, keys, 0, keys.length);
  }

  /** Puts the keys from {@code from} to before {@code to}. */
  static void put(TakesLongs filter, long[] keys, int from, int to) {
    for (int i = from; i < to; i += CHUNK) {
      putChunk(filter, keys, i, Math.min(to, i + CHUNK));
    }
  }

  private static void putChunk(TakesLongs filter, long[] keys, int from, int to) {
    for (int i = from; i < to; i++) {
      filter.put(keys[i]);
    }
  }

  /** Queries the keys from {@code from} up to {@code to}; returns how many are reported. */
  static int count(AsksLongs filter, long[] keys, int from, int to) {
    int count = 0;
    for (int i = from; i < to; i++) {
      if (filter.ask(keys[i])) {
        count++;
      }
    }
    return count;
  }
}
