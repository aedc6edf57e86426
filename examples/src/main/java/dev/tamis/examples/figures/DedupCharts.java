package dev.tamis.examples.figures;

import dev.tamis.examples.figures.LineChart.Axis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Charts of what {@code bench/dedup-compare} measured, which it writes to a file. */
final class DedupCharts {

  /** The commands in the order of the legend, and their colours. */
  private static final Map<String, String> COLORS = colors();

  private static final List<Double> LINES = List.of(1e6, 1e7, 1e8);
  private static final List<String> LINE_LABELS = List.of("1e6", "1e7", "1e8");

  private final List<Row> rows;

  /** The cost of a command for a number of lines. */
  private record Row(double lines, String command, double seconds, double megabytes) {}

  private DedupCharts(List<Row> rows) {
    this.rows = rows;
  }

  private static Map<String, String> colors() {
    Map<String, String> colors = new LinkedHashMap<>();
    colors.put("tamis dedup", "#0b57d0");
    colors.put("DuckDB, SELECT DISTINCT", "#e8710a");
    colors.put("sort -u", "#188038");
    colors.put("awk '!seen[$0]++'", "#d93025");
    return colors;
  }

  /** Reads rows of lines, command, seconds and megabytes, separated by tabs, after a header. */
  static DedupCharts of(Path file) throws IOException {
    List<Row> rows = new ArrayList<>();
    List<String> lines = Files.readAllLines(file);
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split("\t", -1);
      if (cells.length != 4) {
        throw new IOException(file + ": a row must have 4 cells, got " + cells.length);
      }
      rows.add(
          new Row(
              Double.parseDouble(cells[0]),
              cells[1],
              Double.parseDouble(cells[2]),
              Double.parseDouble(cells[3])));
    }
    rows.sort(Comparator.comparingDouble(Row::lines));
    return new DedupCharts(rows);
  }

  /** Draws the seconds. */
  String seconds() {
    Axis seconds =
        Axis.logarithmic(
            "seconds", 0.1, 100, List.of(0.1, 1.0, 10.0, 100.0), List.of("0.1", "1", "10", "100"));
    return drawn(
        "Drop repeated lines of 70 bytes, 53 % distinct: time on two cores", seconds, Row::seconds);
  }

  /** Draws the peak memory. */
  String memory() {
    Axis megabytes =
        Axis.logarithmic(
            "MB",
            10,
            10_000,
            List.of(10.0, 100.0, 1_000.0, 10_000.0),
            List.of("10", "100", "1,000", "10,000"));
    return drawn("The same: peak memory of the process", megabytes, Row::megabytes);
  }

  private String drawn(String title, Axis axis, ToDoubleFunction<Row> figure) {
    LineChart chart =
        new LineChart(
            title, Axis.logarithmic("lines of input", 1e6, 1e8, LINES, LINE_LABELS), axis);
    COLORS.forEach((command, color) -> chart.line(command, color, points(command, figure)));
    return chart.drawn();
  }

  private List<double[]> points(String command, ToDoubleFunction<Row> figure) {
    return rows.stream()
        .filter(row -> row.command().equals(command))
        .map(row -> new double[] {row.lines(), figure.applyAsDouble(row)})
        .toList();
  }
}
