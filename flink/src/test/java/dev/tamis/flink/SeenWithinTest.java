package dev.tamis.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@link SeenWithin} remembers, forgets and finds late, in event time. */
@Timeout(180)
class SeenWithinTest {

  private static final long WINDOW = 1_000;
  private static final int GENERATIONS = 4;
  private static final long GENERATION = WINDOW / GENERATIONS;
  private static final long LATENESS = 100;

  @TempDir private Path folder;

  @Test
  void remembersForTheWindowAndForgetsAGenerationLater() throws Exception {
    List<Long> events = new ArrayList<>();
    List<Long> expected = new ArrayList<>();
    for (int phase = 0; phase < GENERATION; phase += 7) {
      events.add(event(phase, phase)); // key and time
      events.add(event(phase, phase + WINDOW - 1));
      events.add(event(phase, phase + 2 * WINDOW - 2)); // a repeat is remembered too
      events.add(event(phase, phase + 3 * WINDOW - 2 + GENERATION));
      expected.add(event(phase, phase));
      expected.add(event(phase, phase + 3 * WINDOW - 2 + GENERATION));
    }
    events.sort((a, b) -> Long.compare(time(a), time(b)));
    assertThat(run(events, 1, 0).first()).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void dropsWhatComesBeforeInTimeAndAfterInOrder() throws Exception {
    List<Long> events = List.of(event(1, 900), event(1, 0), event(2, 2000), event(2, 700));
    Result result = run(events, 1, 10 * WINDOW);
    assertThat(result.first()).containsExactly(event(1, 900), event(2, 2000), event(2, 700));
    assertThat(result.repeated()).containsExactly(event(1, 0));
  }

  @Test
  void isLateWhenTheGenerationHasEndedAndTheLatenessIsOver() throws Exception {
    long lateFrom = GENERATION - 1 + LATENESS;
    Result result =
        run(
            List.of(
                event(1, lateFrom - 1), // the watermark follows each element
                event(2, 0),
                event(3, lateFrom),
                event(4, 0),
                event(5, GENERATION - 1),
                event(6, GENERATION)),
            1,
            0);
    assertThat(result.first())
        .containsExactlyInAnyOrder(
            event(1, lateFrom - 1), event(2, 0), event(3, lateFrom), event(6, GENERATION));
    assertThat(result.late()).containsExactlyInAnyOrder(event(4, 0), event(5, GENERATION - 1));
  }

  @Test
  void decidesByTimestampsAndNotByWhenWatermarksCome() throws Exception {
    Random random = new Random(3);
    List<Long> events = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      events.add(event(random.nextInt(700), 5 * i + random.nextInt(2_000)));
    }
    List<Long> often = sorted(run(events, 1, 2_000).first());
    assertThat(often).hasSizeBetween(1_000, 4_000);
    assertThat(sorted(run(events, 1_999, 2_000).first())).isEqualTo(often);
    assertThat(sorted(run(events, Integer.MAX_VALUE, 2_000).first())).isEqualTo(often);
  }

  @Test
  void keepsNoMoreStateThanTheWindowNeeds() throws Exception {
    StreamExecutionEnvironment environment = Jobs.environment(1, Jobs.settings());
    DataStream<Long> endless =
        Jobs.orderedNumbers(
            environment,
            Long.MAX_VALUE,
            watermarks(1, 0),
            index -> {
              if (index >= 10_000) {
                Thread.sleep(1);
              }
              return event(index % 1_000, 10 * index); // a hundred windows
            });
    String output = Jobs.collect(seen().firstOf(endless));
    Path savepoint =
        Path.of(URI.create(Jobs.stopWithSavepoint(environment, output, 10_000, folder)));
    // one filter of 250 keys at 0.0011 is half a kilobyte; five or six generations of it are kept
    assertThat(bytes(savepoint)).isLessThan(60_000);
  }

  @Test
  void refusesSettingsThatCannotBe() {
    SeenBuilder<Long> settings = Seen.builder(KeyHasher.longs()).expectedKeys(10).fpp(0.01);
    assertThatThrownBy(() -> settings.within(Duration.ofNanos(999_999)))
        .hasMessageContaining("at least a millisecond");
    SeenWithinBuilder<Long> window = settings.within(Duration.ofSeconds(1));
    assertThatThrownBy(() -> window.generations(0)).hasMessageContaining("1 to 64, got 0");
    assertThatThrownBy(() -> window.generations(65)).hasMessageContaining("1 to 64, got 65");
    assertThatThrownBy(() -> window.generations(64).build())
        .hasMessage(
            "window must be a multiple of 64 ms, as many as it has generations, got 1000 ms");
    assertThatThrownBy(() -> window.allowedLateness(Duration.ofMillis(-1)))
        .hasMessageContaining("must not be negative");
    assertThat(window.generations(1).build()).isNotNull();
  }

  private static SeenWithin<Long> seen() {
    return Seen.<Long, Long>builder(event -> event % 1_000, KeyHasher.longs())
        .expectedKeys(1_000)
        .fpp(0.01)
        .buckets(8)
        .within(Duration.ofMillis(WINDOW))
        .generations(GENERATIONS)
        .allowedLateness(Duration.ofMillis(LATENESS))
        .build();
  }

  private static Result run(List<Long> events, int every, long behind) throws Exception {
    List<Long> sent = new ArrayList<>(events);
    StreamExecutionEnvironment environment = Jobs.environment(2, Jobs.settings());
    SeenWithin<Long> seen = seen();
    SingleOutputStreamOperator<Long> first =
        seen.firstOf(
            Jobs.orderedNumbers(
                environment,
                sent.size(),
                watermarks(every, behind),
                index -> sent.get(index.intValue())));
    String accepted = Jobs.collect(first);
    String repeated = Jobs.collect(seen.repeatedOf(first));
    String late = Jobs.collect(seen.lateOf(first));
    Jobs.run(environment);
    Result result = new Result(Jobs.output(accepted), Jobs.output(repeated), Jobs.output(late));
    assertThat(result.first().size() + result.repeated().size() + result.late().size())
        .isEqualTo(events.size());
    return result;
  }

  private static WatermarkStrategy<Long> watermarks(int every, long behind) {
    return WatermarkStrategy.<Long>forGenerator(context -> new Counted(every, behind))
        .withTimestampAssigner((event, previous) -> time(event));
  }

  private static long event(long key, long time) {
    return 1_000 * time + key;
  }

  private static long time(long event) {
    return event / 1_000;
  }

  private static List<Long> sorted(List<Long> events) {
    List<Long> sorted = new ArrayList<>(events);
    Collections.sort(sorted);
    return sorted;
  }

  private static long bytes(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder).filter(Files::isRegularFile)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private record Result(List<Long> first, List<Long> repeated, List<Long> late) {}

  /** A watermark after every {@code n} elements, at the latest timestamp minus a constant. */
  private static final class Counted implements WatermarkGenerator<Long> {
    private final int every;
    private final long behind;
    private long latest = Long.MIN_VALUE / 2;
    private int count;

    Counted(int every, long behind) {
      this.every = every;
      this.behind = behind;
    }

    @Override
    public void onEvent(Long event, long timestamp, WatermarkOutput output) {
      latest = Math.max(latest, timestamp);
      if (++count % every == 0) {
        output.emitWatermark(new Watermark(latest - behind));
      }
    }

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {}
  }
}
