package dev.tamis.internal.bits;

/** Words as the plain arrays that tests compare and change. */
public final class WordArrays {

  private WordArrays() {}

  /** Returns words with these values. */
  public static Words of(long... values) {
    Words words = Words.allocate(values.length);
    for (int i = 0; i < values.length; i++) {
      words.set(i, values[i]);
    }
    return words;
  }

  /** Returns the values. */
  public static long[] of(Words words) {
    long[] values = new long[Math.toIntExact(words.count())];
    for (int i = 0; i < values.length; i++) {
      values[i] = words.get(i);
    }
    return values;
  }
}
