package dev.tamis.cli.report;

import java.util.ArrayList;
import java.util.List;

/** Rows of text in columns, two spaces apart. */
public final class Table {

  public enum Align {
    LEFT,
    RIGHT
  }

  private final Align[] columns;
  private final List<String[]> rows = new ArrayList<>();

  public Table(Align... columns) {
    this.columns = columns.clone();
  }

  public Table row(String... cells) {
    if (cells.length != columns.length) {
      throw new IllegalArgumentException(
          "a row has " + columns.length + " cells, got " + cells.length);
    }
    rows.add(cells.clone());
    return this;
  }

  /** Returns the rows, padded to the same width. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.length; i++) {
        String padding = " ".repeat(width(i) - row[i].length());
        line.append(i == 0 ? "" : "  ");
        line.append(columns[i] == Align.LEFT ? row[i] + padding : padding + row[i]);
      }
      lines.add(line.toString());
    }
    return lines;
  }

  @Override
  public String toString() {
    return String.join("", lines().stream().map(line -> line.stripTrailing() + "\n").toList());
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row[column].length()).max().orElse(0);
  }
}
