package dev.tamis.bench.peers;

import java.util.SplittableRandom;

/** Random longs to put and to query, in arrays larger than a cache of 32 MB. */
final class LongStreams {

  /** Keys in each stream: 40 MB of them. */
  static final int LENGTH = 5_000_000;

  private static final long PUT_SEED = 1;
  private static final long ABSENT_SEED = 2;
  private static final long CHOICE_SEED = 3;

  /** Keys that are put, chosen at random. */
  final long[] present = new long[LENGTH];

  /** Keys that are not put. */
  final long[] absent = new SplittableRandom(ABSENT_SEED).longs(LENGTH).toArray();

  /** One of the two, at random. */
  final long[] mixed = new long[LENGTH];

  /** Creates the queries for a filter of {@code keys}. */
  LongStreams(long[] keys) {
    SplittableRandom choice = new SplittableRandom(CHOICE_SEED);
    for (int i = 0; i < LENGTH; i++) {
      present[i] = keys[choice.nextInt(keys.length)];
      mixed[i] = choice.nextBoolean() ? present[i] : absent[i];
    }
  }

  /** Returns the keys to put. */
  static long[] keys(int count) {
    return new SplittableRandom(PUT_SEED).longs(count).toArray();
  }
}
