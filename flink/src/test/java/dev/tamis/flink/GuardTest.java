package dev.tamis.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.file.FilterFile;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.redis.JedisLink;
import dev.tamis.redis.RedisBloomFilter;
import dev.tamis.redis.RedisLink;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.datastream.AsyncDataStream;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.async.AsyncFunction;
import org.apache.flink.streaming.api.functions.async.ResultFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import redis.embedded.RedisServer;

/** Which elements a guard lets through to a lookup, before and after its filter is refreshed. */
@Timeout(180)
class GuardTest {

  private static final int KEYS = 1_000;

  /** What left the job; static, because functions are serialized. */
  private static final ConcurrentLinkedQueue<Long> LOOKED_UP = new ConcurrentLinkedQueue<>();

  @TempDir private Path folder;

  @BeforeEach
  void forget() {
    LOOKED_UP.clear();
  }

  @Test
  void whatTheFilterRulesOutNeverLeavesTheJob() throws Exception {
    StreamExecutionEnvironment environment = Jobs.environment(2, Jobs.settings());
    LookupGuard<Long> guard = guard(saved("keys.tamis", filterOf(0)));
    SingleOutputStreamOperator<Long> possible =
        guard.possibleOf(Jobs.numbers(environment, 2 * KEYS, index -> index));
    String found =
        Jobs.collect(AsyncDataStream.unorderedWait(possible, new Lookup(), 10, TimeUnit.SECONDS));
    String ruledOut = Jobs.collect(guard.ruledOutOf(possible));
    Jobs.run(environment);
    assertThat(LOOKED_UP).containsAll(LongStream.range(0, KEYS).boxed().toList());
    assertThat(LOOKED_UP).hasSizeBetween(KEYS, KEYS * 11 / 10); // 1 % of the others
    assertThat(Jobs.output(found)).hasSameElementsAs(LOOKED_UP);
    Set<Object> all = new HashSet<>(LOOKED_UP);
    all.addAll(Jobs.output(ruledOut));
    assertThat(all).hasSize(2 * KEYS);
    assertThat(Jobs.output(ruledOut)).hasSize(2 * KEYS - LOOKED_UP.size());
  }

  @Test
  void aFileThatIsReplacedIsReadAgainAndADamagedOneIsNot() throws Exception {
    String path = saved("keys.tamis", filterOf(0));
    String nextPath = saved("next.tamis", filterOf(KEYS));
    String damagedPath = folder.resolve("damaged").toString();
    StreamExecutionEnvironment environment = Jobs.environment(1, Jobs.settings());
    DataStream<Long> keys =
        Jobs.orderedNumbers(
            environment,
            4 * KEYS,
            WatermarkStrategy.noWatermarks(),
            index -> {
              if (index == KEYS) { // damaged while keys of the first filter go on
                move(Files.write(Path.of(damagedPath), new byte[] {1, 2, 3}).toString(), path);
                Thread.sleep(500);
              }
              if (index == 2 * KEYS) {
                move(nextPath, path);
              }
              if (index >= 2 * KEYS && index % 10 == 0) {
                Thread.sleep(10);
              }
              return index % (2 * KEYS);
            });
    String possible = Jobs.collect(guard(path).possibleOf(keys));
    Jobs.run(environment);
    List<Long> passed = Jobs.output(possible);
    // the first filter stayed, so the first keys passed once and some of them again until refreshed
    assertThat(passed.subList(0, KEYS))
        .containsExactlyElementsOf(LongStream.range(0, KEYS).boxed().toList());
    assertThat(passed.stream().filter(key -> key >= KEYS))
        .as("keys of the second filter")
        .hasSizeGreaterThan(KEYS / 2);
  }

  @Test
  void aTaskWithoutAFilterDoesNotStart() {
    StreamExecutionEnvironment environment = Jobs.environment(1, Jobs.settings());
    String missing = folder.resolve("missing.tamis").toString();
    String unused =
        Jobs.collect(guard(missing).possibleOf(Jobs.numbers(environment, 1, index -> index)));
    assertThatThrownBy(() -> Jobs.run(environment))
        .satisfies(thrown -> assertThat(Jobs.messages(thrown)).contains("missing.tamis"));
    assertThat(Jobs.output(unused)).isEmpty();
    assertThatThrownBy(
            () ->
                LookupGuard.<Long, Long>of(
                    key -> key, FilterSource.file("keys", KeyHasher.longs()), Duration.ZERO))
        .hasMessageContaining("at least a millisecond, got PT0S");
  }

  @Test
  void aKeyThatIsNullFailsTheJobByName() throws Exception {
    KeySelector<Long, Long> noKey = number -> null;
    SeenBuilder<Long> seen =
        Seen.<Long, Long>builder(noKey, KeyHasher.longs()).expectedKeys(KEYS).fpp(0.01);
    FilterSource<Long> file =
        FilterSource.file(saved("keys.tamis", filterOf(0)), KeyHasher.longs());
    List<UnaryOperator<DataStream<Long>>> functions =
        List.of(
            seen.build()::firstOf,
            seen.within(Duration.ofSeconds(1)).build()::firstOf,
            LookupGuard.of(noKey, file, Duration.ofHours(1))::possibleOf,
            elements ->
                BroadcastGuard.of(noKey, KeyHasher.longs())
                    .possibleOf(elements, elements.map(number -> new byte[0])));
    for (UnaryOperator<DataStream<Long>> function : functions) {
      StreamExecutionEnvironment environment = Jobs.environment(1, Jobs.settings());
      DataStream<Long> elements =
          Jobs.numbers(environment, 1, index -> index)
              .assignTimestampsAndWatermarks(
                  WatermarkStrategy.<Long>forMonotonousTimestamps()
                      .withTimestampAssigner((number, previous) -> number));
      String output = Jobs.collect(function.apply(elements));
      assertThatThrownBy(() -> Jobs.run(environment))
          .satisfies(
              thrown ->
                  assertThat(Jobs.messages(thrown))
                      .contains("key: must not be null; filter out elements without a key"));
      assertThat(Jobs.output(output)).isEmpty();
    }
  }

  @Test
  void theFilterComesFromRedis() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    RedisServer server =
        RedisServer.newRedisServer().port(port).bind("127.0.0.1").setting("save \"\"").build();
    server.start();
    try {
      URI address = URI.create("redis://127.0.0.1:" + port);
      try (RedisLink link = JedisLink.to(address, Duration.ofSeconds(10), 1)) {
        RedisBloomFilter<Long> unused =
            RedisBloomFilter.<Long>builder(link, "keys", KeyHasher.longs())
                .createOrReplace(filterOf(0));
      }
      FilterSource<Long> redis =
          () -> {
            try (RedisLink link = JedisLink.to(address, Duration.ofSeconds(10), 1)) {
              byte[] bytes =
                  RedisBloomFilter.<Long>open(link, "keys", KeyHasher.longs()).toByteArray();
              return BloomFilter.readFrom(
                  new ByteArrayInputStream(bytes), KeyHasher.longs(), bytes.length);
            }
          };
      StreamExecutionEnvironment environment = Jobs.environment(2, Jobs.settings());
      String possible =
          Jobs.collect(
              LookupGuard.<Long, Long>of(key -> key, redis, Duration.ofMinutes(1))
                  .possibleOf(Jobs.numbers(environment, 2 * KEYS, index -> index)));
      Jobs.run(environment);
      assertThat(Jobs.output(possible)).hasSizeBetween(KEYS, KEYS * 11 / 10);
    } finally {
      server.stop();
    }
  }

  @Test
  void filtersComeAsAStreamAndOutliveAFailure() throws Exception {
    byte[] bytes = filterOf(0).toByteArray();
    StreamExecutionEnvironment environment =
        Jobs.environment(1, Jobs.restarting(folder.resolve("checkpoints")));
    DataStream<byte[]> filters = filters(environment, bytes, new byte[] {1}); // which is damaged
    DataStream<Long> keys =
        Jobs.orderedNumbers(
            environment,
            2 * KEYS,
            WatermarkStrategy.noWatermarks(),
            index -> {
              if (index == 0) {
                Thread.sleep(1_000); // the filter comes first
              }
              if (index == 3 * KEYS / 2) {
                Thread.sleep(1_000); // a checkpoint is taken
                if (FAILED.add(index)) {
                  throw new IllegalStateException("a failure, as the test wants it");
                }
              }
              return index;
            });
    BroadcastGuard<Long> guard = BroadcastGuard.of(key -> key, KeyHasher.longs());
    SingleOutputStreamOperator<Long> possible = guard.possibleOf(keys, filters).uid("guard");
    String passed = Jobs.collect(possible);
    String ruledOut = Jobs.collect(guard.ruledOutOf(possible));
    Jobs.run(environment);
    assertThat(FAILED).hasSize(1);
    assertThat(new HashSet<>(Jobs.output(passed))).hasSizeBetween(KEYS, KEYS * 11 / 10);
    assertThat(new HashSet<>(Jobs.output(ruledOut))).hasSizeBetween(KEYS * 9 / 10, KEYS);
  }

  @Test
  void everythingIsPossibleUntilThereIsAFilter() throws Exception {
    StreamExecutionEnvironment environment = Jobs.environment(1, Jobs.settings());
    DataStream<byte[]> none = filters(environment, new byte[0]);
    BroadcastGuard<Long> guard = BroadcastGuard.of(key -> key, KeyHasher.longs());
    String possible =
        Jobs.collect(guard.possibleOf(Jobs.numbers(environment, KEYS, index -> index), none));
    Jobs.run(environment);
    assertThat(Jobs.output(possible)).hasSize(KEYS);
  }

  private static final Set<Long> FAILED = ConcurrentHashMap.newKeySet();

  private static LookupGuard<Long> guard(String path) {
    return LookupGuard.of(
        key -> key, FilterSource.file(path, KeyHasher.longs()), Duration.ofMillis(20));
  }

  private String saved(String file, BloomFilter<Long> filter) throws IOException {
    Path path = folder.resolve(file);
    FilterFile.save(path, filter);
    return path.toString();
  }

  private static void move(String from, String to) throws IOException {
    Files.move(Path.of(from), Path.of(to), StandardCopyOption.REPLACE_EXISTING);
  }

  private static DataStream<byte[]> filters(
      StreamExecutionEnvironment environment, byte[]... files) {
    return Jobs.numbers(environment, files.length, index -> index)
        .map(index -> files[index.intValue()])
        .returns(PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);
  }

  private static BloomFilter<Long> filterOf(long from) {
    BloomFilter<Long> filter = BloomFilter.create(KeyHasher.longs(), KEYS, 0.01);
    LongStream.range(from, from + KEYS).forEach(filter::putLong);
    return filter;
  }

  /** A lookup that records its keys. */
  private static final class Lookup implements AsyncFunction<Long, Long> {

    private static final long serialVersionUID = 1;

    @Override
    public void asyncInvoke(Long key, ResultFuture<Long> result) {
      LOOKED_UP.add(key);
      result.complete(List.of(key));
    }
  }
}
