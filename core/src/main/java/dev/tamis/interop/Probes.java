package dev.tamis.interop;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.Overlapping.Overlap;
import dev.tamis.internal.bits.SetBits;
import dev.tamis.internal.bits.SharedWords;
import dev.tamis.internal.bits.Words;
import dev.tamis.sizing.KeyCounts;

/**
 * Bits anywhere in the array, k for each key, by a chain of numbers that two parts of its hash
 * determine.
 *
 * <p>{@link HashedProbes} is the placement where the two parts come from a hash of 64 bits. Guava's
 * later strategy takes two hashes and uses the probes directly.
 *
 * @param stepping how the numbers are derived
 * @param bits m, the length of the array
 * @param hashes k
 */
record Probes(Stepping stepping, long bits, int hashes) implements Geometry {

  /*
   * Numbers are from 0 to R − 1, and R is seldom a multiple of m: with q = ⌊R/m⌋ and r = R mod m,
   * q + 1 numbers map to each of the first r bits and q to each of the others. That is negligible
   * where R is 2^62, but with 2^31 and a filter of 190 MB the first bits are set twice as often, and
   * past 256 MB those from 2^31 on are never hit: q is 0 and r is R.
   */

  /** Returns the position of a probe, from 0 on: the definition that the loops agree with. */
  long position(long first, long second, int probe) {
    long number = stepping.start(first, second);
    for (int i = 0; i < probe; i++) {
      number = stepping.next(number, second);
    }
    return stepping.position(number, bits);
  }

  /** Reads the words of a key without a branch on their values. */
  long prefetch(Words words, long first, long second) {
    long read = 0;
    long number = stepping.start(first, second);
    for (int i = 0; i < hashes; i++) {
      read |= words.get(stepping.position(number, bits) >>> 6);
      number = stepping.next(number, second);
    }
    return read;
  }

  boolean put(Words words, long first, long second) {
    long missing = 0;
    long number = stepping.start(first, second);
    for (int i = 0; i < hashes; i++) {
      long bit = stepping.position(number, bits);
      missing |= SharedWords.or(words.segment(bit >>> 6), words.at(bit >>> 6), 1L << bit);
      number = stepping.next(number, second);
    }
    return missing != 0;
  }

  boolean mightContain(Words words, long first, long second) {
    long number = stepping.start(first, second);
    for (int i = 0; i < hashes; i++) {
      long bit = stepping.position(number, bits);
      if ((words.get(bit >>> 6) & (1L << bit)) == 0) {
        return false;
      }
      number = stepping.next(number, second);
    }
    return true;
  }

  /** Returns the number of bits that can be reached. */
  private long reach() {
    return Math.min(bits, stepping.range());
  }

  /** Returns the fewest numbers that map to a bit. */
  private long timesEach() {
    return stepping.range() / bits;
  }

  /** Returns how many bits, the first ones, have one number more. */
  private long favoured() {
    return stepping.range() % bits;
  }

  private double range() {
    return (double) stepping.range();
  }

  @Override
  public double fpp(Words words) {
    long low = setBits(words, favoured());
    long all = setBits(words, reach());
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
  public long setBits(Words words) {
    return setBits(words, reach());
  }

  /** Counts the set bits in the words of the first {@code count} bits. */
  private static long setBits(Words words, long count) {
    return SetBits.countWords(words, 0, (count + Long.SIZE - 1) / Long.SIZE);
  }

  /** Returns the reach, or 2 where it is 1: a single bit says nothing about the number of keys. */
  private long countedBits() {
    return Math.max(2, reach());
  }

  @Override
  public Estimate keys(long setBits, Confidence confidence) {
    long counted = Math.min(setBits, countedBits()); // what a merge brings may be out of reach
    return KeyCounts.scattered(countedBits(), hashes, counted, confidence);
  }

  @Override
  public Overlap overlap(long inFirst, long inSecond, long inUnion, Confidence confidence) {
    return KeyCounts.scattered(countedBits(), hashes, inFirst, inSecond, inUnion, confidence);
  }
}
