package dev.tamis.sizing;

/** How far a printed number may be from the one that was printed. */
final class Digits {

  /** For doubles exactly at a rounding boundary. */
  private static final double EDGE = 1 + 1e-9;

  private Digits() {}

  /** Returns half a unit of the last digit of a number printed with {@code digits} of them. */
  static double half(double printed, int digits) {
    return 0.5 * EDGE * Math.pow(10, Math.floor(Math.log10(printed)) + 1 - digits);
  }

  /** Returns half a unit of the last digit that {@code printed} shows after its point. */
  static double halfOfLast(String printed) {
    int point = printed.indexOf('.');
    return 0.5 * EDGE * Math.pow(10, point < 0 ? 0 : point + 1 - printed.length());
  }
}
