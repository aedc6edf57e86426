package dev.tamis.examples.figures;

import java.util.List;

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
