package dev.tamis.corpus;

import dev.tamis.hash.HashFunction;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * The words of a text and the hashes of its n-grams, in buffers that are used again.
 *
 * <p>A word is what lies between two word boundaries of UAX 29, with the properties of Unicode 15.0
 * whatever the JDK, unless it consists of White_Space. Punctuation is a word, therefore. An n-gram
 * is n words in succession. A text of fewer words is one n-gram of all of them; a text without
 * words has none.
 *
 * <p>The hash of an n-gram is that of a polynomial over the hashes of its words, so that it rolls
 * along the text. Both depend on the seed or secret key of the hash function. For one thread.
 */
public final class Ngrams {

  /*
   * Words are hashed to 64 bits w; the polynomial is the sum of w(i) · P^(n-1-i) modulo 2^64. Two
   * n-grams with a different word collide as two random numbers do, because P is odd. Two with the
   * same words in another order differ by (P^i - P^j) times a random number, and P = 3 modulo 8 leaves
   * P^i - P^j few factors of two, so that no more bits are lost than the length has. The sum is mixed
   * by the finalizer of MurmurHash3, because positions in a filter need all of its bits mixed.
   */

  /** The most words of an n-gram. */
  public static final int MAX_LENGTH = 1000;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long WORD_FACTOR = 0x9FB21C651E98DF25L;
  private static final long LENGTH_FACTOR = 0x9E3779B97F4A7C15L;
  private static final int FIRST_WORDS = 1 << 10;

  private final int length;
  private final long seed;
  private final long factor;
  private final long leavingFactor;
  private final long[] ring;
  private int[] starts = new int[FIRST_WORDS];
  private int[] ends = new int[FIRST_WORDS];
  private long[] hashes = new long[FIRST_WORDS];
  private int words;
  private int count;

  /**
   * Prepares to hash n-grams.
   *
   * @param length the words of an n-gram, from 1 to {@value #MAX_LENGTH}
   * @param function the hash function of the filter, {@code filter.hasher().function()}
   */
  public Ngrams(int length, HashFunction function) {
    if (length < 1 || length > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "an n-gram must have 1 to " + MAX_LENGTH + " words, got " + length);
    }
    this.length = length;
    this.seed = function.hashLong(0);
    this.factor = (function.hashLong(1) & ~7L) | 3;
    this.ring = new long[length];
    long power = 1;
    for (int i = 0; i < length; i++) {
      power *= factor;
    }
    this.leavingFactor = power;
  }

  /** Returns the number of words between two bytes of a text, at most {@code most}. */
  public static int countWords(byte[] text, int from, int to, int most) {
    int words = 0;
    int at = from;
    while (at < to && words < most) {
      int end = WordBreak.end(text, at, to);
      words += WordBreak.isBlank(text, at, end) ? 0 : 1;
      at = end;
    }
    return words;
  }

  /**
   * Finds the n-grams between two bytes of a text in UTF-8, and returns how many there are.
   *
   * @throws IndexOutOfBoundsException if the range is not in the array
   */
  public int find(byte[] text, int from, int to) {
    Objects.checkFromToIndex(from, to, text.length);
    words = 0;
    count = 0;
    long sum = 0;
    int slot = 0;
    int at = from;
    while (at < to) {
      int end = WordBreak.end(text, at, to);
      if (!WordBreak.isBlank(text, at, end)) {
        if (words == starts.length) {
          starts = Arrays.copyOf(starts, 2 * words);
          ends = Arrays.copyOf(ends, 2 * words);
          hashes = Arrays.copyOf(hashes, 2 * words);
        }
        starts[words] = at;
        ends[words++] = end;
        long word = hashOfWord(text, at, end - at);
        sum = sum * factor + word;
        if (words > length) {
          sum -= ring[slot] * leavingFactor;
        }
        ring[slot] = word;
        slot = slot + 1 == length ? 0 : slot + 1;
        if (words >= length) {
          hashes[count++] = mixed(sum ^ seed);
        }
      }
      at = end;
    }
    if (count == 0 && words > 0) {
      hashes[count++] = mixed((sum + words) ^ seed);
    }
    return count;
  }

  private static long mixed(long sum) {
    long hash = (sum ^ (sum >>> 33)) * 0xFF51AFD7ED558CCDL;
    hash = (hash ^ (hash >>> 33)) * 0xC4CEB9FE1A85EC53L;
    return hash ^ (hash >>> 33);
  }

  private long hashOfWord(byte[] text, int from, int bytes) {
    long hash = seed + bytes * LENGTH_FACTOR;
    int at = from;
    int left = bytes;
    for (; left > Long.BYTES; left -= Long.BYTES) {
      hash = (hash ^ (long) LONGS.get(text, at)) * WORD_FACTOR;
      hash ^= hash >>> 32;
      at += Long.BYTES;
    }
    long rest;
    if (at + Long.BYTES <= text.length) {
      rest = (long) LONGS.get(text, at) & (-1L >>> (Long.SIZE - Byte.SIZE * left));
    } else {
      rest = 0;
      for (int i = left - 1; i >= 0; i--) {
        rest = rest << Byte.SIZE | (text[at + i] & 0xFF);
      }
    }
    hash = (hash ^ rest) * WORD_FACTOR;
    hash = (hash ^ (hash >>> 32)) * WORD_FACTOR;
    return hash ^ (hash >>> 29);
  }

  /** Returns the words of an n-gram. */
  public int length() {
    return length;
  }

  /** Returns the number of words that {@link #find} found. */
  public int words() {
    return words;
  }

  /** Returns the number of n-grams that {@link #find} found. */
  public int count() {
    return count;
  }

  /** Returns the hashes of the n-grams, in order from index 0 on; valid until the next call. */
  public long[] hashes() {
    return hashes;
  }

  /** Returns where an n-gram starts in the text. */
  public int start(int ngram) {
    return starts[ngram];
  }

  /** Returns where an n-gram ends in the text. */
  public int end(int ngram) {
    return ends[Math.min(words, ngram + length) - 1];
  }
}
