package dev.tamis.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.serialization.SimpleStringEncoder;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tasks that fail again and again, with a sink that commits at each checkpoint. */
@Timeout(180)
class RecoveryTest {

  private static final int ELEMENTS = 15_000;
  private static final int FAILURES = 6;

  /** Where the job is still to fail, before the filter and after it; static as tasks are copies. */
  private static final ConcurrentSkipListSet<Long> FAIL_BEFORE = new ConcurrentSkipListSet<>();

  private static final ConcurrentSkipListSet<Long> FAIL_AFTER = new ConcurrentSkipListSet<>();
  private static final AtomicInteger FAILED = new AtomicInteger();
  private static final AtomicInteger BEGUN_LATER = new AtomicInteger();

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"false, hashmap", "true, hashmap", "false, rocksdb", "true, rocksdb"})
  void changeNothingOfTheOutput(boolean isWindow, String backend) throws Exception {
    SeenBuilder<Long> settings =
        Seen.<Long, Long>builder(RecoveryTest::key, KeyHasher.longs())
            .expectedKeys(isWindow ? 4_000 : 10_000)
            .fpp(0.05) // so that false positives must be the same too
            .buckets(64);
    SeenFunction<Long> seen =
        isWindow ? settings.within(Duration.ofSeconds(4)).build() : settings.build();
    List<String> expected = run(seen, "hashmap", folder.resolve("without"), LongStream.empty());
    assertThat(expected).hasSizeBetween(ELEMENTS / 2, ELEMENTS * 9 / 10).doesNotHaveDuplicates();
    FAILED.set(0);
    BEGUN_LATER.set(0);
    LongStream failures = LongStream.range(1, FAILURES + 1).map(i -> i * ELEMENTS / (FAILURES + 1));
    assertThat(run(seen, backend, folder.resolve("with"), failures)).isEqualTo(expected);
    assertThat(FAILED).hasValue(FAILURES);
    // had each attempt begun at the start, checkpoints would not have been tested
    assertThat(BEGUN_LATER).hasPositiveValue();
  }

  /** One in three elements has the key of one half as far in the stream. */
  private static long key(long index) {
    return index % 3 == 2 ? index / 2 : index;
  }

  private static List<String> run(
      SeenFunction<Long> seen, String backend, Path output, LongStream failures) throws Exception {
    failures.forEach(index -> (index % 2 == 0 ? FAIL_BEFORE : FAIL_AFTER).add(index));
    Configuration settings = Jobs.restarting(output.resolve("checkpoints"));
    settings.set(StateBackendOptions.STATE_BACKEND, backend);
    StreamExecutionEnvironment environment = Jobs.environment(2, settings);
    DataStream<Long> elements =
        Jobs.orderedNumbers(
                environment,
                ELEMENTS,
                WatermarkStrategy.<Long>forMonotonousTimestamps()
                    .withTimestampAssigner((index, previous) -> index),
                index -> {
                  if (index % 20 == 0) {
                    Thread.sleep(1);
                  }
                  return index;
                })
            .map(new Failing(true))
            .setParallelism(1);
    seen.firstOf(elements)
        .map(new Failing(false))
        .sinkTo(
            FileSink.forRowFormat(
                    new org.apache.flink.core.fs.Path(output.resolve("out").toUri()),
                    new SimpleStringEncoder<Long>())
                .withRollingPolicy(OnCheckpointRollingPolicy.build())
                .build());
    Jobs.run(environment);
    return committed(output.resolve("out"));
  }

  /** Returns the lines of the files that were committed, sorted; others begin with a dot. */
  private static List<String> committed(Path folder) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> found = Files.walk(folder).filter(Files::isRegularFile)) {
      for (Path file : found.toList()) {
        if (!file.getFileName().toString().startsWith(".")) {
          lines.addAll(Files.readAllLines(file));
        }
      }
    }
    lines.sort(null);
    return lines;
  }

  /** Fails once at each of the elements it is to fail at, or at the next one. */
  private static final class Failing implements MapFunction<Long, Long> {

    private static final long serialVersionUID = 1;

    private final boolean before;
    private boolean begun;

    Failing(boolean before) {
      this.before = before;
    }

    @Override
    public Long map(Long index) {
      if (before && !begun) {
        begun = true;
        BEGUN_LATER.addAndGet(index > 0 ? 1 : 0);
      }
      ConcurrentSkipListSet<Long> failures = before ? FAIL_BEFORE : FAIL_AFTER;
      Long due = failures.floor(index);
      if (due != null && failures.remove(due)) {
        FAILED.incrementAndGet();
        throw new IllegalStateException("a failure, as the test wants it, at " + index);
      }
      return index;
    }
  }
}
