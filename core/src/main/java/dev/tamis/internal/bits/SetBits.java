package dev.tamis.internal.bits;

/** Counts the set bits. */
public final class SetBits {

  private SetBits() {}

  /** Returns the number of set bits in all of {@code words}. */
  public static long count(Words words) {
    return countWords(words, 0, words.count());
  }

  /** Returns the number of set bits in the words from {@code start} to {@code end}, exclusive. */
  public static long countWords(Words words, long start, long end) {
    long count = 0;
    int run;
    for (long word = start; word < end; word += run) {
      run = words.run(word, end);
      count += count(words.segment(word), words.at(word), words.at(word) + run);
    }
    return count;
  }

  /**
   * Returns the number of set bits in the elements from {@code start} to {@code end}, exclusive.
   */
  static long count(long[] words, int start, int end) {
    long count = 0;
    for (int i = start; i < end; i++) {
      count += Long.bitCount(words[i]);
    }
    return count;
  }

  /**
   * Returns the number of set bits from bit {@code start} to {@code end}, exclusive and above it.
   */
  static long count(Words words, long start, long end) {
    long first = start >>> 6;
    long last = (end - 1) >>> 6;
    long head = -1L << start;
    long tail = -1L >>> -end; // the shift counts modulo 64, so this keeps the bits below end
    if (first == last) {
      return Long.bitCount(words.get(first) & head & tail);
    }
    return Long.bitCount(words.get(first) & head)
        + countWords(words, first + 1, last)
        + Long.bitCount(words.get(last) & tail);
  }

  /** Returns the number of set bits from {@code start} up to {@code end}, exclusive. */
  public static long count(BufferWords words, long start, long end) {
    long first = start >>> 6;
    long last = (end - 1) >>> 6;
    long before = words.get(first) & ~(-1L << start);
    long after = words.get(last) & ~(-1L >>> -end);
    long count = -((long) Long.bitCount(before) + Long.bitCount(after));
    for (long i = first; i <= last; i++) {
      count += Long.bitCount(words.get(i));
    }
    return count;
  }

  /** Returns the number of set bits in the union of two arrays of the same length. */
  public static long countUnion(Words words, Words others) {
    long count = 0;
    for (int segment = 0; segment < words.segments().length; segment++) {
      long[] mine = words.segments()[segment];
      long[] theirs = others.segments()[segment];
      for (int at = Words.FIRST; at < mine.length; at++) {
        count += Long.bitCount(mine[at] | theirs[at]);
      }
    }
    return count;
  }

  /** Returns how many bits of {@code others}, the words from {@code start} on, are not yet set. */
  public static long countMissing(Words words, long start, Words others) {
    long count = 0;
    int run;
    for (long done = 0; done < others.count(); done += run) {
      run = words.run(start + done, start + done + others.run(done, others.count()));
      long[] mine = words.segment(start + done);
      long[] theirs = others.segment(done);
      int to = words.at(start + done);
      int from = others.at(done);
      for (int i = 0; i < run; i++) {
        count += Long.bitCount(theirs[from + i] & ~mine[to + i]);
      }
    }
    return count;
  }
}
