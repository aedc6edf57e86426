package dev.tamis.examples.figures;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A drawing in SVG, written so that the same calls give the same bytes on every machine. */
final class Svg {

  /*
   * Why not XChart's SVG: its clips are numbered by hash codes, which differ from run to run, and a
   * chart takes a megabyte.
   */

  static final String INK = "#222222";
  static final String FAINT = "#767676";
  static final String GRID = "#e4e4e4";

  private static final String PAPER = "#ffffff";

  /** What a colour becomes on a dark page: inks are light there, and fills dark. */
  private static final Map<String, String> IN_THE_DARK =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry(PAPER, "#0d1117"),
              Map.entry(INK, "#e6e9ec"),
              Map.entry(FAINT, "#9aa4ae"),
              Map.entry(GRID, "#2b333b"),
              Map.entry("#0b57d0", "#6ea8fe"),
              Map.entry("#6fa8ff", "#4079c9"),
              Map.entry("#b9d4ff", "#284f86"),
              Map.entry("#c9dcff", "#24456f"),
              Map.entry("#188038", "#57c878"),
              Map.entry("#d93025", "#ff7b72"),
              Map.entry("#c25e00", "#f59e4c"),
              Map.entry("#681da8", "#b98cf0"),
              Map.entry("#d01884", "#ff7ac6"),
              Map.entry("#00707a", "#45c8d1"),
              Map.entry("#7c4a2d", "#d3a587"),
              Map.entry("#6b6d00", "#c8cc4a"),
              Map.entry("#444a50", "#b4bdc7"),
              Map.entry("#555555", "#b0b8c0"),
              Map.entry("#999999", "#7c8690"),
              Map.entry("#cccccc", "#4f5963"),
              Map.entry("#aaaaaa", "#56616c"),
              Map.entry("#c4cad4", "#4a545e"),
              Map.entry("#dde1e8", "#39424b"),
              Map.entry("#f2f4f8", "#161c23")));

  private final StringBuilder out = new StringBuilder();

  /** Begins a drawing, with a description for readers who cannot see it. */
  Svg(int width, int height, String description) {
    out.append("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"")
        .append(" width=\"" + width + "\" height=\"" + height + "\"")
        .append(" viewBox=\"0 0 " + width + " " + height + "\"")
        .append(" font-family=\"Helvetica, Arial, sans-serif\">\n")
        .append("<title>" + escaped(description) + "</title>\n");
    out.append("<style>@media (prefers-color-scheme: dark) {\n");
    IN_THE_DARK.forEach(
        (light, dark) ->
            element("[fill='%s'] { fill: %s } [stroke='%1$s'] { stroke: %2$s }", light, dark));
    out.append("}</style>\n");
    rectangle(0, 0, width, height, PAPER);
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

  /** Draws a line through points, with dashes such as {@code 6 4}, or none. */
  Svg path(List<double[]> points, String stroke, double width, String dashes) {
    return element(
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"%s/>",
        points.stream()
            .map(point -> number(point[0]) + "," + number(point[1]))
            .collect(Collectors.joining(" ")),
        stroke,
        number(width),
        dashes.isEmpty() ? "" : " stroke-dasharray=\"" + dashes + "\"");
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
