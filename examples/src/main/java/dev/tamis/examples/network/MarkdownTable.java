package dev.tamis.examples.network;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A table in Markdown; numbers are aligned right. */
final class MarkdownTable {

  private final List<String> lines = new ArrayList<>();
  private final int columns;

  /** Starts a table; an array among the heads stands for several. */
  MarkdownTable(Object... heads) {
    List<String> cells = cells(heads);
    columns = cells.size();
    lines.add(line(cells));
    lines.add("|---|" + String.join("|", Collections.nCopies(columns - 1, "---:")) + "|");
  }

  /** Adds a row, with empty cells at its end if there are too few. */
  void row(Object... values) {
    List<String> cells = new ArrayList<>(cells(values));
    cells.addAll(Collections.nCopies(columns - cells.size(), ""));
    lines.add(line(cells));
  }

  private static String line(List<String> cells) {
    return "| " + String.join(" | ", cells) + " |";
  }

  private static List<String> cells(Object... values) {
    return Stream.of(values)
        .flatMap(
            value ->
                value instanceof Object[] several
                    ? Stream.of(several)
                    : value instanceof Guesses g
                        ? Stream.of(g.trueHits(), g.falseHits(), g.trueMisses(), g.falseMisses())
                        : Stream.of(value))
        .map(MarkdownTable::text)
        .toList();
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
