package dev.tamis.interop;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.Overlap;
import dev.tamis.internal.bits.Ones;
import dev.tamis.sizing.KeyCounts;

/**
 * Bits anywhere in the array, k for each key, by a chain of numbers that begins at its hash.
 *
 * @param bits m, the length of the array
 * @param hashes k
 */
record DcsoProbes(long bits, int hashes) implements Geometry {

  /** The largest prime below 2^64, P. */
  private static final long PRIME = -59;

  /** What each number is multiplied by, modulo 2^64 and then modulo P, to get the next. */
  private static final long FACTOR = -1_469;

  /** Sets the bits of the key with this hash and returns whether one was zero. */
  boolean put(long[] words, long hash) {
    long number = belowPrime(hash);
    boolean changed = false;
    for (int i = 0; i < hashes; i++) {
      number = belowPrime(number * FACTOR);
      long position = Long.remainderUnsigned(number, bits);
      int word = (int) (position >>> 6);
      long before = words[word];
      long after = before | (1L << position);
      words[word] = after;
      changed |= before != after;
    }
    return changed;
  }

  /** Returns whether the bits of the key with this hash are all set. */
  boolean mightContain(long[] words, long hash) {
    long number = belowPrime(hash);
    for (int i = 0; i < hashes; i++) {
      number = belowPrime(number * FACTOR);
      long position = Long.remainderUnsigned(number, bits);
      if ((words[(int) (position >>> 6)] & (1L << position)) == 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns a number modulo P, of which no number of 64 bits is more than one too many. */
  private static long belowPrime(long number) {
    return Long.compareUnsigned(number, PRIME) < 0 ? number : number - PRIME;
  }

  @Override
  public double fpp(long[] words) {
    return Math.pow((double) Ones.count(words) / bits, hashes);
  }

  @Override
  public double fppAt(long keys) {
    double puts = (double) keys * hashes;
    double filled = puts == 0 ? 0 : -Math.expm1(puts * Math.log1p(-1.0 / bits));
    return Math.pow(filled, hashes);
  }

  @Override
  public long ones(long[] words) {
    return Ones.count(words);
  }

  /** Returns m, or 2 where it is 1: of a single bit no number of keys follows. */
  private long countedBits() {
    return Math.max(2, bits);
  }

  @Override
  public Estimate keys(long ones, Confidence confidence) {
    return KeyCounts.scattered(countedBits(), hashes, ones, confidence);
  }

  @Override
  public Overlap overlap(long firstOnes, long secondOnes, long unionOnes, Confidence confidence) {
    return KeyCounts.scattered(countedBits(), hashes, firstOnes, secondOnes, unionOnes, confidence);
  }
}
