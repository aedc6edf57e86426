package dev.tamis.bench.report;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What one benchmark with one set of parameters gave.
 *
 * @param benchmark simple name of its class
 * @param operation what was timed
 * @param parameters as they were set
 * @param nanos time of one operation in each iteration, in ns
 * @param bytes what one operation allocated
 * @param fpp false-positive probability of the filter, as it was measured
 * @param bitsAKey all its memory over all its keys
 */
record Measurement(
    String benchmark,
    String operation,
    Map<String, String> parameters,
    List<Double> nanos,
    double bytes,
    OptionalDouble fpp,
    OptionalDouble bitsAKey) {

  private static final double NOISE = 1.2;

  Measurement {
    if (nanos.isEmpty()) {
      throw new IllegalArgumentException(benchmark + "." + operation + " has no iterations");
    }
    parameters = Map.copyOf(parameters);
    nanos = nanos.stream().sorted().toList();
  }

  /** Returns the median of the iterations. */
  double median() {
    int half = nanos.size() / 2;
    return nanos.size() % 2 == 1 ? nanos.get(half) : (nanos.get(half - 1) + nanos.get(half)) / 2;
  }

  /** Returns whether the slowest iteration took over 20 % longer than the fastest. */
  boolean isNoisy() {
    return nanos.get(nanos.size() - 1) > NOISE * nanos.get(0);
  }

  /** Returns the value of a parameter. */
  String parameter(String name) {
    String value = parameters.get(name);
    if (value == null) {
      throw new IllegalArgumentException(benchmark + " has no parameter " + name);
    }
    return value;
  }
}
