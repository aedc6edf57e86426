package dev.tamis.sizing;

import java.math.BigDecimal;
import java.math.MathContext;

/** Writes false-positive probabilities as people do: {@code 0.01}, {@code 1e-6}, {@code 4.2e-7}. */
public final class FppText {

  private static final MathContext THREE_DIGITS = new MathContext(3);
  private static final double PLAIN_FROM = 1e-4;
  private static final double PLAIN_TO = 1e7;

  private FppText() {}

  /** Returns all digits that tell the value from its neighbours, as a value found is quoted. */
  public static String exact(double fpp) {
    return Double.isFinite(fpp) ? text(new BigDecimal(Double.toString(fpp))) : String.valueOf(fpp);
  }

  /** Returns three significant digits, as a computed value is printed. */
  public static String rounded(double fpp) {
    return Double.isFinite(fpp)
        ? text(new BigDecimal(fpp).round(THREE_DIGITS))
        : String.valueOf(fpp);
  }

  private static String text(BigDecimal value) {
    BigDecimal digits = value.stripTrailingZeros();
    double size = Math.abs(digits.doubleValue());
    if (size == 0 || (size >= PLAIN_FROM && size < PLAIN_TO)) {
      return digits.toPlainString();
    }
    int exponent = digits.precision() - digits.scale() - 1;
    return digits.movePointLeft(exponent).toPlainString() + "e" + exponent;
  }
}
