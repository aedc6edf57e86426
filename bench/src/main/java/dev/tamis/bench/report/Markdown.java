package dev.tamis.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Writes cells and tables in Markdown. */
final class Markdown {

  private static final List<String> SIZE_UNITS = List.of("B", "KB", "MB", "GB");

  private final StringBuilder text = new StringBuilder();

  /** Begins a table of which the first {@code names} columns are text, and the others numbers. */
  void header(int names, String... columns) {
    row(List.of(columns));
    text.append('|');
    for (int i = 0; i < columns.length; i++) {
      text.append(i < names ? "---|" : "---:|");
    }
    text.append('\n');
  }

  void row(List<String> cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  void line(String line) {
    text.append(line).append('\n');
  }

  void title(String title) {
    text.append("\n### ").append(title).append("\n\n");
  }

  @Override
  public String toString() {
    return text.toString();
  }

  /** Returns the time of a measurement in ns, marked if it was noisy; nothing if there is none. */
  static String nanos(Optional<Measurement> measurement) {
    return measurement
        .map(found -> (found.isNoisy() ? "~" : "") + significant(found.median()))
        .orElse("");
  }

  /** Returns {@code value} with one decimal below 100 and none above. */
  static String significant(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.1f" : "%.0f", value);
  }

  /** Returns {@code value} with so many decimals, or nothing if there is none. */
  static String decimals(OptionalDouble value, int decimals) {
    return value.isPresent()
        ? String.format(Locale.ROOT, "%." + decimals + "f", value.getAsDouble())
        : "";
  }

  /** Returns a fraction in per cent, or nothing if there is none. */
  static String percent(OptionalDouble fraction) {
    return fraction.isPresent()
        ? String.format(Locale.ROOT, "%.2f %%", 100 * fraction.getAsDouble())
        : "";
  }

  /** Returns the bytes that one operation allocated, in whole bytes. */
  static String bytes(Optional<Measurement> measurement) {
    return measurement
        .filter(found -> !Double.isNaN(found.bytes()))
        .map(found -> String.format(Locale.ROOT, "%.0f", found.bytes()))
        .orElse("");
  }

  /** Returns a number of keys as 2e7. */
  static String keys(long keys) {
    int exponent = (int) Math.floor(Math.log10((double) keys));
    double mantissa = keys / Math.pow(10, exponent);
    return String.format(Locale.ROOT, "%.3g", mantissa).replaceAll("\\.?0+$", "") + "e" + exponent;
  }

  /** Returns a size in memory, in units of 1000. */
  static String size(double bytes) {
    int unit = 0;
    double left = bytes;
    while (left >= 1000 && unit < SIZE_UNITS.size() - 1) {
      left /= 1000;
      unit++;
    }
    return String.format(Locale.ROOT, "%.3g %s", left, SIZE_UNITS.get(unit));
  }
}
