package dev.tamis.examples.figures;

import java.util.List;
import java.util.stream.IntStream;

/** How much faster lookups in a slow store are behind a filter, by the share that is absent. */
final class DatabaseChart {

  private DatabaseChart() {}

  static String drawn() {
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
        .line("fpp 0.1 %", "#188038", points(0.001))
        .line("fpp 1 %", "#0b57d0", points(0.01))
        .line("fpp 10 %", "#e8710a", points(0.1))
        .drawn();
  }

  private static List<double[]> points(double fpp) {
    return IntStream.rangeClosed(0, 200)
        .mapToObj(i -> new double[] {i / 200.0, Math.max(1, gain(i / 200.0, fpp, 1e-3, 1e-7))})
        .toList();
  }

  /**
   * Returns the time of a lookup in the store over that behind a filter.
   *
   * @param absent the share of lookups for keys that the store does not have
   * @param fpp the filter's
   * @param storeSeconds the time of a lookup in the store
   * @param filterSeconds the time of a lookup in the filter
   */
  static double gain(double absent, double fpp, double storeSeconds, double filterSeconds) {
    double reads = 1 - absent + absent * fpp;
    return storeSeconds / (filterSeconds + reads * storeSeconds);
  }
}
