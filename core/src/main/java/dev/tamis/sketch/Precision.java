package dev.tamis.sketch;

import dev.tamis.sizing.Checks;

/** The sizes a distinct counter can have: 2^p registers, p its precision. */
final class Precision {

  /** With fewer registers than 8 the ranks would not fit the way they are packed. */
  static final int MIN = 3;

  /** 64 MiB, where the standard error is a hundredth of a percent. */
  static final int MAX = 26;

  /** 1/√I, I the Fisher information of one register, from Ertl 2023. */
  private static final double ERROR_OF_ONE_REGISTER = 0.7608621002725182;

  private Precision() {}

  static int require(long precision) {
    return (int) Checks.range("precision", precision, MIN, MAX);
  }

  static double standardError(int precision) {
    return ERROR_OF_ONE_REGISTER / Math.sqrt(1 << precision);
  }

  /** Returns the least precision with at most this standard error. */
  static int forStandardError(double standardError) {
    for (int precision = MIN; precision <= MAX; precision++) {
      if (standardError(precision) <= standardError) {
        return precision;
      }
    }
    throw new IllegalArgumentException(
        "standardError must be at least " + standardError(MAX) + ", got " + standardError);
  }

  /** Returns whether a register, as an unsigned byte, can have this value. */
  static boolean isPossible(int register, int precision) {
    int lowestRank = precision - 1;
    int highest = register >>> 2;
    return switch (highest - lowestRank) {
      case 0 -> (register & 3) == 0;
      case 1 -> (register & 1) == 0;
      default -> register == 0 || highest > lowestRank;
    };
  }
}
