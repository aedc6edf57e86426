package dev.tamis.examples.figures;

import dev.tamis.examples.figures.LineChart.Axis;
import dev.tamis.sizing.CuckooSizing;
import dev.tamis.sizing.FuseSizing;
import dev.tamis.sizing.Growth;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.RibbonSizing;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.Sizing;
import dev.tamis.sizing.WindowSizing;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The fpp against what it depends on, by the formulas that size the filters. */
final class FppCharts {

  private static final long KEYS = 1_000_000;
  private static final double LN2 = Math.log(2);

  private FppCharts() {}

  /** Draws how the fpp of one filter rises as keys come in. */
  static String byKeys() {
    Shape shape = Sizing.builder().expectedKeys(KEYS).fpp(0.01).solve().shape();
    List<double[]> points =
        LongStream.rangeClosed(1, 60)
            .map(i -> i * KEYS / 20)
            .mapToObj(keys -> new double[] {(double) keys / KEYS, shape.fpp(keys)})
            .toList();
    return new LineChart(
            "A filter for 1,000,000 keys at 1 %: its fpp while keys are put",
            Axis.linear(
                "keys put, in millions",
                3,
                List.of(0.0, 1.0, 2.0, 3.0),
                List.of("0", "1", "2", "3")),
            Axis.linear(
                "fpp",
                0.4,
                List.of(0.01, 0.1, 0.2, 0.3, 0.4),
                List.of("1 %", "10 %", "20 %", "30 %", "40 %")))
        .line("default layout", "#0b57d0", points)
        .bound("expected keys", Svg.FAINT, List.of(new double[] {1, 0}, new double[] {1, 0.4}))
        .drawn();
  }

  /** Draws how the fpp depends on the number of hashes. */
  static String byHashes() {
    LineChart chart =
        new LineChart(
            "Classic layout: too few hashes test too little, too many fill the filter",
            Axis.linear(
                "k, hashes of a key",
                20,
                List.of(1.0, 5.0, 10.0, 15.0, 20.0),
                List.of("1", "5", "10", "15", "20")),
            fppAxis(1e-5, 1));
    String[] colors = {"#c25e00", "#188038", "#0b57d0"};
    int[] bitsPerKey = {5, 10, 20};
    for (int i = 0; i < bitsPerKey.length; i++) {
      long bits = bitsPerKey[i] * KEYS;
      chart.line(
          bitsPerKey[i] + " bits per key: best at k = " + Math.round(bitsPerKey[i] * LN2),
          colors[i],
          IntStream.rangeClosed(1, 20)
              .mapToObj(k -> new double[] {k, new Shape(Layout.CLASSIC, bits, k).fpp(KEYS)})
              .toList());
    }
    return chart.drawn();
  }

  /** Draws the fpp against the bits per key of every layout and every kind of filter. */
  static String byBits() {
    return new LineChart(
            "Bits per key for an fpp, 1,000,000 keys",
            fppAxis(0.1, 1e-6),
            Axis.logarithmic(
                "bits per key",
                3,
                200,
                List.of(5.0, 10.0, 20.0, 50.0, 100.0, 200.0),
                List.of("5", "10", "20", "50", "100", "200")))
        .bound("lower bound, log2(1/p)", Svg.FAINT, curve(p -> Math.log(1 / p) / LN2))
        .line("ribbon", "#681da8", curve(p -> RibbonSizing.bits(KEYS, p) / KEYS))
        .line("fuse", "#d01884", "9 3", steps(FppCharts::fuse))
        .line("cuckoo", "#188038", steps(p -> CuckooSizing.forKeys(KEYS, p).bitsPerKey()))
        .line("CLASSIC", "#0b57d0", layout(Layout.CLASSIC))
        .line("LINE", "#c25e00", "3 3", layout(Layout.LINE))
        .line("SPLIT", "#d93025", layout(Layout.SPLIT))
        .line("SPLIT_PAIR", "#00707a", "9 3", layout(Layout.SPLIT_PAIR))
        .line(
            "scalable, grown 1000-fold",
            "#7c4a2d",
            "3 3",
            curve(p -> (double) Growth.bits(KEYS / 1000, KEYS, p) / KEYS))
        .line(
            "windowed",
            "#6b6d00",
            curve(p -> WindowSizing.builder().window(KEYS).fpp(p).solve().bitsPerKey()))
        .line("counting (4 × SPLIT)", "#444a50", counting())
        .drawn();
  }

  private static double fuse(double fpp) {
    FuseSizing sizing = FuseSizing.forKeys(KEYS, 3);
    return (double) sizing.slots() * FuseSizing.fingerprintBits(fpp) / KEYS;
  }

  private static List<double[]> layout(Layout layout) {
    return curve(
        p -> Sizing.builder().expectedKeys(KEYS).fpp(p).layout(layout).solve().bitsPerKey());
  }

  /** Counters of four bits where a Bloom filter in the default layout for 1 % has bits. */
  private static List<double[]> counting() {
    return layout(Layout.SPLIT).stream()
        .map(point -> new double[] {point[0], 4 * point[1]})
        .toList();
  }

  /** Returns fpp and bits per key, from 0.1 down to 1e-6. */
  private static List<double[]> curve(DoubleUnaryOperator bitsPerKey) {
    List<double[]> points = new ArrayList<>();
    DoubleStream.iterate(1, exponent -> exponent <= 6.001, exponent -> exponent + 0.125)
        .map(exponent -> Math.pow(10, -exponent))
        .forEach(p -> points.add(new double[] {p, bitsPerKey.applyAsDouble(p)}));
    return points;
  }

  /** The same for filters whose fingerprints have whole bits, at each number of bits. */
  private static List<double[]> steps(DoubleUnaryOperator bitsPerKey) {
    return DoubleStream.concat(
            IntStream.rangeClosed(4, 19).mapToDouble(f -> Math.scalb(1.0, -f)),
            DoubleStream.of(1e-6))
        .mapToObj(p -> new double[] {p, bitsPerKey.applyAsDouble(p)})
        .toList();
  }

  private static Axis fppAxis(double from, double to) {
    double least = Math.min(from, to);
    double most = Math.max(from, to);
    List<Double> marks = new ArrayList<>();
    List<String> labels = new ArrayList<>();
    for (int exponent = 0; exponent >= -9; exponent--) {
      double mark = Math.pow(10, exponent);
      if (mark >= least * 0.99 && mark <= most * 1.01) {
        marks.add(mark);
        labels.add(
            switch (exponent) {
              case 0 -> "100 %";
              case -1 -> "10 %";
              case -2 -> "1 %";
              case -3 -> "0.1 %";
              case -4 -> "0.01 %";
              default -> "1e" + exponent;
            });
      }
    }
    return Axis.logarithmic("fpp", from, to, marks, labels);
  }

  /** Draws how much faster lookups in a slow store are behind a filter. */
  static String inFrontOfAStore() {
    return new LineChart(
            "Lookups behind a filter: store 1 ms, filter 0.1 µs",
            Axis.linear(
                "share of the keys looked up that are absent",
                1,
                List.of(0.0, 0.25, 0.5, 0.75, 1.0),
                List.of("0 %", "25 %", "50 %", "75 %", "100 %")),
            Axis.logarithmic(
                "speed compared with the store alone",
                1,
                1000,
                List.of(1.0, 2.0, 5.0, 10.0, 100.0, 1000.0),
                List.of("1×", "2×", "5×", "10×", "100×", "1000×")))
        .line("fpp 0.1 %", "#188038", speedups(0.001))
        .line("fpp 1 %", "#0b57d0", speedups(0.01))
        .line("fpp 10 %", "#c25e00", speedups(0.1))
        .drawn();
  }

  private static List<double[]> speedups(double fpp) {
    return IntStream.rangeClosed(0, 200)
        .mapToObj(i -> new double[] {i / 200.0, Math.max(1, gain(i / 200.0, fpp, 1e-3, 1e-7))})
        .toList();
  }

  /**
   * Returns the time of a lookup in the store over that behind a filter.
   *
   * @param absent the share of lookups for keys that the store does not have
   */
  static double gain(double absent, double fpp, double storeSeconds, double filterSeconds) {
    double reads = 1 - absent + absent * fpp;
    return storeSeconds / (filterSeconds + reads * storeSeconds);
  }
}
