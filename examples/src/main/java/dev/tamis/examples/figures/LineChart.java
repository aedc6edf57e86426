package dev.tamis.examples.figures;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A chart of lines, each labelled at its right end or, if they end together, in a legend. */
final class LineChart {

  private static final int WIDTH = 860;
  private static final int HEIGHT = 460;
  private static final int LEFT = 90;
  private static final int TOP = 50;
  private static final int RIGHT = 640; // the labels are beyond it
  private static final int BOTTOM = 390;
  private static final int LABEL_HEIGHT = 17;

  private final String title;
  private final Axis across;
  private final Axis up;
  private final List<Line> lines = new ArrayList<>();
  private boolean legend;

  /**
   * A line.
   *
   * @param label its name
   * @param color such as #d93025
   * @param dashed whether it is a bound rather than a filter
   * @param points x and y of each
   */
  record Line(String label, String color, boolean dashed, List<double[]> points) {}

  LineChart(String title, Axis across, Axis up) {
    this.title = title;
    this.across = across;
    this.up = up;
  }

  LineChart line(String label, String color, List<double[]> points) {
    lines.add(new Line(label, color, false, points));
    return this;
  }

  LineChart bound(String label, String color, List<double[]> points) {
    lines.add(new Line(label, color, true, points));
    return this;
  }

  /** Puts the labels in a column, from the top in the order of the lines. */
  LineChart withLegend() {
    legend = true;
    return this;
  }

  String drawn() {
    Svg svg = new Svg(WIDTH, HEIGHT, title);
    svg.text(LEFT, TOP - 22, "start", 17, Svg.INK, title);
    for (int i = 0; i < across.marks().size(); i++) {
      double x = x(across.marks().get(i));
      svg.line(x, TOP, x, BOTTOM, Svg.GRID, 1);
      svg.text(x, BOTTOM + 20, "middle", 13, Svg.INK, across.labels().get(i));
    }
    for (int i = 0; i < up.marks().size(); i++) {
      double y = y(up.marks().get(i));
      svg.line(LEFT, y, RIGHT, y, Svg.GRID, 1);
      svg.text(LEFT - 8, y + 4, "end", 13, Svg.INK, up.labels().get(i));
    }
    svg.text((LEFT + RIGHT) / 2.0, BOTTOM + 48, "middle", 14, Svg.INK, across.title());
    svg.upright(24, (TOP + BOTTOM) / 2.0, 14, up.title());
    svg.line(LEFT, BOTTOM, RIGHT, BOTTOM, Svg.INK, 1);
    svg.line(LEFT, TOP, LEFT, BOTTOM, Svg.INK, 1);
    lines.stream() // bounds on top, which lie under what reaches them otherwise
        .sorted(Comparator.comparing(Line::dashed))
        .forEach(line -> draw(svg, line));
    if (legend) {
      writeLegend(svg);
    } else {
      writeLabels(svg);
    }
    return svg.finished();
  }

  private void draw(Svg svg, Line line) {
    List<double[]> shown =
        line.points().stream()
            .filter(point -> across.contains(point[0]) && up.contains(point[1]))
            .map(point -> new double[] {x(point[0]), y(point[1])})
            .toList();
    svg.path(shown, line.color(), line.dashed() ? 1.5 : 2.4, line.dashed());
  }

  private void writeLegend(Svg svg) {
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      double y = TOP + 8 + i * 1.3 * LABEL_HEIGHT;
      svg.line(RIGHT + 16, y, RIGHT + 40, y, line.color(), line.dashed() ? 1.5 : 2.4);
      svg.text(RIGHT + 46, y + 4, "start", 13, Svg.INK, line.label());
    }
  }

  private void writeLabels(Svg svg) {
    List<Line> fromTheTop = new ArrayList<>(lines);
    fromTheTop.sort(Comparator.comparingDouble(line -> end(line)[1]));
    double last = Double.NEGATIVE_INFINITY;
    for (Line line : fromTheTop) {
      double[] end = end(line);
      double y = Math.max(end[1], last + LABEL_HEIGHT);
      last = y;
      svg.line(end[0] + 2, end[1], RIGHT + 14, y, line.color(), 0.6);
      svg.text(RIGHT + 18, y + 4, "start", 13, line.color(), line.label());
    }
  }

  /** Returns where a line leaves the chart. */
  private double[] end(Line line) {
    return line.points().stream()
        .filter(point -> across.contains(point[0]) && up.contains(point[1]))
        .reduce((first, second) -> second)
        .map(point -> new double[] {x(point[0]), y(point[1])})
        .orElseThrow(() -> new IllegalArgumentException(line.label() + " has no point to show"));
  }

  private double x(double value) {
    return LEFT + across.share(value) * (RIGHT - LEFT);
  }

  private double y(double value) {
    return BOTTOM - up.share(value) * (BOTTOM - TOP);
  }

  /**
   * One axis of a chart: which values it has, and how they are marked.
   *
   * @param title what it measures, with its unit
   * @param from the value at its beginning
   * @param to the value at its end
   * @param logarithmic whether equal steps are equal ratios
   * @param marks the values that have a label
   * @param labels the labels of the marks
   */
  record Axis(
      String title,
      double from,
      double to,
      boolean logarithmic,
      List<Double> marks,
      List<String> labels) {

    Axis {
      if (marks.size() != labels.size()) {
        throw new IllegalArgumentException(
            "labels must be as many as marks, " + marks.size() + ", got " + labels.size());
      }
    }

    static Axis linear(String title, double to, List<Double> marks, List<String> labels) {
      return new Axis(title, 0, to, false, marks, labels);
    }

    static Axis logarithmic(
        String title, double from, double to, List<Double> marks, List<String> labels) {
      return new Axis(title, from, to, true, marks, labels);
    }

    /** Returns where a value is, 0 at the beginning and 1 at the end. */
    double share(double value) {
      return logarithmic
          ? Math.log(value / from) / Math.log(to / from)
          : (value - from) / (to - from);
    }

    boolean contains(double value) {
      return value >= Math.min(from, to) && value <= Math.max(from, to);
    }
  }
}
