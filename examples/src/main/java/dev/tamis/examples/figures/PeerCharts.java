package dev.tamis.examples.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Charts of the tables in docs/benchmarks.md, so that the two cannot differ. */
final class PeerCharts {

  private static final String SECTION = "### Long keys";
  private static final String SIZE = "2e7 keys:";
  private static final int LABEL = 0;
  private static final int BITS_PER_KEY = 1;
  private static final int FPP = 2;
  private static final int PUT = 3;
  private static final int HIT = 4;
  private static final int MISS = 5;

  /** The rows that a reader compares; the others differ from these by a setting. */
  private static final List<String> TIMED =
      List.of(
          "Tamis",
          "Tamis, SIMD",
          "Tamis, classic",
          "FastFilter, blocked",
          "DataSketches",
          "Spark sketch",
          "Guava");

  private static final List<String> SIZED =
      List.of(
          "Tamis",
          "Tamis, classic",
          "Tamis, fuse",
          "FastFilter, blocked",
          "DataSketches",
          "Spark sketch",
          "Guava");

  private final List<List<String>> rows;

  private PeerCharts(List<List<String>> rows) {
    this.rows = rows;
  }

  /** Reads the rows of the largest size that the document has for long keys. */
  static PeerCharts of(Path benchmarks) throws IOException {
    List<String> lines = Files.readAllLines(benchmarks);
    int from = lines.subList(lines.indexOf(SECTION), lines.size()).indexOf(SIZE);
    if (lines.indexOf(SECTION) < 0 || from < 0) {
      throw new IOException(
          benchmarks + " must have \"" + SIZE + "\" below \"" + SECTION + "\", found none");
    }
    List<List<String>> rows =
        lines.stream()
            .skip(lines.indexOf(SECTION) + from + 4L) // the size, a blank line, and the header
            .takeWhile(line -> line.startsWith("|"))
            .map(line -> Arrays.stream(line.split("\\|")).skip(1).map(String::strip).toList())
            .toList();
    return new PeerCharts(rows);
  }

  private List<List<String>> rows(List<String> labels) {
    return labels.stream()
        .map(
            label ->
                rows.stream()
                    .filter(row -> row.get(LABEL).equals(label))
                    .findAny()
                    .orElseThrow(
                        () -> new IllegalStateException("the table has no row \"" + label + '"')))
        .toList();
  }

  /** Draws the time of the three operations. */
  String times() {
    BarChart chart =
        new BarChart(
            "ns per key, 20,000,000 keys of 64 bits, sized for 1 %, one thread",
            List.of("put", "lookup: hit", "lookup: miss"));
    for (List<String> row : rows(TIMED)) {
      List<Double> times = List.of(number(row, PUT), number(row, HIT), number(row, MISS));
      chart.row(
          new BarChart.Row(
              row.get(LABEL),
              isOurs(row),
              times,
              times.stream().map(time -> String.format(Locale.ROOT, "%.0f", time)).toList()));
    }
    return chart.drawn();
  }

  /** Draws the bits per key, with the fpp that they buy. */
  String bits() {
    BarChart chart =
        new BarChart(
            "Bits per key, and the measured fpp (lower bound at 1 %: 6.64)",
            List.of("bits per key"));
    for (List<String> row : rows(SIZED)) {
      chart.row(
          new BarChart.Row(
              row.get(LABEL),
              isOurs(row),
              List.of(number(row, BITS_PER_KEY)),
              List.of(row.get(BITS_PER_KEY) + " (" + row.get(FPP) + ")")));
    }
    return chart.drawn();
  }

  private static boolean isOurs(List<String> row) {
    return row.get(LABEL).startsWith("Tamis");
  }

  /** Reads a cell; the mark of a wide spread stays in the table. */
  private static double number(List<String> row, int column) {
    return Double.parseDouble(row.get(column).replace("~", ""));
  }
}
