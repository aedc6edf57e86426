package dev.tamis.sizing;

/** The ranges that every part of the arithmetic asks for, with one message each. */
final class Checks {

  private Checks() {}

  static void keys(long keys) {
    if (keys < 1) {
      throw new IllegalArgumentException("expectedKeys must be at least 1, got " + keys);
    }
  }

  static void fpp(double fpp) {
    if (!(fpp > 0 && fpp < 1)) { // written so that NaN fails
      throw new IllegalArgumentException("fpp must be in (0, 1), got " + fpp);
    }
  }

  static void bits(long bits) {
    if (bits < 1 || bits > Layout.MAX_BITS) {
      throw new IllegalArgumentException("bits must be 1 to " + Layout.MAX_BITS + ", got " + bits);
    }
  }

  static void hashes(int hashes) {
    if (hashes < 1 || hashes > Layout.MAX_HASHES) {
      throw new IllegalArgumentException(
          "hashes must be 1 to " + Layout.MAX_HASHES + ", got " + hashes);
    }
  }
}
