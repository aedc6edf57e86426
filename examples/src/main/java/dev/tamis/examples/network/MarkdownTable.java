package dev.tamis.examples.network;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** A table whose first column is text and whose others are numbers. */
final class MarkdownTable {

  private final List<String> lines = new ArrayList<>();

  MarkdownTable(String... heads) {
    lines.add("| " + String.join(" | ", heads) + " |");
    lines.add("|---|" + String.join("|", Collections.nCopies(heads.length - 1, "---:")) + "|");
  }

  /** Adds a row; whole numbers get commas, others three significant digits. */
  void row(Object... cells) {
    lines.add(
        "| " + String.join(" | ", Arrays.stream(cells).map(MarkdownTable::text).toList()) + " |");
  }

  private static String text(Object cell) {
    if (cell instanceof Double value) {
      return value == 0
          ? "0"
          : String.format(
              Locale.ROOT, value < 0.01 ? "%.1e" : value < 100 ? "%.2f" : "%,.0f", value);
    }
    return cell instanceof Number number
        ? String.format(Locale.ROOT, "%,d", number.longValue())
        : cell.toString();
  }

  @Override
  public String toString() {
    return String.join("\n", lines) + "\n";
  }
}
