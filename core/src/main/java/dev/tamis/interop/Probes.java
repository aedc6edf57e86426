package dev.tamis.interop;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.Overlap;
import dev.tamis.internal.bits.Ones;
import dev.tamis.sizing.KeyCounts;

/**
 * Bits anywhere in the array, k for each key, by numbers modulo its length.
 *
 * @param stepping how the numbers are made
 * @param bits m, the length of the array; a multiple of 64
 * @param hashes k
 */
record Probes(Stepping stepping, long bits, int hashes) implements Geometry {

  /*
   * Numbers are from 0 to R − 1, and R is seldom a multiple of m: with q = ⌊R/m⌋ and r = R mod m,
   * each of the first r bits is meant by q + 1 numbers and each of the others by q. That is nothing
   * where R is 2^62, but with 2^31 and a filter of 190 MB the first bits are hit twice as often, and
   * past 256 MB those from 2^31 on are never hit: q is 0 and r is R.
   */

  /** Sets the bits of a key and returns whether one was zero. */
  boolean put(long[] words, long first, long second) {
    boolean changed = false;
    for (int probe = 0; probe < hashes; probe++) {
      long position = stepping.number(first, second, probe) % bits;
      int word = (int) (position >>> 6);
      long before = words[word];
      long after = before | (1L << position);
      words[word] = after;
      changed |= before != after;
    }
    return changed;
  }

  /** Returns whether the bits of a key are all set. */
  boolean mightContain(long[] words, long first, long second) {
    for (int probe = 0; probe < hashes; probe++) {
      long position = stepping.number(first, second, probe) % bits;
      if ((words[(int) (position >>> 6)] & (1L << position)) == 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns how many bits can be reached at all. */
  private long reach() {
    return Math.min(bits, stepping.range());
  }

  /** Returns how many numbers mean a bit at least. */
  private long timesEach() {
    return stepping.range() / bits;
  }

  /** Returns how many bits, the first ones, are meant by one number more than the others. */
  private long favoured() {
    return stepping.range() % bits;
  }

  private double range() {
    return (double) stepping.range();
  }

  @Override
  public double fpp(long[] words) {
    long low = Ones.count(words, 0, (int) (favoured() >>> 6));
    long all = Ones.count(words, 0, (int) (reach() >>> 6));
    return Math.pow(Math.min(1, ((double) timesEach() * all + low) / range()), hashes);
  }

  @Override
  public double fppAt(long keys) {
    double numbers = (double) keys * hashes / range();
    double favoured = favoured();
    double low = -Math.expm1(-(timesEach() + 1.0) * numbers) * (timesEach() + 1.0) * favoured;
    double high = -Math.expm1(-timesEach() * numbers) * timesEach() * (bits - favoured);
    return Math.pow(Math.min(1, (low + high) / range()), hashes);
  }

  @Override
  public long ones(long[] words) {
    return Ones.count(words, 0, (int) (reach() >>> 6));
  }

  @Override
  public Estimate keys(long ones, Confidence confidence) {
    return KeyCounts.scattered(reach(), hashes, ones, confidence);
  }

  @Override
  public Overlap overlap(long firstOnes, long secondOnes, long unionOnes, Confidence confidence) {
    return KeyCounts.scattered(reach(), hashes, firstOnes, secondOnes, unionOnes, confidence);
  }
}
