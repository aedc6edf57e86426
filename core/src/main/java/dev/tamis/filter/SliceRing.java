package dev.tamis.filter;

import dev.tamis.internal.bits.Mixing;
import dev.tamis.internal.bits.Ones;
import java.util.Arrays;

/**
 * A ring of equal slices of bits: a key sets a bit in each of the youngest, and is known by a run
 * of them.
 *
 * <p>The ages of slices count from the youngest, which is 0. Not safe for concurrent use; any
 * number of threads may ask as long as none writes.
 *
 * @see <a href="https://arxiv.org/abs/2001.03147">Shtul, Baquero, Almeida 2020, Age-partitioned
 *     Bloom filters</a>
 */
public final class SliceRing {

  /*
   * k hashes and l generations to remember make k + l slices. A key sets one bit in each slice of
   * age 0 to k - 1; when the ring has turned j times these are j to j + k - 1, all there while
   * j <= l. Where in a slice the bit lies depends on the index of the slice in memory, which does
   * not change, so that nothing moves when the ring turns.
   */

  private final int hashes;
  private final int generations;
  private final long sliceBits;
  private final int sliceWords;
  private final long[] words;
  private final long[] ones;
  private int youngest;

  /**
   * Creates a ring of zeros.
   *
   * @param hashes k, the slices in which a key sets a bit; at least 1
   * @param generations l, the turns for which a key is remembered; at least 1
   * @param sliceBits m, the bits of each of the k + l slices; a multiple of 64, and all of them
   *     together no more than an array of longs holds
   */
  public SliceRing(int hashes, int generations, long sliceBits) {
    this.hashes = hashes;
    this.generations = generations;
    this.sliceBits = sliceBits;
    this.sliceWords = (int) (sliceBits / Long.SIZE);
    this.ones = new long[hashes + generations];
    this.words = new long[sliceWords * ones.length];
  }

  /** Sets the bits of a key in the youngest slices. */
  public void put(long hash) {
    int slice = youngest;
    for (int i = 0; i < hashes; i++) {
      long bit = Mixing.reduce(Mixing.draw(hash, slice), sliceBits);
      int word = slice * sliceWords + (int) (bit >>> 6);
      long before = words[word];
      long after = before | (1L << bit);
      words[word] = after;
      ones[slice] += before == after ? 0 : 1;
      slice = slice + 1 == ones.length ? 0 : slice + 1;
    }
  }

  /**
   * Returns whether the bit of a key is set in k slices in a row.
   *
   * <p>Begins k slices from the old end. Where a bit is missing, no run can include that slice, so
   * it jumps k slices towards the young end and needs only to reach the run it came from.
   *
   * @param due how many turns are due but not made; the slices that they would clear do not count
   */
  public boolean mightContain(long hash, int due) {
    int age = generations - due;
    int run = 0;
    int runBefore = 0;
    while (age >= 0) {
      if (!isSet(hash, slice(age))) {
        age -= hashes;
        runBefore = run;
        run = 0;
      } else {
        age++;
        run++;
        if (run + runBefore == hashes) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean isSet(long hash, int slice) {
    long bit = Mixing.reduce(Mixing.draw(hash, slice), sliceBits);
    return (words[slice * sliceWords + (int) (bit >>> 6)] & (1L << bit)) != 0;
  }

  /** Turns the ring: each time the oldest slice is cleared and becomes the youngest. */
  public void turn(int times) {
    for (int i = Math.min(times, ones.length); i > 0; i--) {
      youngest = youngest == 0 ? ones.length - 1 : youngest - 1;
      int start = youngest * sliceWords;
      Arrays.fill(words, start, start + sliceWords, 0);
      ones[youngest] = 0;
    }
  }

  /** Clears all slices and begins with the first. */
  public void clear() {
    youngest = 0;
    Arrays.fill(words, 0);
    Arrays.fill(ones, 0);
  }

  /**
   * Returns how many bits are ones in the slice of an age.
   *
   * @param age 0 to k + l − 1
   */
  public long ones(int age) {
    return ones[slice(age)];
  }

  private int slice(int age) {
    int slice = youngest + age;
    return slice < ones.length ? slice : slice - ones.length;
  }

  /** Returns the index in memory of the youngest slice. */
  public int youngest() {
    return youngest;
  }

  /** Returns the words, one slice after the other as they lie in memory; for reading only. */
  public long[] words() {
    return words;
  }

  /**
   * Takes over words that are written into {@link #words()} from outside.
   *
   * @param youngest the index in memory of the youngest slice; 0 to k + l − 1
   */
  public void restore(int youngest) {
    this.youngest = youngest;
    for (int slice = 0; slice < ones.length; slice++) {
      ones[slice] = Ones.count(words, slice * sliceWords, (slice + 1) * sliceWords);
    }
  }

  /** Makes this ring equal to one of the same measures. */
  public void copyFrom(SliceRing other) {
    System.arraycopy(other.words, 0, words, 0, words.length);
    System.arraycopy(other.ones, 0, ones, 0, ones.length);
    youngest = other.youngest;
  }
}
