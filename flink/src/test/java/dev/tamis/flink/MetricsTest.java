package dev.tamis.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.hash.KeyHasher;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is in Flink's metrics after a job. */
@Timeout(180)
class MetricsTest {

  private static final int KEYS = 20_000;

  private static final List<Named> REPORTED = new CopyOnWriteArrayList<>();

  @Test
  void tellWhatWasAcceptedAndDroppedAndHowFullTheFilterIs() throws Exception {
    REPORTED.clear();
    StreamExecutionEnvironment environment = Jobs.environment(2, Jobs.settings());
    Seen<Long> seen =
        Seen.builder(KeyHasher.longs()).expectedKeys(KEYS).fpp(0.05).buckets(64).build();
    String output =
        Jobs.collect(seen.firstOf(Jobs.numbers(environment, 2 * KEYS, index -> index % KEYS)));
    Jobs.run(environment);
    long accepted = Jobs.output(output).size();
    assertThat(count("accepted")).isEqualTo(accepted);
    assertThat(count("dropped")).isEqualTo(2 * KEYS - accepted);
    double wrongDrops = KEYS - accepted;
    double expected = values("expectedWrongDrops").stream().mapToDouble(x -> x).sum();
    assertThat(expected)
        .isBetween(wrongDrops - 6 * Math.sqrt(wrongDrops), wrongDrops + 6 * Math.sqrt(wrongDrops));
    assertThat(values("fill")).hasSize(2).allMatch(fill -> fill > 0.3 && fill < 0.6);
  }

  private static <M> List<M> metrics(Class<M> type, String name) {
    return REPORTED.stream()
        .filter(metric -> metric.name().equals(name))
        .map(metric -> type.cast(metric.metric()))
        .toList();
  }

  private static long count(String name) {
    return metrics(Counter.class, name).stream().mapToLong(Counter::getCount).sum();
  }

  private static List<Double> values(String name) {
    return metrics(Gauge.class, name).stream().map(gauge -> (Double) gauge.getValue()).toList();
  }

  private record Named(String name, Metric metric) {}

  /** Keeps what Tamis registers; public for Flink, which finds it as a service. */
  public static final class Reporters implements MetricReporterFactory {
    @Override
    public MetricReporter createMetricReporter(Properties properties) {
      return new MetricReporter() {
        @Override
        public void open(MetricConfig config) {}

        @Override
        public void close() {}

        @Override
        public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
          if (group.getMetricIdentifier(name).endsWith(".tamis." + name)) {
            REPORTED.add(new Named(name, metric));
          }
        }

        @Override
        public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {}
      };
    }
  }
}
