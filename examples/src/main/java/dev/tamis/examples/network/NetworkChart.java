package dev.tamis.examples.network;

import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import dev.tamis.hash.KeyHasher;
import dev.tamis.tools.network.PathFilter;
import dev.tamis.tools.network.PathFilter.Visit;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws false loops measured beside theory, and what a query costs by each method. */
final class NetworkChart {

  private static final int WIDTH = 560;
  private static final int HEIGHT = 420;
  private static final int MAX_HOPS = 24;
  private static final int HASHES = 4;
  private static final int PATHS = 50_000;
  private static final float THIN = 1.6f;
  private static final Color INK = new Color(0x22, 0x22, 0x22);
  private static final Color GRID = new Color(0xdd, 0xdd, 0xdd);
  private static final Map<Integer, Color> COLORS = new LinkedHashMap<>();
  private static final Color[] METHODS = {
    new Color(0xd93025), new Color(0x999999), new Color(0x0b57d0)
  };

  static {
    COLORS.put(64, new Color(0xd93025));
    COLORS.put(128, new Color(0xe8710a));
    COLORS.put(248, new Color(0x0b57d0));
  }

  /** What a query costs on a graph by a method, in transmissions. */
  record Bar(String graph, String method, double sentPerQuery) {}

  private NetworkChart() {}

  /** Writes the chart as SVG. */
  static void write(List<Bar> bars, long seed, OutputStream out) throws IOException {
    VectorGraphics2D graphics = new VectorGraphics2D();
    loops(seed).paint(graphics, WIDTH, HEIGHT);
    graphics.translate(WIDTH, 0);
    queries(bars).paint(graphics, WIDTH, HEIGHT);
    PageSize page = new PageSize(2.0 * WIDTH, HEIGHT);
    new SVGProcessor().getDocument(graphics.getCommands(), page).writeTo(out);
  }

  private static XYChart loops(long seed) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("False loops, 4 hashes: theory (lines), measured")
            .xAxisTitle("nodes on the path")
            .yAxisTitle("paths with a false loop")
            .build();
    style(chart.getStyler(), Styler.LegendPosition.InsideSE);
    chart.getStyler().setYAxisLogarithmic(true);
    chart.getStyler().setYAxisMin(1e-5);
    chart.getStyler().setYAxisMax(1.0);
    COLORS.forEach((bits, color) -> drawLoops(chart, bits, color, seed));
    return chart;
  }

  private static void drawLoops(XYChart chart, int bits, Color color, long seed) {
    PathFilter<Long> path =
        PathFilter.<Long>builder(KeyHasher.longs()).bits(bits).hashes(HASHES).maxFill(0.9).build();
    double[] hops = IntStream.rangeClosed(2, MAX_HOPS).asDoubleStream().toArray();
    double[] theory =
        IntStream.rangeClosed(2, MAX_HOPS).mapToDouble(h -> path.odds(h).falseLoop()).toArray();
    XYSeries line = chart.addSeries(bits + " bits", hops, theory);
    line.setMarker(SeriesMarkers.NONE);
    line.setLineColor(color);
    line.setLineStyle(new BasicStroke(THIN));
    double[] measured = measuredLoops(path, seed);
    List<Double> at = new ArrayList<>();
    List<Double> share = new ArrayList<>();
    for (int nodes = 2; nodes <= MAX_HOPS; nodes++) {
      if (measured[nodes] > 0) { // a logarithm has no zero
        at.add((double) nodes);
        share.add(measured[nodes]);
      }
    }
    XYSeries points = chart.addSeries(bits + " bits, measured", at, share);
    points.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Scatter);
    points.setMarkerColor(color);
    points.setMarker(SeriesMarkers.CIRCLE);
  }

  /** Returns for each number of nodes the share of paths with a false loop up to there. */
  private static double[] measuredLoops(PathFilter<Long> path, long seed) {
    long[] loops = new long[MAX_HOPS + 1];
    long node = seed << Integer.SIZE;
    for (int i = 0; i < PATHS; i++) {
      byte[] carried = path.empty(0);
      Visit answer = Visit.FIRST_VISIT;
      for (int nodes = 1; nodes <= MAX_HOPS && answer == Visit.FIRST_VISIT; nodes++) {
        answer = path.visit(carried, node++);
        if (answer == Visit.POSSIBLE_LOOP) {
          loops[nodes]++;
        }
      }
    }
    double[] shares = new double[MAX_HOPS + 1];
    long sum = 0;
    for (int nodes = 1; nodes <= MAX_HOPS; nodes++) {
      sum += loops[nodes];
      shares[nodes] = (double) sum / PATHS;
    }
    return shares;
  }

  private static CategoryChart queries(List<Bar> bars) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("Transmissions of a query within three hops")
            .yAxisTitle("transmissions")
            .build();
    style(chart.getStyler(), Styler.LegendPosition.InsideNE);
    chart.getStyler().setSeriesColors(METHODS);
    List<String> graphs = bars.stream().map(Bar::graph).distinct().toList();
    for (String method : bars.stream().map(Bar::method).distinct().toList()) {
      List<Double> sent =
          bars.stream().filter(bar -> bar.method().equals(method)).map(Bar::sentPerQuery).toList();
      chart.addSeries(method, graphs, sent);
    }
    return chart;
  }

  private static void style(AxesChartStyler styler, Styler.LegendPosition legend) {
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotBackgroundColor(Color.WHITE);
    styler.setChartFontColor(INK);
    styler.setLegendPosition(legend);
    styler.setLegendBackgroundColor(Color.WHITE);
    styler.setLegendBorderColor(GRID);
    styler.setPlotBorderVisible(false);
    styler.setPlotGridLinesColor(GRID);
    styler.setMarkerSize(5);
  }
}
