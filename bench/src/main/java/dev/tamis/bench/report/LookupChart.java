package dev.tamis.bench.report;

import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * The chart of lookup time against filter size, hits left and misses right, by {@code lines.txt}.
 */
final class LookupChart {

  private static final int WIDTH = 560;
  private static final int LEGEND_WIDTH = 190;
  private static final int HEIGHT = 520;
  private static final double BYTES_PER_MEGABYTE = 1e6;
  private static final double MARGIN = 1.5; // above the slowest and below the fastest

  private LookupChart() {}

  /** Writes the chart as SVG. */
  static void write(Results results, OutputStream out) throws IOException {
    VectorGraphics2D graphics = new VectorGraphics2D();
    panel(results, "hit", "Keys in the filter", 0).paint(graphics, WIDTH, HEIGHT);
    graphics.translate(WIDTH, 0);
    panel(results, "miss", "Keys not in the filter", LEGEND_WIDTH)
        .paint(graphics, WIDTH + LEGEND_WIDTH, HEIGHT);
    PageSize page = new PageSize(2.0 * WIDTH + LEGEND_WIDTH, HEIGHT);
    new SVGProcessor().getDocument(graphics.getCommands(), page).writeTo(out);
  }

  private static XYChart panel(Results results, String operation, String title, int legendWidth) {
    XYChart chart = new XYChart(WIDTH + legendWidth, HEIGHT);
    chart.setTitle(title);
    chart.setXAxisTitle("size of the filter, MB");
    chart.setYAxisTitle("time of one lookup, ns");
    XYStyler styler = chart.getStyler();
    styler.setChartBackgroundColor(Color.WHITE); // whatever page it lies on
    styler.setLegendVisible(legendWidth > 0);
    styler.setLegendPosition(Styler.LegendPosition.OutsideE);
    styler.setLegendBorderColor(Color.WHITE);
    styler.setPlotBorderVisible(false);
    styler.setXAxisLogarithmic(true);
    styler.setYAxisLogarithmic(true);
    DoubleSummaryStatistics nanos = // of both panels, so that they have one scale
        Text.rows("lines.txt", 3).stream()
            .flatMap(row -> Stream.of("hit", "miss").flatMap(any -> points(results, row, any)))
            .mapToDouble(Measurement::median)
            .summaryStatistics();
    styler.setYAxisMin(nanos.getMin() / MARGIN);
    styler.setYAxisMax(nanos.getMax() * MARGIN);
    Text.rows("lines.txt", 3).forEach(row -> draw(chart, row, points(results, row, operation)));
    if (chart.getSeriesMap().isEmpty()) {
      throw new IllegalArgumentException("there are no results to draw for " + operation);
    }
    return chart;
  }

  /** Returns what a line shows: the lookups of a filter, or a kind of loads in both panels. */
  private static Stream<Measurement> points(Results results, List<String> row, String operation) {
    Stream<Measurement> points =
        row.get(0).startsWith("-")
            ? results.of("RawLoads", row.get(0).substring(1), Map.of())
            : results
                .of("LongKeys", operation, Map.of("contender", row.get(0)))
                .filter(found -> !Double.isNaN(found.bitsPerKey()));
    return points.sorted(Comparator.comparingDouble(LookupChart::megabytes));
  }

  private static double megabytes(Measurement found) {
    double bits = found.bitsPerKey() * found.number("keys");
    return (Double.isNaN(bits) ? found.number("bytes") : bits / Byte.SIZE) / BYTES_PER_MEGABYTE;
  }

  private static void draw(XYChart chart, List<String> row, Stream<Measurement> found) {
    List<Measurement> points = found.toList();
    if (points.isEmpty()) {
      return;
    }
    XYSeries series =
        chart.addSeries(
            row.get(1),
            points.stream().mapToDouble(LookupChart::megabytes).toArray(),
            points.stream().mapToDouble(Measurement::median).toArray());
    Color color = new Color(Integer.parseInt(row.get(2), 16));
    series.setLineColor(color);
    series.setMarkerColor(color);
    if (row.get(0).startsWith("-")) {
      series.setMarker(SeriesMarkers.NONE);
      series.setLineStyle(SeriesLines.DASH_DASH);
    } else {
      series.setLineStyle(SeriesLines.SOLID);
      series.setLineWidth(row.get(0).startsWith("tamis") ? 3.2f : 1.4f);
    }
  }
}
