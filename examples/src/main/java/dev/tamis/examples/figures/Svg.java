package dev.tamis.examples.figures;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A drawing in SVG, written so that the same calls give the same bytes on every machine. */
final class Svg {

  /*
   * Why not XChart's SVG: its clips are numbered by hash codes, which differ from run to run, and a
   * chart takes a megabyte.
   */

  static final String INK = "#222222";
  static final String FAINT = "#999999";
  static final String GRID = "#e4e4e4";

  private final StringBuilder out = new StringBuilder();

  /** Begins a drawing on white, with a description for readers who cannot see it. */
  Svg(int width, int height, String description) {
    out.append("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"")
        .append(" width=\"" + width + "\" height=\"" + height + "\"")
        .append(" viewBox=\"0 0 " + width + " " + height + "\"")
        .append(" font-family=\"Helvetica, Arial, sans-serif\">\n")
        .append("<title>" + escaped(description) + "</title>\n");
    rectangle(0, 0, width, height, "#ffffff");
  }

  Svg rectangle(double x, double y, double width, double height, String fill) {
    return element(
        "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=\"%s\"/>",
        number(x), number(y), number(width), number(height), fill);
  }

  Svg box(double x, double y, double width, double height, String fill, String stroke) {
    return element(
        "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=\"%s\" stroke=\"%s\"/>",
        number(x), number(y), number(width), number(height), fill, stroke);
  }

  Svg line(double fromX, double fromY, double toX, double toY, String stroke, double width) {
    return element(
        "<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\" stroke=\"%s\" stroke-width=\"%s\"/>",
        number(fromX), number(fromY), number(toX), number(toY), stroke, number(width));
  }

  Svg path(List<double[]> points, String stroke, double width, boolean dashed) {
    return element(
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"%s/>",
        points.stream()
            .map(point -> number(point[0]) + "," + number(point[1]))
            .collect(Collectors.joining(" ")),
        stroke,
        number(width),
        dashed ? " stroke-dasharray=\"6 4\"" : "");
  }

  Svg dot(double x, double y, double radius, String fill) {
    return element(
        "<circle cx=\"%s\" cy=\"%s\" r=\"%s\" fill=\"%s\"/>",
        number(x), number(y), number(radius), fill);
  }

  /** Writes a line of text; the anchor is start, middle or end. */
  Svg text(double x, double y, String anchor, double size, String fill, String words) {
    return element(
        "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\" font-size=\"%s\" fill=\"%s\">%s</text>",
        number(x), number(y), anchor, number(size), fill, escaped(words));
  }

  /** Writes the title of an axis, from the bottom up. */
  Svg upright(double x, double y, double size, String words) {
    return element(
        "<text transform=\"translate(%s %s) rotate(-90)\" text-anchor=\"middle\" font-size=\"%s\""
            + " fill=\"%s\">%s</text>",
        number(x), number(y), number(size), INK, escaped(words));
  }

  /** Returns the whole drawing. */
  String finished() {
    return out + "</svg>\n";
  }

  private Svg element(String format, Object... values) {
    out.append(String.format(Locale.ROOT, format, values)).append('\n');
    return this;
  }

  /** Rounds to a tenth of a pixel, past what a last bit of {@code Math.log} may change. */
  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value).replaceAll("\\.0$", "");
  }

  private static String escaped(String words) {
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
