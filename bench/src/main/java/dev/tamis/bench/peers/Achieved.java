package dev.tamis.bench.peers;

import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * A profiler that reports the fpp and the memory of the filter that is timed, with its times.
 *
 * <pre>
 * java -jar bench/target/benchmarks.jar -prof dev.tamis.bench.peers.Achieved peers.LongKeys
 * </pre>
 */
public final class Achieved implements InternalProfiler {

  // JMH makes the profiler and the benchmark, and the two know nothing of each other.
  private static volatile List<ScalarResult> latest = List.of();

  /**
   * Takes what a filter answered before it is timed.
   *
   * @param asked how many keys that are in it, and as many that are not, it was queried for
   * @param found how many of the former it said are there
   * @param wrong how many of the latter
   * @throws IllegalStateException if it denied a key
   */
  static void report(String contender, long bits, long keys, int asked, int found, int wrong) {
    if (found != asked) {
      throw new IllegalStateException(
          contender + " denied " + (asked - found) + " keys that are in it");
    }
    latest =
        List.of(scalar("fpp", (double) wrong / asked), scalar("bitsPerKey", (double) bits / keys));
  }

  private static ScalarResult scalar(String name, double value) {
    return new ScalarResult(name, value, "-", AggregationPolicy.AVG);
  }

  @Override
  public String getDescription() {
    return "Measured fpp and bits per key of the filter";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {}

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    return latest;
  }
}
