package dev.tamis.internal.counters;

import dev.tamis.internal.bits.Words;
import dev.tamis.sizing.Checks;

/**
 * A row of small counters, numbered from 0, that saturate at their largest value and then never
 * change again.
 *
 * <p>A word holds ⌊64 / w⌋ counters of w bits, the first one in its lowest bits, and zeros above
 * them. Threads that change counters of one word exclude each other; any number may read meanwhile.
 */
public final class Counters {

  /** The fewest bits of a counter: with one bit it would be 0 or saturated, that is a bit. */
  public static final int MIN_BITS = 2;

  public static final int MAX_BITS = 16;

  /*
   * No counter straddles two words, so that readers see all of it change at once. The division by
   * the counters in a word, which need not be a power of two, is a multiplication by ⌈2^64 / them⌉:
   * the high half of the product is right for indexes below 2^58.
   */

  private final long length;
  private final int bits;
  private final int perWord;
  private final long inverse;
  private final long most;
  private final Words words;

  /** Creates {@code length} zeros of {@code bits} bits; throws if out of range or heap. */
  public Counters(long length, int bits) {
    this.words = Words.allocate(wordCount(length, bits));
    this.length = length;
    this.bits = bits;
    this.perWord = Long.SIZE / bits;
    this.inverse = Long.divideUnsigned(-1L, perWord) + 1;
    this.most = (1L << bits) - 1;
  }

  /**
   * Returns the words that counters take; an IllegalArgumentException if a value is out of range.
   */
  public static long wordCount(long length, int bits) {
    Checks.range("bits of a counter", bits, MIN_BITS, MAX_BITS);
    long perWord = Long.SIZE / bits;
    Checks.range("counters of " + bits + " bits", length, 1, Words.MAX_COUNT * perWord);
    return (length + perWord - 1) / perWord;
  }

  public long get(long index) {
    long word = wordOf(index);
    return words.get(word) >>> shiftOf(index, word) & most;
  }

  /** Adds {@code times} to a counter, up to saturation, and returns its former value. */
  public long add(long index, long times) {
    long word = wordOf(index);
    int shift = shiftOf(index, word);
    long[] segment = words.segment(word);
    int at = words.at(word);
    long value = segment[at] >>> shift & most;
    long sum = Math.min(most, value + times);
    segment[at] += (sum - value) << shift;
    return value;
  }

  /** Decrements a counter unless it is zero or saturated, and returns its former value. */
  public long decrement(long index) {
    long word = wordOf(index);
    int shift = shiftOf(index, word);
    long[] segment = words.segment(word);
    int at = words.at(word);
    long value = segment[at] >>> shift & most;
    if (value != 0 && value != most) {
      segment[at] -= 1L << shift;
    }
    return value;
  }

  /** Adds the counters of a row of the same shape; returns how many are no longer zero. */
  long addAll(Counters other, long from, long to) {
    long filled = 0;
    for (long index = from; index < to; index++) {
      long times = other.get(index);
      if (times != 0) {
        filled += add(index, times) == 0 ? 1 : 0;
      }
    }
    return filled;
  }

  public long prefetch(long index) {
    return words.get(wordOf(index));
  }

  /** Returns the value at which a counter saturates. */
  public long maxCount() {
    return most;
  }

  /** Returns how many counters have this value. Costs one pass. */
  public long count(long value) {
    long found = 0;
    for (long index = 0; index < length; index++) {
      found += get(index) == value ? 1 : 0;
    }
    return found;
  }

  /** Returns a bit for each counter: whether it is above zero. Costs one pass. */
  public Words nonZeros() {
    Words bitmap = Words.allocate((length + Long.SIZE - 1) / Long.SIZE);
    for (long word = 0; word < bitmap.count(); word++) {
      long first = word * Long.SIZE;
      long end = Math.min(length, first + Long.SIZE);
      long bits = 0;
      for (long index = first; index < end; index++) {
        bits |= (get(index) == 0 ? 0L : 1L) << index;
      }
      bitmap.set(word, bits);
    }
    return bitmap;
  }

  /** Returns whether the bits that belong to no counter are zero, as they must be in a file. */
  public boolean unusedBitsAreZero() {
    int used = perWord * bits;
    int inLast = (int) (length - (words.count() - 1) * perWord) * bits;
    long unused = 0;
    for (long word = 0; word < words.count() - 1 && used < Long.SIZE; word++) {
      unused |= words.get(word) >>> used;
    }
    return unused == 0 && (inLast == Long.SIZE || words.last() >>> inLast == 0);
  }

  public long length() {
    return length;
  }

  public int bits() {
    return bits;
  }

  public Words words() {
    return words;
  }

  int perWord() {
    return perWord;
  }

  long wordOf(long index) {
    return Math.multiplyHigh(index, inverse);
  }

  private int shiftOf(long index, long word) {
    return (int) (index - word * perWord) * bits;
  }
}
