package dev.tamis.interop;

import dev.tamis.sizing.Checks;

/**
 * The textbook formula for the size, in the arithmetic of Guava and Spark: m = −n·ln p / (ln 2)².
 */
final class ClassicSize {

  private static final double LN2 = Math.log(2);

  private ClassicSize() {}

  /** Returns the bits before they are rounded up to whole words. */
  static long bits(long expectedKeys, double fpp) {
    check(expectedKeys, fpp);
    return (long) (-expectedKeys * Math.log(fpp) / (LN2 * LN2));
  }

  /**
   * Returns {@code bits} rounded up to whole words, at least one, if the format has room for them.
   */
  static long wholeWords(long bits) {
    long words = Math.max(1, bits / Long.SIZE + (bits % Long.SIZE == 0 ? 0 : 1));
    if (words > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "the format has room for "
              + Integer.MAX_VALUE
              + " words of 64 bits, this needs "
              + words
              + "; ask for fewer keys or a higher fpp");
    }
    return words * Long.SIZE;
  }

  static int hashes(long expectedKeys, long bits) {
    return Math.max(1, (int) Math.round((double) bits / expectedKeys * LN2));
  }

  static int hashes(double fpp) {
    return Math.max(1, (int) Math.round(-Math.log(fpp) / LN2));
  }

  static void check(long expectedKeys, double fpp) {
    Checks.expectedKeys(expectedKeys);
    Checks.fpp(fpp);
  }
}
