package dev.tamis.examples.figures;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A chart of lines, each labelled where it ends. */
final class LineChart {

  private static final int WIDTH = 860;
  private static final int HEIGHT = 460;
  private static final int LEFT = 90;
  private static final int TOP = 50;
  private static final int RIGHT = 640; // the labels are beyond it
  private static final int BOTTOM = 390;
  private static final int LABEL_HEIGHT = 17;
  private static final String BOUND = "6 4";

  private final String title;
  private final Axis across;
  private final Axis up;
  private final List<Line> lines = new ArrayList<>();

  /**
   * A line.
   *
   * @param label its name
   * @param color such as #d93025
   * @param dashes of a bound, or of a line that others would hide; empty for none
   * @param points x and y of each
   */
  record Line(String label, String color, String dashes, List<double[]> points) {
    boolean isBound() {
      return dashes.equals(BOUND);
    }
  }

  LineChart(String title, Axis across, Axis up) {
    this.title = title;
    this.across = across;
    this.up = up;
  }

  LineChart line(String label, String color, List<double[]> points) {
    return line(label, color, "", points);
  }

  LineChart line(String label, String color, String dashes, List<double[]> points) {
    lines.add(new Line(label, color, dashes, points));
    return this;
  }

  LineChart bound(String label, String color, List<double[]> points) {
    return line(label, color, BOUND, points);
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
        .sorted(Comparator.comparing(Line::isBound))
        .forEach(line -> draw(svg, line));
    writeLabels(svg);
    return svg.finished();
  }

  private void draw(Svg svg, Line line) {
    List<double[]> shown =
        line.points().stream()
            .filter(point -> across.contains(point[0]) && up.contains(point[1]))
            .map(point -> new double[] {x(point[0]), y(point[1])})
            .toList();
    svg.path(shown, line.color(), line.isBound() ? 1.5 : 2.4, line.dashes());
  }

  /**
   * Writes the labels of lines that reach the right border in a column, the others where they end.
   */
  private void writeLabels(Svg svg) {
    List<Line> atTheBorder = new ArrayList<>();
    for (Line line : lines) {
      double[] end = end(line);
      if (end[0] > RIGHT - 2) {
        atTheBorder.add(line);
      } else {
        svg.text(end[0] + 6, Math.max(TOP + 12, end[1]), "start", 13, line.color(), line.label());
      }
    }
    atTheBorder.sort(Comparator.comparingDouble(line -> end(line)[1]));
    double[] heights = atTheBorder.stream().mapToDouble(line -> end(line)[1]).toArray();
    for (int i = 1; i < heights.length; i++) {
      heights[i] = Math.max(heights[i], heights[i - 1] + LABEL_HEIGHT);
    }
    for (int i = heights.length - 1; i >= 0; i--) {
      double below = i == heights.length - 1 ? BOTTOM + LABEL_HEIGHT : heights[i + 1];
      heights[i] = Math.min(heights[i], below - LABEL_HEIGHT);
      Line line = atTheBorder.get(i);
      double[] end = end(line);
      svg.line(end[0] + 2, end[1], RIGHT + 24, heights[i], line.color(), 0.8);
      svg.text(RIGHT + 28, heights[i] + 4, "start", 13, line.color(), line.label());
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
