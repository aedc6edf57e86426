package dev.tamis.cli.report;

import dev.tamis.Estimate;
import dev.tamis.sizing.FppText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Writes numbers for people: short, independent of the locale, with the unit. */
public final class NumberFormats {

  private static final double WHOLE_FROM = 1000;
  private static final String[] UNITS = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  private static final double UNIT_STEP = 1000;

  private NumberFormats() {}

  /** Returns a number to three digits, such as {@code 0.0123}, {@code 9.8e-7} or {@code 12345}. */
  public static String number(double value) {
    if (!Double.isFinite(value)) {
      return String.valueOf(value);
    }
    if (Math.abs(value) >= WHOLE_FROM) {
      return new BigDecimal(value).setScale(0, RoundingMode.HALF_EVEN).toPlainString();
    }
    return FppText.rounded(value);
  }

  static String estimate(Estimate estimate) {
    return estimate.isBounded()
        ? String.format(
            Locale.ROOT, "%d (%.0f to %.0f)", estimate.rounded(), estimate.low(), estimate.high())
        : String.format(Locale.ROOT, "not estimable (at least %.0f)", estimate.low());
  }

  static String bytes(long bytes) {
    return bytes((double) bytes, 1, "");
  }

  public static String bytes(double bytes, int decimals, String beforeUnit) {
    int unit = 0;
    double value = bytes;
    while (value >= UNIT_STEP && unit < UNITS.length - 1) {
      value /= UNIT_STEP;
      unit++;
    }
    return String.format(Locale.ROOT, "%." + (unit == 0 ? 0 : decimals) + "f", value)
        + beforeUnit
        + UNITS[unit];
  }
}
