package dev.tamis.tools.guard;

import dev.tamis.HashedFilter;
import dev.tamis.HashedMutableFilter;
import dev.tamis.hash.HashFunction;
import java.util.stream.LongStream;

/** The mark in a shared filter that it knows every key of the store. */
final class Completeness {

  /*
   * The mark is in the filter, so that it goes when the filter goes, whatever the server does. It is
   * 64 keys that nobody has: a filter without the mark seems to have it with a probability of
   * fpp^64, below 1e-19 for an fpp of at most 0.5; one with more is of no use and counts as
   * incomplete. The fpp only rises, so it is looked at last.
   */

  private static final int KEYS = 64;
  private static final double WORST_FPP = 0.5;
  private static final long[] HASHES = hashes();

  private Completeness() {}

  /** Marks a filter that has every key. */
  static void mark(HashedMutableFilter<?> filter) {
    filter.putHashes(HASHES, KEYS, new boolean[KEYS]);
  }

  /** Returns whether a filter was marked. */
  static boolean isMarked(HashedFilter<?> filter) {
    boolean[] answers = new boolean[KEYS];
    filter.mightContainHashes(HASHES, KEYS, answers);
    for (boolean answer : answers) {
      if (!answer) {
        return false;
      }
    }
    return filter.expectedFpp() <= WORST_FPP;
  }

  /** Numbers hashed with a seed of their own: every process must come to the same. */
  private static long[] hashes() {
    HashFunction function = HashFunction.xxh3(0x74616d6973L); // "tamis"
    return LongStream.range(0, KEYS).map(function::hashLong).toArray();
  }
}
