package dev.tamis.bench.report;

import dev.tamis.bench.peers.Achieved;
import dev.tamis.bench.peers.Contender;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** The result of one benchmark with one set of parameters, as JMH writes it. */
record Measurement(
    String benchmark,
    Map<String, String> params,
    Metric primaryMetric,
    Map<String, Metric> secondaryMetrics) {

  private static final double NOISE = 1.2;

  /** Returns this if it is complete, as what was read need not be. */
  Measurement checked() {
    boolean complete =
        Stream.of(benchmark, params, primaryMetric, secondaryMetrics).noneMatch(Objects::isNull);
    if (!complete || !"ns/op".equals(primaryMetric.scoreUnit)) {
      throw new IllegalArgumentException("times in ns/op, params and metrics needed, got " + this);
    }
    return this;
  }

  /** Returns this with the iterations of another round. */
  Measurement plus(Measurement other) {
    List<List<Double>> both = new ArrayList<>(primaryMetric.rawData);
    both.addAll(other.primaryMetric.rawData);
    Metric metric = new Metric(primaryMetric.score, primaryMetric.scoreUnit, both);
    return new Measurement(benchmark, params, metric, secondaryMetrics);
  }

  /** Returns whether it is of that class and method, and has those parameters among others. */
  boolean is(String className, String operation, Map<String, String> parameters) {
    return benchmark.endsWith("." + className + "." + operation)
        && params.entrySet().containsAll(parameters.entrySet());
  }

  /** Returns the value of a parameter that is a number. */
  long number(String parameter) {
    return Long.parseLong(params.getOrDefault(parameter, "0"));
  }

  /** Returns the filter that was measured. */
  Contender contender() {
    return Contender.named(params.getOrDefault("contender", ""));
  }

  /** Returns the median time of one operation with one key, in ns. */
  double median() {
    List<Double> nanos = primaryMetric.iterations();
    int half = nanos.size() / 2;
    double median =
        nanos.size() % 2 == 1 ? nanos.get(half) : (nanos.get(half - 1) + nanos.get(half)) / 2;
    return median / keysPerCall();
  }

  /** Returns whether the slowest iteration took over 20 % longer than the fastest. */
  boolean isNoisy() {
    List<Double> nanos = primaryMetric.iterations();
    return nanos.get(nanos.size() - 1) > NOISE * nanos.get(0);
  }

  /** Returns the bytes allocated by one operation with one key, NaN if unknown. */
  double bytes() {
    return score("gc.alloc.rate.norm") / keysPerCall();
  }

  /** Returns the measured false-positive probability of the filter, NaN if unknown. */
  double fpp() {
    return score(Achieved.FPP);
  }

  /** Returns all memory of the filter over all its keys, NaN if unknown. */
  double bitsPerKey() {
    return score(Achieved.BITS_PER_KEY);
  }

  private double keysPerCall() {
    return benchmark.endsWith(".put") ? number("keys") : 1; // a call puts all keys
  }

  private double score(String name) {
    return secondaryMetrics.entrySet().stream()
        .filter(entry -> entry.getKey().endsWith(name)) // some profilers' names begin with a dot
        .mapToDouble(entry -> entry.getValue().score)
        .findFirst()
        .orElse(Double.NaN);
  }

  /** A metric; {@code rawData} has the iterations of each fork. */
  record Metric(double score, String scoreUnit, List<List<Double>> rawData) {

    private List<Double> iterations() {
      return rawData.stream().flatMap(List::stream).sorted().toList();
    }
  }
}
