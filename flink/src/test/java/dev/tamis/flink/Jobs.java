package dev.tamis.flink;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.graph.StreamGraph;

/** Jobs on Flink's runtime in this JVM, and what came out of them. */
final class Jobs {

  /** What jobs put out, by the name of the output; static, because functions are serialized. */
  private static final Map<String, ConcurrentLinkedQueue<Object>> OUTPUTS =
      new ConcurrentHashMap<>();

  private static final AtomicLong NAMES = new AtomicLong();

  /** One for all tests of a JVM, since a start takes longer than most jobs. */
  private static final MiniCluster CLUSTER = start();

  private Jobs() {}

  private static MiniCluster start() {
    Configuration settings = new Configuration();
    settings.setString(
        "metrics.reporter.test.factory.class", MetricsTest.Reporters.class.getName());
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(settings)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(4)
                .withRandomPorts()
                .build());
    try {
      cluster.start();
    } catch (Exception e) {
      throw new IllegalStateException("Flink does not start", e);
    }
    return cluster;
  }

  /** Returns the settings of a client that submits its jobs to the cluster. */
  static Configuration client() throws Exception {
    URI address = CLUSTER.getRestAddress().get(60, TimeUnit.SECONDS);
    Configuration settings = settings();
    settings.set(DeploymentOptions.TARGET, "remote");
    settings.set(RestOptions.ADDRESS, address.getHost());
    settings.set(RestOptions.PORT, address.getPort());
    return settings;
  }

  static Configuration settings() {
    Configuration settings = new Configuration();
    settings.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    settings.set(StateBackendOptions.STATE_BACKEND, "hashmap");
    return settings;
  }

  static Configuration from(String savepoint) {
    Configuration settings = settings();
    settings.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
    return settings;
  }

  /** Restarts at once, as often as it takes, from a checkpoint every 200 ms. */
  static Configuration restarting(Path checkpoints) {
    Configuration settings = settings();
    settings.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1000);
    settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ZERO);
    settings.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(200));
    settings.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints.toUri().toString());
    return settings;
  }

  static StreamExecutionEnvironment environment(int parallelism, Configuration settings) {
    return StreamExecutionEnvironment.getExecutionEnvironment(settings).setParallelism(parallelism);
  }

  static DataStream<Long> numbers(
      StreamExecutionEnvironment environment, long count, GeneratorFunction<Long, Long> numberOf) {
    return environment
        .fromSource(
            new DataGeneratorSource<>(numberOf, count, Types.LONG),
            WatermarkStrategy.noWatermarks(),
            "numbers")
        .uid(newName());
  }

  /** Numbers from one subtask, in order. */
  static DataStream<Long> orderedNumbers(
      StreamExecutionEnvironment environment,
      long count,
      WatermarkStrategy<Long> watermarks,
      GeneratorFunction<Long, Long> numberOf) {
    return environment
        .fromSource(new DataGeneratorSource<>(numberOf, count, Types.LONG), watermarks, "numbers")
        .uid(newName())
        .setParallelism(1);
  }

  /** Collects a stream, and returns the name for {@link #output}. */
  static <T> String collect(DataStream<T> stream) {
    String name = newName();
    OUTPUTS.put(name, new ConcurrentLinkedQueue<>());
    stream
        .map(
            element -> {
              queue(name).add(element);
              return element;
            })
        .returns(stream.getType())
        .sinkTo(new DiscardingSink<>());
    return name;
  }

  /** Returns a name of its own, so that no source goes on where another one stopped. */
  private static String newName() {
    return "name" + NAMES.incrementAndGet();
  }

  private static ConcurrentLinkedQueue<Object> queue(String name) {
    return requireNonNull(OUTPUTS.get(name), name);
  }

  @SuppressWarnings("unchecked")
  static <T> List<T> output(String name) {
    return (List<T>) List.copyOf(queue(name));
  }

  /** Runs a job to its end. */
  static void run(StreamExecutionEnvironment environment) throws Exception {
    CLUSTER.executeJobBlocking(graph(environment).getJobGraph());
  }

  /** Runs an unbounded job until an output has {@code count} elements; stops with a savepoint. */
  static String stopWithSavepoint(
      StreamExecutionEnvironment environment, String output, int elements, Path folder)
      throws Exception {
    JobGraph job = graph(environment).getJobGraph();
    CLUSTER.submitJob(job).get(60, TimeUnit.SECONDS);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (queue(output).size() < elements) {
      if (System.nanoTime() > deadline
          || CLUSTER.getJobStatus(job.getJobID()).get().isGloballyTerminalState()) {
        throw new AssertionError("got " + queue(output).size() + " elements of " + elements);
      }
      Thread.sleep(10);
    }
    String savepoint =
        CLUSTER
            .stopWithSavepoint(
                job.getJobID(), folder.toUri().toString(), false, SavepointFormatType.CANONICAL)
            .get(60, TimeUnit.SECONDS);
    JobResult unused = CLUSTER.requestJobResult(job.getJobID()).get(60, TimeUnit.SECONDS);
    return savepoint;
  }

  private static StreamGraph graph(StreamExecutionEnvironment environment) {
    StreamGraph graph = environment.getStreamGraph();
    String savepoint =
        environment.getConfiguration().getOptional(StateRecoveryOptions.SAVEPOINT_PATH).orElse("");
    if (!savepoint.isEmpty()) {
      graph.setSavepointRestoreSettings(SavepointRestoreSettings.forPath(savepoint, true));
    }
    return graph;
  }

  /** Returns the messages of an exception and of all its causes. */
  static String messages(Throwable thrown) {
    StringBuilder messages = new StringBuilder();
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      messages.append(cause.getMessage()).append('\n');
    }
    return messages.toString();
  }
}
