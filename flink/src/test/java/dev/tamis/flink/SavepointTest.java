package dev.tamis.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.hash.KeyHasher;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Jobs that continue from a savepoint: at another parallelism, and with other parameters. */
@Timeout(180)
class SavepointTest {

  private static final int KEYS = 10_000;

  @TempDir private static Path folder;

  private static final WatermarkStrategy<Long> NUMBERS_AS_MILLIS =
      WatermarkStrategy.<Long>forMonotonousTimestamps()
          .withTimestampAssigner((number, previous) -> number);

  private static String ofTwo;
  private static String ofAnHour;

  @BeforeAll
  static void writeSavepoint() throws Exception {
    ofTwo = savepoint(2, Jobs.settings());
    StreamExecutionEnvironment environment = Jobs.environment(1, Jobs.settings());
    SeenWithin<Long> seen = window(Duration.ofHours(1), 4);
    SingleOutputStreamOperator<Long> first = seen.firstOf(endless(environment)).uid("seen");
    String repeated = Jobs.collect(seen.repeatedOf(first));
    ofAnHour = Jobs.stopWithSavepoint(environment, repeated, KEYS / 20, folder);
  }

  @ParameterizedTest
  @CsvSource({"2, 4, hashmap", "4, 3, hashmap", "2, 3, rocksdb"})
  void emitsNothingAgainAtAnotherParallelism(int before, int after, String backend)
      throws Exception {
    Configuration settings = Jobs.settings();
    settings.set(StateBackendOptions.STATE_BACKEND, backend);
    String savepoint = savepoint(before, settings);
    Configuration restored = Jobs.from(savepoint);
    restored.set(StateBackendOptions.STATE_BACKEND, backend);
    assertThat(replay(after, restored, settings().build(), 0)).isEmpty();
  }

  @Test
  void acceptsAfterwardsWhatIsNew() throws Exception {
    List<Long> first = replay(3, Jobs.from(ofTwo), settings().build(), KEYS);
    assertThat(first).doesNotHaveDuplicates().allMatch(key -> key >= KEYS);
    assertThat(first).hasSizeGreaterThan(KEYS * 9 / 10);
  }

  static Stream<Arguments> otherParameters() {
    return Stream.of(
        refused(
            settings -> settings.expectedKeys(4 * KEYS),
            "expectedKeys: the state has 20000, the job asks for 40000"),
        refused(settings -> settings.fpp(0.01), "fpp: the state has 0.001, the job asks for 0.01"),
        refused(
            settings -> settings.seed(7),
            "hash: the state has xxh3 with seed 0, the job asks for xxh3 with seed 7"),
        refused(
            settings -> sized(Seen.builder(Long::intValue, KeyHasher.ints())),
            "hasher: the state has longs, the job asks for ints"),
        refused(
            settings -> settings.buckets(63), "buckets: the state has 64, the job asks for 63"));
  }

  private static Arguments refused(UnaryOperator<SeenBuilder<Long>> change, String message) {
    return Arguments.of(change, message);
  }

  @ParameterizedTest
  @MethodSource("otherParameters")
  void refusesStateOfOtherParametersByName(
      UnaryOperator<SeenBuilder<Long>> change, String message) {
    Seen<Long> other = change.apply(settings()).build();
    assertThatThrownBy(() -> replay(2, Jobs.from(ofTwo), other, 0))
        .satisfies(
            thrown ->
                assertThat(Jobs.messages(thrown))
                    .contains(message, "restore with the parameters of the state"));
  }

  @ParameterizedTest
  @CsvSource({
    "2, 4, window: the state has 3600000 ms, the job asks for 7200000 ms",
    "1, 2, generations: the state has 4, the job asks for 2",
    "1, 4, ''"
  })
  void refusesAnotherWindowByName(int hours, int generations, String message) throws Exception {
    StreamExecutionEnvironment environment = Jobs.environment(1, Jobs.from(ofAnHour));
    DataStream<Long> replayed =
        Jobs.numbers(environment, KEYS, index -> index)
            .assignTimestampsAndWatermarks(NUMBERS_AS_MILLIS);
    SeenWithin<Long> seen = window(Duration.ofHours(hours), generations);
    String output = Jobs.collect(seen.firstOf(replayed).uid("seen"));
    if (message.isEmpty()) {
      Jobs.run(environment);
      assertThat(Jobs.output(output)).isEmpty();
    } else {
      assertThatThrownBy(() -> Jobs.run(environment))
          .satisfies(thrown -> assertThat(Jobs.messages(thrown)).contains(message));
    }
  }

  @Test
  void refusesTheStateOfAWindowWithoutOne() {
    assertThatThrownBy(() -> replay(1, Jobs.from(ofAnHour), settings().build(), 0))
        .satisfies(
            thrown ->
                assertThat(Jobs.messages(thrown))
                    .contains("Incompatible key/value state types. Was [MAP]"));
  }

  private static SeenWithin<Long> window(Duration window, int generations) {
    return settings().within(window).generations(generations).build();
  }

  private static SeenBuilder<Long> settings() {
    return sized(Seen.builder(KeyHasher.longs()));
  }

  private static SeenBuilder<Long> sized(SeenBuilder<Long> builder) {
    return builder.expectedKeys(2 * KEYS).fpp(0.001).buckets(64);
  }

  private static String savepoint(int parallelism, Configuration settings) throws Exception {
    StreamExecutionEnvironment environment = Jobs.environment(parallelism, settings);
    Seen<Long> seen = settings().build();
    SingleOutputStreamOperator<Long> first = seen.firstOf(endless(environment));
    String output = Jobs.collect(first.uid("seen"));
    // with this number of repeats, the source has sent every key
    String repeated = Jobs.collect(seen.repeatedOf(first));
    String savepoint = Jobs.stopWithSavepoint(environment, repeated, KEYS / 20, folder);
    assertThat(Jobs.<Long>output(output)).doesNotHaveDuplicates();
    assertThat(Jobs.<Long>output(output)).hasSizeGreaterThan(KEYS * 99 / 100);
    return savepoint;
  }

  /** All keys, then some of them again and again. */
  private static DataStream<Long> endless(StreamExecutionEnvironment environment) {
    return Jobs.orderedNumbers(
        environment,
        Long.MAX_VALUE,
        NUMBERS_AS_MILLIS,
        index -> {
          if (index >= KEYS) {
            Thread.sleep(1);
          }
          return index % KEYS;
        });
  }

  /** Puts the keys from {@code from} on into the restored job, and returns what it accepts. */
  private static List<Long> replay(
      int parallelism, Configuration settings, Seen<Long> seen, long from) throws Exception {
    StreamExecutionEnvironment environment = Jobs.environment(parallelism, settings);
    environment.setMaxParallelism(128);
    DataStream<Long> replayed = Jobs.numbers(environment, KEYS, index -> from + index);
    String output = Jobs.collect(seen.firstOf(replayed).uid("seen"));
    Jobs.run(environment);
    return Jobs.output(output);
  }
}
