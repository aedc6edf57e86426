package dev.tamis.sizing;

/** The checks of parameters that most filters and tools take, with one message each. */
public final class Checks {

  private Checks() {}

  /**
   * Returns {@code fpp} if it can be a false-positive probability.
   *
   * @throws IllegalArgumentException if it is not strictly between 0 and 1
   */
  public static double fpp(double fpp) {
    if (!(fpp > 0 && fpp < 1)) { // written so that NaN fails
      throw new IllegalArgumentException("fpp must be in (0, 1), got " + FppText.exact(fpp));
    }
    return fpp;
  }

  /**
   * Returns {@code expectedKeys} if there is at least one.
   *
   * @throws IllegalArgumentException otherwise
   */
  public static long expectedKeys(long expectedKeys) {
    return atLeast("expectedKeys", expectedKeys, 1);
  }

  /**
   * Returns {@code value} if it is at least {@code least}.
   *
   * @param name the name of the parameter, for the message
   * @throws IllegalArgumentException otherwise
   */
  public static long atLeast(String name, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(name + " must be at least " + least + ", got " + value);
    }
    return value;
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
