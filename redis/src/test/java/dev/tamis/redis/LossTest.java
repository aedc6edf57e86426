package dev.tamis.redis;

import static dev.tamis.Refusal.refuses;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.HashedMutableFilter;
import dev.tamis.Keys;
import dev.tamis.Race;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;

/** The next call notices that the server has lost a filter or a window, whatever that call is. */
class LossTest {

  private static TestServer server;
  private static JedisLink link;

  private final String name = TestServer.newName();

  @BeforeAll
  static void start() {
    server = TestServer.withOptions();
    link = server.link();
  }

  @AfterAll
  static void stop() {
    link.close();
    server.close();
  }

  /** The kinds of filter, with what they are created by and where they are. */
  enum Kind {
    PLAIN(1_000, Header.BYTES),
    WINDOW(8_000, Header.PERIOD_AT);

    private final long shardBytes;
    private final int checkedBytes;

    Kind(long shardBytes, int checkedBytes) {
      this.shardBytes = shardBytes;
      this.checkedBytes = checkedBytes;
    }

    String key(String name, int shard) {
      return Shards.keyOf(this == PLAIN ? name : name + ShardStore.WINDOW, shard);
    }

    RedisFilterBuilder<Long, ? extends HashedMutableFilter<Long>, ?> builder(
        String name, long expectedKeys) {
      return this == PLAIN
          ? TestFilters.builder(link, name, expectedKeys, 0.01)
          : TestFilters.window(link, name, Duration.ofHours(1), expectedKeys, 0.01);
    }

    RedisFilterBuilder<Long, ? extends HashedMutableFilter<Long>, ?> ofManyShards(String name) {
      var builder = builder(name, 10_000);
      builder.shardBytes(shardBytes);
      return builder;
    }

    HashedMutableFilter<Long> open(String name) {
      return this == PLAIN ? TestFilters.open(link, name) : TestFilters.openWindow(link, name);
    }

    private int shardOf(String name, long hash) {
      Server by = new Server(link);
      return (this == PLAIN ? new ShardStore(by, name) : ShardStore.ofWindow(by, name))
          .open()
          .shardOf(hash);
    }
  }

  private RedisBloomFilterBuilder<Long> builder() {
    return builder(link);
  }

  private RedisBloomFilterBuilder<Long> builder(RedisLink over) {
    return TestFilters.builder(over, name, 10_000, 0.01);
  }

  private static RedisBloomFilter<Long> filled(RedisBloomFilterBuilder<Long> builder) {
    RedisBloomFilter<Long> filter = builder.create();
    TestFilters.fill(filter, 1, 1_000);
    return filter;
  }

  private interface Loss {
    void lose(Kind kind, String name);
  }

  private static Stream<Named<Consumer<HashedMutableFilter<Long>>>> calls() {
    long[] hashes = Keys.hashes(1, 1_000).toArray();
    return Stream.of(
        Named.of("put", filter -> filter.putHash(hashes[0])),
        Named.of("query", filter -> filter.mightContainHash(hashes[0])),
        Named.of("put many", filter -> TestFilters.put(filter, hashes)),
        Named.of("query many", filter -> TestFilters.query(filter, hashes)),
        Named.of("estimate", HashedMutableFilter::approximateElementCount),
        Named.of("fpp", HashedMutableFilter::expectedFpp));
  }

  private static Stream<Named<Consumer<RedisBloomFilter<Long>>>> callsOfPlainFilters() {
    return Stream.of(
        Named.of("download", RedisBloomFilter::toByteArray),
        Named.of("expire", filter -> filter.expireAfter(Duration.ofHours(1))),
        Named.of("upload", filter -> filter.putAll(TestFilters.like(filter))));
  }

  private static void delete(Kind kind, String name) {
    server.command("DEL", kind.key(name, 0));
  }

  private static Stream<Named<Loss>> losses() {
    return Stream.of(
        Named.of("FLUSHALL", (kind, name) -> server.command("FLUSHALL")),
        Named.of("DEL", LossTest::delete),
        Named.of(
            "recreated with the same parameters",
            (kind, name) -> {
              delete(kind, name);
              kind.builder(name, 10_000).create();
            }),
        Named.of(
            "recreated as a plain filter with other parameters",
            (kind, name) -> {
              delete(kind, name);
              String as = kind == Kind.PLAIN ? name : name + ShardStore.WINDOW;
              TestFilters.builder(link, as, 20_000, 0.01).create();
            }),
        Named.of(
            "emptied, and written to by another client",
            (kind, name) -> {
              HashedMutableFilter<Long> other = kind.open(name);
              delete(kind, name);
              refuses(FilterLostException.class, () -> other.put(1L));
            }),
        Named.of(
            "overwritten",
            (kind, name) -> server.command("SET", kind.key(name, 0), "x".repeat(20_000))));
  }

  private static Stream<Arguments> lossesAndCalls() {
    Stream<Arguments> plain =
        Stream.concat(calls(), callsOfPlainFilters())
            .flatMap(call -> losses().map(loss -> Arguments.of(Kind.PLAIN, loss, call)));
    Stream<Arguments> window =
        calls().flatMap(call -> losses().map(loss -> Arguments.of(Kind.WINDOW, loss, call)));
    return Stream.concat(plain, window);
  }

  @ParameterizedTest
  @MethodSource("lossesAndCalls")
  void theNextCallNoticesTheLoss(Kind kind, Loss loss, Consumer<HashedMutableFilter<Long>> call) {
    HashedMutableFilter<Long> filter = kind.builder(name, 10_000).create();
    TestFilters.fill(filter, 1, 100);
    loss.lose(kind, name);
    assertThatThrownBy(() -> call.accept(filter))
        .isInstanceOfAny(FilterLostException.class, FilterMismatchException.class);
    refuses(FilterLostException.class, () -> filter.mightContain(1L));
    refuses(FilterLostException.class, () -> filter.put(1L));
  }

  private static Stream<Arguments> kindsAndCalls() {
    return Stream.concat(
        Stream.concat(calls(), callsOfPlainFilters()).map(call -> Arguments.of(Kind.PLAIN, call)),
        calls().map(call -> Arguments.of(Kind.WINDOW, call)));
  }

  @ParameterizedTest
  @MethodSource("kindsAndCalls")
  void theLossOfOneShardIsNoticedByEveryCallThatNeedsIt(
      Kind kind, Consumer<HashedMutableFilter<Long>> call) {
    HashedMutableFilter<Long> filter = kind.ofManyShards(name).create();
    int shard = kind.shardOf(name, TestFilters.fill(filter, 1, 1_000)[0]);
    server.command("DEL", kind.key(name, shard));
    refuses(FilterLostException.class, () -> call.accept(filter));
    refuses(FilterLostException.class, () -> kind.open(name));
    if (shard > 0) {
      refuses(
          FilterLostException.class,
          () -> kind.ofManyShards(name).createOrOpen(),
          kind.key(name, shard));
    }
    assertThat(kind.ofManyShards(name).recreateIfLost().put(1L)).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void manyThatRecreateALostFilterAtOnceEndWithOne(Kind kind) {
    HashedMutableFilter<Long> filter = kind.ofManyShards(name).create();
    server.command("DEL", kind.key(name, 1));
    refuses(FilterLostException.class, filter::expectedFpp);

    var filters = new ConcurrentLinkedQueue<HashedMutableFilter<Long>>();
    Race.run(4, thread -> filters.add(kind.ofManyShards(name).recreateIfLost()));

    assertThat(filters).hasSize(4);
    assertThat(filters.stream().filter(one -> one.put(7L))).hasSize(1);
    assertThat(filters).allMatch(one -> one.mightContain(7L));
    assertThat(kind.ofManyShards(name).recreateIfLost().mightContain(7L)).isTrue();
    assertThat(server.command("KEYS", name + "*:new:*")).isEqualTo(new Reply.Numbers(List.of()));
  }

  @ParameterizedTest
  @EnumSource
  void everyByteOfTheHeaderCountsButThePeriod(Kind kind) {
    HashedMutableFilter<Long> filter = kind.builder(name, 10_000).create();
    String key = kind.key(name, 0);
    for (int i = 0; i < kind.checkedBytes; i++) {
      String bit = Integer.toString(i * 8 + 3);
      long before = ((Reply.Whole) server.command("GETBIT", key, bit)).value();
      server.command("SETBIT", key, bit, Long.toString(1 - before));
      assertThatThrownBy(() -> kind.open(name))
          .as("byte %d", i)
          .isInstanceOfAny(FilterMismatchException.class, FilterLostException.class);
      server.command("SETBIT", key, bit, Long.toString(before));
    }
    assertThat(filter.put(1L)).isTrue();
  }

  @Test
  void aStringThatALatePutHasLeftIsStillALostFilter() {
    RedisBloomFilter<Long> filter = filled(builder());
    server.command("FLUSHALL");
    refuses(FilterLostException.class, () -> filter.put(1L));
    assertThat(server.command("EXISTS", Shards.keyOf(name, 0))).isEqualTo(new Reply.Whole(1));

    for (int i = 0; i < 3; i++) {
      refuses(FilterLostException.class, () -> TestFilters.open(link, name), "no header");
    }
    RedisBloomFilter<Long> next = builder().createOrOpen();
    assertThat(next.acceptedKeys()).isZero();
    assertThat(next.put(1L)).isTrue();
  }

  @Test
  void manyThatCreateOrOpenAtOnceShareOneFilter() {
    var filters = new ConcurrentLinkedQueue<RedisBloomFilter<Long>>();
    Race.run(4, thread -> filters.add(builder().shardBytes(1_000).createOrOpen()));
    assertThat(filters.stream().filter(one -> one.put(7L))).hasSize(1);
    assertThat(filters).allMatch(one -> one.mightContain(7L));
  }

  @Test
  void aFilterThatHasExpiredIsLost() throws InterruptedException {
    RedisBloomFilter<Long> filter = filled(builder().timeToLive(Duration.ofHours(1)));
    assertThat(((Reply.Whole) server.command("PTTL", Shards.keyOf(name, 0))).value())
        .isBetween(3_000_000L, 3_600_000L);
    filter.expireAfter(Duration.ofMillis(1));
    while (!server.command("EXISTS", Shards.keyOf(name, 0)).equals(new Reply.Whole(0))) {
      Thread.onSpinWait();
    }
    refuses(FilterLostException.class, () -> filter.mightContain(1L));
  }

  @Test
  void aDeletedFilterIsLostAndLeavesNothing() {
    RedisBloomFilter<Long> filter = filled(builder().shardBytes(1_000));
    assertThat(RedisBloomFilter.delete(link, name)).isTrue();
    assertThat(server.command("KEYS", name + ":*")).isEqualTo(new Reply.Numbers(List.of()));
    refuses(FilterLostException.class, () -> filter.mightContain(1L));
    assertThat(RedisBloomFilter.delete(link, name)).isFalse();
  }

  @Test
  void theKeyOfSomethingElseIsRefused() {
    server.command("HSET", Shards.keyOf(name, 0), "a", "b");
    refuses(RedisRefusedException.class, () -> TestFilters.open(link, name), "WRONGTYPE");
    refuses(RedisRefusedException.class, () -> builder().createOrOpen());
    server.command("DEL", Shards.keyOf(name, 0));
    server.command("SET", Shards.keyOf(name, 0), "a text of another program, not short at all");
    refuses(FilterMismatchException.class, () -> builder().createOrOpen(), Shards.keyOf(name, 0));
    refuses(FilterExistsException.class, () -> builder().create());
  }

  private static Stream<Arguments> cuts() {
    return Stream.of(LinkKind.values())
        .flatMap(kind -> Stream.of(Arguments.of(kind, 512), Arguments.of(kind, 1_000_000)));
  }

  @ParameterizedTest
  @MethodSource("cuts")
  void aStringThatWasCutShortIsNoticed(LinkKind kind, long shardBytes) {
    try (RedisLink other = kind.to(server.uri())) {
      theCutIsNoticed(other, shardBytes);
    }
  }

  private void theCutIsNoticed(RedisLink over, long shardBytes) {
    RedisBloomFilterBuilder<Long> builder = builder(over).shardBytes(shardBytes);
    RedisBloomFilter<Long> filter = filled(builder);
    long[] hashes = Keys.hashes(1, 1_000).toArray();
    int last = filter.shards() - 1;
    String key = Shards.keyOf(name, last);
    try (Jedis jedis = new Jedis(server.uri())) {
      byte[] bytes = jedis.get(key.getBytes(UTF_8));
      for (int cut : new int[] {1, bytes.length / 2, bytes.length - Header.BYTES}) {
        jedis.set(key.getBytes(UTF_8), Arrays.copyOf(bytes, bytes.length - cut));
        refuses(FilterLostException.class, () -> TestFilters.open(over, name), key, "shorter");
      }
      refuses(
          FilterLostException.class,
          () -> filter.mightContainHashes(hashes, 1_000, new boolean[1_000]));
      jedis.set(key.getBytes(UTF_8), bytes);
      RedisBloomFilter<Long> same = TestFilters.open(over, name);
      assertThat(Arrays.stream(hashes)).allMatch(same::mightContainHash);
      jedis.set(key.getBytes(UTF_8), Arrays.copyOf(bytes, bytes.length - 1));
      assertThat(builder.recreateIfLost().put(1L)).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCutIsNoticedByTheNextPutAndByHealthEvenOnceTheStringHasGrownAgain(Kind kind) {
    HashedMutableFilter<Long> filter = kind.ofManyShards(name).create();
    long[] hashes = TestFilters.fill(filter, 1, 1_000);
    HashedMutableFilter<Long> other = kind.open(name);
    byte[] key = CommandTokens.of(kind.key(name, kind.shardOf(name, hashes[0])));
    try (Jedis jedis = new Jedis(server.uri())) {
      byte[] bytes = jedis.get(key);
      jedis.set(key, Arrays.copyOf(bytes, kind.checkedBytes + 200));
      refuses(FilterLostException.class, () -> filter.putHash(hashes[0]));
      jedis.setrange(key, bytes.length - 2, new byte[1]);
      RedisHealth health =
          other instanceof RedisBloomFilter<Long> plain
              ? plain.health()
              : ((RedisWindowedBloomFilter<Long>) other).health();
      assertThat(health.status()).isEqualTo(RedisHealth.Status.LOST);
      refuses(FilterLostException.class, () -> other.putHash(hashes[0]));
    }
  }

  @Test
  void aRotationNoticesTheLossToo() {
    long[] now = {1_000_000};
    var filter =
        TestFilters.window(link, name, Duration.ofSeconds(3), 10_000, 0.01)
            .clock(() -> Instant.ofEpochMilli(now[0]))
            .create();
    filter.put(1L);
    server.command("DEL", Kind.WINDOW.key(name, 0));
    now[0] += 1_000;
    refuses(FilterLostException.class, () -> filter.mightContain(1L));
    assertThat(server.command("EXISTS", Kind.WINDOW.key(name, 0))).isEqualTo(new Reply.Whole(0));
  }

  @Test
  void aReplicaThatIsBehindIsNoLoss() {
    try (TestServer replica = TestServer.withOptions();
        JedisLink own = replica.link()) {
      var filter = TestFilters.window(link, name, Duration.ofHours(1), 10_000, 0.01).create();
      filter.put(1L);
      var reader = TestFilters.openWindow(new ReplicaReads(link, List.of(own)), name);
      assertThat(reader.mightContainAll(List.of(1L, 2L))).containsExactly(true, false);
      assertThat(reader.put(2L)).isTrue();
      assertThat(filter.mightContain(2L)).isTrue();
    }
  }
}
