package dev.tamis.sizing;

/** The checks of parameters that most filters and tools take, with one message each. */
public final class Checks {

  private Checks() {}

  /**
   * Returns {@code fpp} if it is strictly between 0 and 1; an IllegalArgumentException otherwise.
   */
  public static double fpp(double fpp) {
    if (!(fpp > 0 && fpp < 1)) { // written so that NaN fails
      throw new IllegalArgumentException("fpp must be in (0, 1), got " + FppText.exact(fpp));
    }
    return fpp;
  }

  /** Returns {@code expectedKeys} if it is at least 1; throws otherwise. */
  public static long expectedKeys(long expectedKeys) {
    return atLeast("expectedKeys", expectedKeys, 1);
  }

  /**
   * Returns {@code value} if it is at least {@code least}; otherwise throws, naming {@code name}.
   */
  public static long atLeast(String name, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(name + " must be at least " + least + ", got " + value);
    }
    return value;
  }

  /** Returns {@code value} if it is from {@code least} to {@code most}; throws otherwise. */
  public static long range(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " must be " + least + " to " + most + ", got " + value);
    }
    return value;
  }

  static void bits(long bits) {
    range("bits", bits, 1, Layout.MAX_BITS);
  }

  static void hashes(int hashes) {
    range("hashes", hashes, 1, Layout.MAX_HASHES);
  }
}
