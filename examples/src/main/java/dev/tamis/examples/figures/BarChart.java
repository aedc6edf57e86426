package dev.tamis.examples.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A chart of horizontal bars in groups, one row for each filter. */
final class BarChart {

  private static final int WIDTH = 860;
  private static final int LEFT = 190;
  private static final int RIGHT = 730; // the values are beyond it
  private static final int TOP = 60;
  private static final int BAR = 15;
  private static final int GAP = 11;

  private final String title;
  private final List<String> groups;
  private final List<Row> rows = new ArrayList<>();

  /**
   * The bars of a filter.
   *
   * @param label its name
   * @param ours whether it is a filter of Tamis, which has another colour
   * @param values a bar's length for each group
   * @param texts what is written beside each bar
   */
  record Row(String label, boolean ours, List<Double> values, List<String> texts) {}

  /** Begins a chart; the groups are the bars of each row, from the top. */
  BarChart(String title, List<String> groups) {
    this.title = title;
    this.groups = groups;
  }

  BarChart row(Row row) {
    rows.add(row);
    return this;
  }

  String drawn() {
    int step = groups.size() * BAR + GAP;
    int height = TOP + rows.size() * step + 24;
    double longest =
        rows.stream()
            .flatMap(row -> row.values().stream())
            .mapToDouble(Double::doubleValue)
            .max()
            .orElseThrow();
    Svg svg = new Svg(WIDTH, height, title);
    svg.text(20, 26, "start", 17, Svg.INK, title);
    for (int group = 0; group < groups.size() && groups.size() > 1; group++) {
      svg.rectangle(LEFT + group * 150.0, 38, 12, 12, color(true, group));
      svg.text(LEFT + group * 150.0 + 18, 48, "start", 13, Svg.INK, groups.get(group));
    }
    double unit = Math.pow(10, Math.floor(Math.log10(longest)));
    double mark = longest < 2 * unit ? unit / 2 : longest < 5 * unit ? unit : 2 * unit;
    for (double value = 0; value <= longest; value += mark) {
      double x = LEFT + value / longest * (RIGHT - LEFT);
      svg.line(x, TOP - 4, x, height - 24.0, value == 0 ? Svg.INK : Svg.GRID, 1);
      String text = String.format(Locale.ROOT, mark < 1 ? "%.1f" : "%.0f", value);
      svg.text(x, height - 8.0, "middle", 12, Svg.INK, text);
    }
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      double y = TOP + (double) i * step;
      svg.text(
          LEFT - 10,
          y + groups.size() * BAR / 2.0 + 5,
          "end",
          14,
          row.ours() ? "#0b57d0" : Svg.INK,
          row.label());
      for (int group = 0; group < groups.size(); group++) {
        double length = row.values().get(group) / longest * (RIGHT - LEFT);
        double top = y + group * (double) BAR;
        svg.rectangle(LEFT, top, length, BAR - 2, color(row.ours(), group));
        svg.text(LEFT + length + 6, top + BAR - 4, "start", 12, Svg.INK, row.texts().get(group));
      }
    }
    return svg.finished();
  }

  private static String color(boolean ours, int group) {
    String[] colors =
        ours
            ? new String[] {"#0b57d0", "#6fa8ff", "#b9d4ff"}
            : new String[] {"#555555", "#999999", "#cccccc"};
    return colors[group % colors.length];
  }
}
