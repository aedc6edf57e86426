package dev.tamis.sizing;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;

/**
 * A table of numbers that were computed or published elsewhere, from {@code
 * src/test/resources/oracles}.
 */
record OracleTable(List<String> columns, List<List<String>> lines) {

  /** Reads a table; its first line names the columns. */
  static OracleTable read(String file) throws IOException {
    try (InputStream in = OracleTable.class.getResourceAsStream("/oracles/" + file)) {
      List<List<String>> lines =
          new String(requireNonNull(in, file).readAllBytes(), StandardCharsets.US_ASCII)
              .lines()
              .map(line -> List.of(line.split(",", -1)))
              .toList();
      return new OracleTable(lines.get(0), lines.subList(1, lines.size()));
    }
  }

  /** Returns the rows whose {@code column} has the requested value; fails if there are none. */
  List<Row> rows(String column, Predicate<String> wanted) {
    List<Row> rows = rows().stream().filter(row -> wanted.test(row.text(column))).toList();
    if (rows.isEmpty()) {
      throw new IllegalArgumentException("no such rows in column " + column);
    }
    return rows;
  }

  List<Row> rows() {
    return lines.stream().map(line -> new Row(columns, line)).toList();
  }

  record Row(List<String> columns, List<String> values) {

    String text(String column) {
      return values.get(columns.indexOf(column));
    }

    double number(String column) {
      return Double.parseDouble(text(column));
    }

    int integer(String column) {
      return Integer.parseInt(text(column));
    }
  }
}
