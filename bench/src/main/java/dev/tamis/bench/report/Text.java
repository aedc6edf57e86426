package dev.tamis.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Reads the plain tables next to these classes; writes cells and tables in Markdown. */
final class Text {

  private static final List<String> SIZE_UNITS = List.of("B", "KB", "MB", "GB");

  private Text() {}

  /** Returns the text of a resource. */
  static String of(String file) {
    try (InputStream in = Text.class.getResourceAsStream(file)) {
      return new String(Objects.requireNonNull(in, file).readAllBytes(), UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the fields of every line of a resource that is neither empty nor a comment. */
  static List<List<String>> rows(String file, int fields) {
    List<List<String>> rows =
        of(file)
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .map(line -> List.of(line.split(" \\| ", -1)))
            .toList();
    for (List<String> row : rows) {
      if (row.size() != fields) {
        throw new IllegalStateException(file + ": line: " + fields + " fields, got " + row);
      }
    }
    return rows;
  }

  /** Returns the words of a field. */
  static List<String> words(String field) {
    return List.of(field.split(" ", -1));
  }

  /** Returns a row of a table. */
  static String row(List<String> cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }

  /** Returns the head of a table of which the first {@code names} columns are text. */
  static String header(int names, List<String> columns) {
    int numbers = columns.size() - names;
    return row(columns) + "|" + "---|".repeat(names) + "---:|".repeat(numbers) + "\n";
  }

  /** Returns {@code value} by a format such as "%.2f"; empty if it is unknown. */
  static String number(String format, double value) {
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, format, value);
  }

  /** Returns a time in ns with one decimal below 100 and none above. */
  static String nanos(double nanos) {
    return number(nanos < 100 ? "%.1f" : "%.0f", nanos);
  }

  /** Returns the value of a parameter that is the size, such as 2e7 keys, 25.0 MB or 128 MiB. */
  static String size(String parameter, long value) {
    return switch (parameter) {
      case "keys" -> keys(value) + " keys";
      case "mebibytes" -> value + " MiB";
      default -> bytes((double) value);
    };
  }

  /** Returns a number of keys as 2e7. */
  static String keys(long keys) {
    int exponent = (int) Math.floor(Math.log10((double) keys));
    double mantissa = keys / Math.pow(10, exponent);
    return String.format(Locale.ROOT, "%.3g", mantissa).replaceAll("\\.?0+$", "") + "e" + exponent;
  }

  /** Returns a size in memory, in units of 1000. */
  static String bytes(double bytes) {
    int unit = 0;
    double left = bytes;
    while (left >= 1000 && unit < SIZE_UNITS.size() - 1) {
      left /= 1000;
      unit++;
    }
    return String.format(Locale.ROOT, "%.3g %s", left, SIZE_UNITS.get(unit));
  }
}
