package dev.tamis.filter;

import dev.tamis.internal.bits.Mixing;
import dev.tamis.internal.bits.SetBits;
import dev.tamis.internal.bits.StripeCounts;
import dev.tamis.internal.bits.Words;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The ring of slices of a {@link WindowedBloomFilter}: a key sets a bit in each of the k youngest,
 * and is found by k in a row.
 *
 * <p>The youngest slice has age 0. Lookups need no lock. Threads that put hold a stripe each; any
 * other operation holds all of them.
 */
final class SliceRing {

  /*
   * k hashes and l generations to remember make k + l slices. A key sets one bit in each slice of
   * age 0 to k - 1; after j rotations these have age j to j + k - 1, all there while j <= l. The
   * position of the bit in a slice depends on the slice's index in memory, so nothing moves.
   *
   * A put holds the stripe of its key, not of the words it writes, which are all over k slices. So
   * bits are set by an atomic OR, and each stripe counts the bits that its holders set in each of the
   * k youngest slices; a rotation adds them up.
   *
   * A put reads all bits of its key first, so that the memory of k slices is fetched together and
   * bits already set cost no atomic operation. A lookup decides after each bit: it needs five at 1 %,
   * and fetching more at once took longer.
   */

  private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

  private final int hashes;
  private final long sliceBits;
  private final long sliceWords;
  private final Words words;
  private final long[] ones;
  private final StripeCounts added;
  private final boolean shared;
  private int youngest;

  /**
   * Creates a ring of zeros.
   *
   * @param hashes k, the slices in which a key sets a bit; at least 1
   * @param generations l, the turns for which a key is remembered; at least 1
   * @param sliceBits m, the bits of each of the k + l slices; a multiple of 64, and all of them
   *     together no more than {@link Words#MAX_COUNT} words
   * @param stripes how many stripes threads that put may hold; 0 for a single thread
   */
  SliceRing(int hashes, int generations, long sliceBits, int stripes) {
    this.hashes = hashes;
    this.sliceBits = sliceBits;
    this.sliceWords = sliceBits / Long.SIZE;
    this.ones = new long[hashes + generations];
    this.words = Words.allocate(sliceWords * ones.length);
    this.added = new StripeCounts(Math.max(1, stripes), hashes);
    this.shared = stripes > 0;
  }

  /** Returns the young slices that lack a key's bit, bit i for age i; without a branch. */
  long missing(long hash) {
    long missing = 0;
    int slice = youngest;
    for (int age = 0; age < hashes; age++) {
      missing |= (bit(hash, slice) ^ 1) << age;
      slice = slice + 1 == ones.length ? 0 : slice + 1;
    }
    return missing;
  }

  /** Sets the bits of a key that are {@link #missing}; the caller has held {@code stripe} since. */
  void put(long hash, long missing, int stripe) {
    for (long left = missing; left != 0; left &= left - 1) {
      int age = Long.numberOfTrailingZeros(left);
      int slice = slice(youngest, age);
      long position = position(hash, slice);
      if (set(position >>> 6, 1L << position)) {
        added.add(stripe, age, 1);
      }
    }
  }

  private boolean set(long word, long mask) {
    long[] segment = words.segment(word);
    int at = words.at(word);
    if (shared) {
      return ((long) CELLS.getAndBitwiseOr(segment, at, mask) & mask) == 0;
    }
    long before = segment[at];
    segment[at] = before | mask;
    return (before & mask) == 0;
  }

  /**
   * Returns whether the bit of a key is set in k slices in a row. Where a bit is missing, no run
   * can include that slice, so it jumps k slices towards the young end, up to the run it came from.
   *
   * @param from the index in memory of the youngest slice
   * @param oldest the age of the youngest slice of the oldest run that counts
   * @param newest the age of the youngest slice that counts
   */
  boolean mightContain(long hash, int from, int oldest, int newest) {
    int age = oldest;
    int run = 0;
    int runBefore = 0;
    while (age >= newest) {
      if (bit(hash, slice(from, age)) == 0) {
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

  private long bit(long hash, int slice) {
    long position = position(hash, slice);
    return words.get(position >>> 6) >>> position & 1;
  }

  /** Returns the position of a key's bit in a slice, in bits from the start of all. */
  private long position(long hash, int slice) {
    return slice * sliceBits + Mixing.reduce(Mixing.draw(hash, slice), sliceBits);
  }

  /** Rotates: each time the oldest slice is cleared and becomes the youngest. */
  void turn(int times) {
    addUp();
    for (int i = Math.min(times, ones.length); i > 0; i--) {
      youngest = youngest == 0 ? ones.length - 1 : youngest - 1;
      long start = youngest * sliceWords;
      words.clear(start, start + sliceWords);
      ones[youngest] = 0;
    }
  }

  /** Returns the index in memory of the youngest slice after {@link #turn}. */
  int youngestAfter(int times) {
    int slice = youngest - Math.min(times, ones.length);
    return slice < 0 ? slice + ones.length : slice;
  }

  private void addUp() {
    for (int age = 0; age < hashes; age++) {
      ones[slice(youngest, age)] += added.drain(age);
    }
  }

  void clear() {
    addUp();
    youngest = 0;
    words.clear();
    Arrays.fill(ones, 0);
  }

  long ones(int age) {
    return ones[slice(youngest, age)] + (age < hashes ? added.sum(age) : 0);
  }

  private int slice(int from, int age) {
    int slice = from + age;
    return slice < ones.length ? slice : slice - ones.length;
  }

  int youngest() {
    return youngest;
  }

  /** Returns the words of all slices in memory order; for reading only. */
  Words words() {
    return words;
  }

  /** Counts the bits that were read into {@link #words()}. */
  void restore(int youngest) {
    this.youngest = youngest;
    for (int slice = 0; slice < ones.length; slice++) {
      ones[slice] = SetBits.countWords(words, slice * sliceWords, (slice + 1) * sliceWords);
    }
  }

  /** Makes this empty ring equal to one of the same sizing. */
  void copyFrom(SliceRing other) {
    words.copyFrom(other.words);
    other.addUp();
    System.arraycopy(other.ones, 0, ones, 0, ones.length);
    youngest = other.youngest;
  }
}
