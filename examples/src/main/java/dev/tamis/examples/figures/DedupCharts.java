package dev.tamis.examples.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Charts of what {@code bench/dedup-compare} measured, which it writes to a file. */
final class DedupCharts {

  /** The commands in the order of the legend, and their colours. */
  private static final Map<String, String> COLORS = colors();

  private static final List<Double> LINES = List.of(1e6, 1e7, 1e8);
  private static final List<String> LINE_LABELS = List.of("1e6", "1e7", "1e8");

  private final List<Row> rows;

  /** What a command took for so many lines. */
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
    LineChart chart =
        new LineChart(
            "Drop repeated lines of 70 bytes, 53 % distinct: time on two cores",
            Axis.logarithmic("lines of input", 1e6, 1e8, LINES, LINE_LABELS),
            Axis.logarithmic(
                "seconds",
                0.1,
                100,
                List.of(0.1, 1.0, 10.0, 100.0),
                List.of("0.1", "1", "10", "100")));
    COLORS.forEach((command, color) -> chart.line(command, color, points(command, false)));
    return chart.drawn();
  }

  /** Draws the peak memory. */
  String memory() {
    LineChart chart =
        new LineChart(
            "The same: peak memory of the process",
            Axis.logarithmic("lines of input", 1e6, 1e8, LINES, LINE_LABELS),
            Axis.logarithmic(
                "MB",
                10,
                10_000,
                List.of(10.0, 100.0, 1_000.0, 10_000.0),
                List.of("10", "100", "1,000", "10,000")));
    COLORS.forEach((command, color) -> chart.line(command, color, points(command, true)));
    return chart.drawn();
  }

  private List<double[]> points(String command, boolean isMemory) {
    return rows.stream()
        .filter(row -> row.command().equals(command))
        .map(row -> new double[] {row.lines(), isMemory ? row.megabytes() : row.seconds()})
        .toList();
  }
}
