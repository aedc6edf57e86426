package dev.tamis.bench.report;

import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import dev.tamis.bench.peers.Contender;
import dev.tamis.bench.peers.LongKeys;
import dev.tamis.bench.peers.RawLoads;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws the time of a look-up against the size of the filter: hits on the left, misses beside. */
final class LookupChart {

  private static final int WIDTH = 560;
  private static final int LEGEND_WIDTH = 190;
  private static final int HEIGHT = 520;
  private static final int MARKER_SIZE = 7;
  private static final double BYTES_A_MEGABYTE = 1e6;

  /** How much room there is above the slowest and below the fastest. */
  private static final double MARGIN = 1.5;

  private static final float OURS = 3.2f;
  private static final float THEIRS = 1.4f;

  /** White paper and dark ink, whatever page it lies on. */
  private static final Color PAPER = Color.WHITE;

  private static final Color INK = new Color(0x22, 0x22, 0x22);
  private static final Color GRID = new Color(0xdd, 0xdd, 0xdd);

  private static final Set<String> DRAWN = Set.of("hit", "miss", "word", "dependent");

  private static final List<Line> LINES =
      List.of(
          new Line(Contender.TAMIS, 0x0b57d0, SeriesMarkers.CIRCLE),
          new Line(Contender.TAMIS_SIMD, 0x062e6f, SeriesMarkers.DIAMOND),
          new Line(Contender.TAMIS_CLASSIC, 0x4c9aff, SeriesMarkers.SQUARE),
          new Line(Contender.TAMIS_FUSE, 0x00a3a3, SeriesMarkers.TRIANGLE_UP),
          new Line(Contender.GUAVA, 0xd93025, SeriesMarkers.CIRCLE),
          new Line(Contender.SPARK, 0xe8710a, SeriesMarkers.SQUARE),
          new Line(Contender.DATASKETCHES, 0xb8860b, SeriesMarkers.DIAMOND),
          new Line(Contender.FASTFILTER_BLOOM, 0x7cb342, SeriesMarkers.TRIANGLE_UP),
          new Line(Contender.FASTFILTER_BLOCKED, 0x188038, SeriesMarkers.TRIANGLE_DOWN),
          new Line(Contender.FASTFILTER_XOR8, 0x0d652d, SeriesMarkers.CROSS),
          new Line(Contender.COMMONS, 0xa142f4, SeriesMarkers.CIRCLE),
          new Line(Contender.ORESTES, 0x681da8, SeriesMarkers.SQUARE),
          new Line(Contender.CUCKOOFILTER4J, 0xd01884, SeriesMarkers.DIAMOND),
          new Line(Contender.PARQUET, 0x8d6e63, SeriesMarkers.TRIANGLE_UP));

  private final Results results;

  private LookupChart(Results results) {
    this.results = results;
  }

  /** Writes the chart as SVG. */
  static void write(Results results, OutputStream out) throws IOException {
    LookupChart chart = new LookupChart(results);
    VectorGraphics2D graphics = new VectorGraphics2D();
    chart.panel("hit", "Keys that are there", false).paint(graphics, WIDTH, HEIGHT);
    graphics.translate(WIDTH, 0);
    chart
        .panel("miss", "Keys that are not there", true)
        .paint(graphics, WIDTH + LEGEND_WIDTH, HEIGHT);
    PageSize page = new PageSize(2.0 * WIDTH + LEGEND_WIDTH, HEIGHT);
    new SVGProcessor().getDocument(graphics.getCommands(), page).writeTo(out);
  }

  private XYChart panel(String operation, String title, boolean legend) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH + (legend ? LEGEND_WIDTH : 0))
            .height(HEIGHT)
            .title(title)
            .xAxisTitle("size of the filter, MB")
            .yAxisTitle("time of one look-up, ns")
            .build();
    style(chart.getStyler(), legend);
    LINES.forEach(line -> draw(chart, line, operation));
    loads(chart, "word", "8-byte loads", 0x555555);
    loads(chart, "dependent", "8-byte loads, one by one", 0x999999);
    if (chart.getSeriesMap().isEmpty()) {
      throw new IllegalArgumentException("there are no results to draw for " + operation);
    }
    return chart;
  }

  private void style(XYStyler styler, boolean legend) {
    styler.setChartBackgroundColor(PAPER);
    styler.setPlotBackgroundColor(PAPER);
    styler.setChartFontColor(INK);
    styler.setLegendVisible(legend);
    styler.setLegendPosition(Styler.LegendPosition.OutsideE);
    styler.setLegendBackgroundColor(PAPER);
    styler.setLegendBorderColor(PAPER);
    styler.setPlotBorderVisible(false);
    styler.setPlotGridLinesColor(GRID);
    styler.setMarkerSize(MARKER_SIZE);
    styler.setXAxisLogarithmic(true);
    styler.setYAxisLogarithmic(true);
    DoubleSummaryStatistics nanos = nanosOfBothPanels();
    styler.setYAxisMin(nanos.getMin() / MARGIN);
    styler.setYAxisMax(nanos.getMax() * MARGIN);
  }

  /** So that the two can be compared: each by itself would have a scale of its own. */
  private DoubleSummaryStatistics nanosOfBothPanels() {
    return Stream.concat(results.of(LongKeys.class).stream(), results.of(RawLoads.class).stream())
        .filter(measurement -> DRAWN.contains(measurement.operation()))
        .mapToDouble(Measurement::median)
        .summaryStatistics();
  }

  private void draw(XYChart chart, Line line, String operation) {
    Contender contender = line.contender();
    List<Measurement> points =
        results.of(LongKeys.class).stream()
            .filter(measurement -> measurement.operation().equals(operation))
            .filter(measurement -> measurement.parameter("contender").equals(contender.id()))
            .filter(measurement -> measurement.bitsAKey().isPresent())
            .sorted(Comparator.comparingDouble(LookupChart::megabytes))
            .toList();
    if (!points.isEmpty()) {
      double[] sizes = points.stream().mapToDouble(LookupChart::megabytes).toArray();
      XYSeries series = chart.addSeries(contender.label(), sizes, medians(points));
      paint(series, line.color(), line.marker(), contender.isOurs() ? OURS : THEIRS);
    }
  }

  private void loads(XYChart chart, String operation, String label, int color) {
    List<Measurement> points =
        results.of(RawLoads.class).stream()
            .filter(measurement -> measurement.operation().equals(operation))
            .sorted(Comparator.comparingDouble(LookupChart::loadedMegabytes))
            .toList();
    if (!points.isEmpty()) {
      double[] sizes = points.stream().mapToDouble(LookupChart::loadedMegabytes).toArray();
      XYSeries series = chart.addSeries(label, sizes, medians(points));
      paint(series, color, SeriesMarkers.NONE, THEIRS);
      series.setLineStyle(
          new BasicStroke(
              THEIRS, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {4, 4}, 0));
    }
  }

  private static void paint(XYSeries series, int color, Marker marker, float width) {
    Color ink = new Color(color);
    series.setLineColor(ink);
    series.setMarkerColor(ink);
    series.setMarker(marker);
    series.setLineStyle(new BasicStroke(width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
  }

  private static double megabytes(Measurement measurement) {
    double keys = Double.parseDouble(measurement.parameter("keys"));
    return measurement.bitsAKey().orElseThrow() * keys / Byte.SIZE / BYTES_A_MEGABYTE;
  }

  private static double loadedMegabytes(Measurement measurement) {
    return Double.parseDouble(measurement.parameter("bytes")) / BYTES_A_MEGABYTE;
  }

  private static double[] medians(List<Measurement> points) {
    return points.stream().mapToDouble(Measurement::median).toArray();
  }

  /** How a contender is drawn. */
  private record Line(Contender contender, int color, Marker marker) {}
}
