package dev.tamis.examples.flink;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.file.FilterFile;
import dev.tamis.filter.BloomFilter;
import dev.tamis.flink.FilterSource;
import dev.tamis.flink.LookupGuard;
import dev.tamis.flink.Seen;
import dev.tamis.flink.SeenWithin;
import dev.tamis.hash.KeyHasher;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.AsyncDataStream;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.async.AsyncFunction;
import org.apache.flink.streaming.api.functions.async.ResultFuture;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The programs that docs/flink.md shows, each in a job. */
@Timeout(180)
class FlinkProgramsTest {

  private static final ConcurrentLinkedQueue<String> OUTPUT = new ConcurrentLinkedQueue<>();

  @TempDir private Path folder;

  @Test
  void dropsRepeats() throws Exception {
    StreamExecutionEnvironment environment = environment();
    DataStream<Event> events = events(environment);
    // region seen
    Seen<Event> seen =
        Seen.builder(Event::id, KeyHasher.text()).expectedKeys(100_000_000).fpp(0.001).build();
    SingleOutputStreamOperator<Event> first = seen.firstOf(events).uid("seen");
    DataStream<Event> repeated = seen.repeatedOf(first); // probably repeated, for an exact check
    // end seen
    collect(first, "first");
    collect(repeated, "repeated");
    environment.execute();
    assertThat(OUTPUT).containsExactlyInAnyOrder("first a", "first b", "repeated a");
  }

  @Test
  void dropsRepeatsOfAnHour() throws Exception {
    StreamExecutionEnvironment environment = environment();
    DataStream<Event> events = events(environment);
    // region within
    SeenWithin<Event> recent =
        Seen.builder(Event::id, KeyHasher.text())
            .expectedKeys(10_000_000) // in a window
            .fpp(0.001)
            .within(Duration.ofHours(1))
            .allowedLateness(Duration.ofMinutes(5))
            .build();
    SingleOutputStreamOperator<Event> first = recent.firstOf(events).uid("recent");
    DataStream<Event> late = recent.lateOf(first);
    // end within
    collect(first, "first");
    collect(late, "late");
    environment.execute();
    assertThat(OUTPUT).containsExactlyInAnyOrder("first a", "first b", "first a");
  }

  @Test
  void guardsLookups() throws Exception {
    BloomFilter<String> customers = BloomFilter.create(KeyHasher.text(), 100, 0.001);
    assertThat(customers.put("a")).isTrue();
    String path = folder.resolve("customers.tamis").toString();
    FilterFile.save(Path.of(path), customers);
    Lookup lookup = new Lookup();
    StreamExecutionEnvironment environment = environment();
    DataStream<Event> events = events(environment);
    // region guard
    LookupGuard<Event> guard =
        LookupGuard.of(Event::id, FilterSource.file(path, KeyHasher.text()), Duration.ofMinutes(1));
    SingleOutputStreamOperator<Event> possible = guard.possibleOf(events);
    DataStream<String> found = AsyncDataStream.unorderedWait(possible, lookup, 1, SECONDS);
    DataStream<Event> absent = guard.ruledOutOf(possible);
    // end guard
    found.map(FlinkProgramsTest::note).sinkTo(new DiscardingSink<>());
    collect(absent, "absent");
    environment.execute();
    assertThat(OUTPUT).containsExactlyInAnyOrder("customer a", "customer a", "absent b");
  }

  private static StreamExecutionEnvironment environment() {
    OUTPUT.clear();
    return StreamExecutionEnvironment.createLocalEnvironment(2);
  }

  private static DataStream<Event> events(StreamExecutionEnvironment environment) {
    return environment
        .fromData(new Event("a", 0), new Event("b", 1), new Event("a", 10_000_000))
        .assignTimestampsAndWatermarks(
            WatermarkStrategy.<Event>forMonotonousTimestamps()
                .withTimestampAssigner((event, previous) -> event.millis()));
  }

  private static void collect(DataStream<Event> events, String name) {
    events.map(event -> note(name + " " + event.id())).sinkTo(new DiscardingSink<>());
  }

  private static String note(String line) {
    OUTPUT.add(line);
    return line;
  }

  /** A service that records its queries. */
  private static final class Lookup implements AsyncFunction<Event, String> {

    private static final long serialVersionUID = 1;

    @Override
    public void asyncInvoke(Event event, ResultFuture<String> result) {
      result.complete(List.of("customer " + event.id()));
    }
  }

  /** An event of the programs. */
  public record Event(String id, long millis) {}
}
