package dev.tamis.examples.flink;

import dev.tamis.flink.Seen;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/** Measures {@code Seen} and exact state for each key: time, savepoint, heap, and what is lost. */
public final class CompareState {

  private static final int PARALLELISM = 2;
  private static final double FPP = 0.001;

  private static final OutputTag<Long> REPEATED = new OutputTag<>("repeated", Types.LONG);

  /** Elements that came out, in the process of the job. */
  private static final AtomicLong FIRST = new AtomicLong();

  private static final AtomicLong AGAIN = new AtomicLong();

  private CompareState() {}

  /** Takes the number of events, four in five of them different, and the rounds. */
  public static void main(String[] args) throws Exception {
    long events = args.length > 0 ? (long) Double.parseDouble(args[0]) : 5_000_000;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 3;
    System.out.println(
        "| state | backend | s | events/s | savepoint MB | B/key | heap MB | lost |");
    System.out.println("|---|---|---:|---:|---:|---:|---:|---:|");
    for (int round = 0; round < rounds; round++) {
      for (String backend : new String[] {"hashmap", "rocksdb"}) {
        // Seen first: the heap of a job is not free before the next one has begun
        for (boolean exact : new boolean[] {false, true}) {
          measure(events, backend, exact);
        }
      }
    }
  }

  private static void measure(long events, String backend, boolean exact) throws Exception {
    long keys = events * 4 / 5;
    FIRST.set(0);
    AGAIN.set(0);
    Path folder = Files.createTempDirectory("compare-state");
    Configuration settings = new Configuration();
    settings.set(StateBackendOptions.STATE_BACKEND, backend);
    settings.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, folder.toUri().toString());
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(PARALLELISM, settings);
    DataStream<Long> source =
        environment
            .fromSource(
                new DataGeneratorSource<>(
                    index -> {
                      if (index >= events) { // goes on slowly until it is stopped
                        Thread.sleep(1);
                      }
                      return index < keys ? index : index * 7919 % keys;
                    },
                    Long.MAX_VALUE,
                    Types.LONG),
                WatermarkStrategy.noWatermarks(),
                "keys")
            .setParallelism(1);
    SingleOutputStreamOperator<Long> first;
    DataStream<Long> repeated;
    if (exact) {
      first = source.keyBy(key -> key).process(new Exact());
      repeated = first.getSideOutput(REPEATED);
    } else {
      Seen<Long> seen = Seen.<Long>builder(KeyHasher.longs()).expectedKeys(keys).fpp(FPP).build();
      first = seen.firstOf(source);
      repeated = seen.repeatedOf(first);
    }
    count(first, FIRST);
    count(repeated, AGAIN);
    long start = System.nanoTime();
    JobClient job = environment.executeAsync();
    while (FIRST.get() + AGAIN.get() < events) {
      Thread.sleep(1);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    long firsts = FIRST.get();
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    long heap = runtime.totalMemory() - runtime.freeMemory();
    String savepoint =
        job.stopWithSavepoint(false, folder.toUri().toString(), SavepointFormatType.CANONICAL)
            .get();
    long bytes = bytes(Path.of(URI.create(savepoint)));
    System.out.println(
        String.format(
            Locale.ROOT,
            "| %s | %s | %.1f | %,.0f | %.2f | %.2f | %.0f | %d |",
            exact ? "exact" : "Seen",
            backend,
            seconds,
            events / seconds,
            bytes / 1e6,
            (double) bytes / keys,
            heap / 1e6,
            keys - firsts));
    delete(folder);
  }

  private static void count(DataStream<Long> keys, AtomicLong count) {
    boolean first = count == FIRST;
    keys.map(
            key -> {
              (first ? FIRST : AGAIN).incrementAndGet();
              return key;
            })
        .returns(Types.LONG)
        .sinkTo(new DiscardingSink<>());
  }

  private static long bytes(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder).filter(Files::isRegularFile)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }

  /** What one would write without a filter: a flag for each key. */
  private static final class Exact extends KeyedProcessFunction<Long, Long, Long> {

    private static final long serialVersionUID = 1;

    private transient ValueState<Boolean> seen;

    @Override
    public void open(OpenContext context) {
      seen = getRuntimeContext().getState(new ValueStateDescriptor<>("seen", Types.BOOLEAN));
    }

    @Override
    public void processElement(Long key, Context context, Collector<Long> out) throws Exception {
      if (seen.value() == null) {
        seen.update(true);
        out.collect(key);
      } else {
        context.output(REPEATED, key);
      }
    }
  }
}
