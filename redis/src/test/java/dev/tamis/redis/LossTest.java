package dev.tamis.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.Keys;
import dev.tamis.Race;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Sizing;
import java.time.Duration;
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
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;

/** A filter that the server has lost is noticed by the next call, whatever that is. */
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

  private RedisBloomFilterBuilder<Long> builder() {
    return builder(link);
  }

  private RedisBloomFilterBuilder<Long> builder(RedisLink over) {
    return RedisBloomFilter.<Long>builder(over, name, KeyHasher.longs())
        .expectedKeys(10_000)
        .fpp(0.01);
  }

  private RedisBloomFilter<Long> filled(RedisBloomFilterBuilder<Long> builder) {
    RedisBloomFilter<Long> filter = builder.create();
    long[] hashes = Keys.hashes(1, 1_000).toArray();
    filter.putHashes(hashes, hashes.length, new boolean[hashes.length]);
    return filter;
  }

  private static Stream<Named<Consumer<RedisBloomFilter<Long>>>> calls() {
    long[] hashes = Keys.hashes(1, 1_000).toArray();
    return Stream.of(
        Named.of("put", filter -> filter.putHash(hashes[0])),
        Named.of("ask", filter -> filter.mightContainHash(hashes[0])),
        Named.of("put many", filter -> filter.putHashes(hashes, 1_000, new boolean[1_000])),
        Named.of(
            "ask many", filter -> filter.mightContainHashes(hashes, 1_000, new boolean[1_000])),
        Named.of("estimate", RedisBloomFilter::approximateElementCount),
        Named.of("fpp", RedisBloomFilter::expectedFpp),
        Named.of("download", RedisBloomFilter::toByteArray),
        Named.of("expire", filter -> filter.expireAfter(Duration.ofHours(1))),
        Named.of("upload", filter -> filter.putAll(InMemory.like(filter))));
  }

  private static Stream<Named<Consumer<String>>> losses() {
    return Stream.of(
        Named.of("FLUSHALL", name -> server.command("FLUSHALL")),
        Named.of("DEL", name -> server.command("DEL", Shards.keyOf(name, 0))),
        Named.of(
            "made anew, the same parameters",
            name -> {
              server.command("DEL", Shards.keyOf(name, 0));
              create(name, 10_000);
            }),
        Named.of(
            "made anew, other parameters",
            name -> {
              server.command("DEL", Shards.keyOf(name, 0));
              create(name, 20_000);
            }),
        Named.of(
            "emptied, and written to by somebody else",
            name -> {
              RedisBloomFilter<Long> other = RedisBloomFilter.open(link, name, KeyHasher.longs());
              server.command("DEL", Shards.keyOf(name, 0));
              assertThatThrownBy(() -> other.put(1L)).isInstanceOf(FilterLostException.class);
            }),
        Named.of(
            "overwritten",
            name -> server.command("SET", Shards.keyOf(name, 0), "x".repeat(20_000))));
  }

  private static void create(String name, long keys) {
    RedisBloomFilter.<Long>builder(link, name, KeyHasher.longs())
        .expectedKeys(keys)
        .fpp(0.01)
        .create();
  }

  private static Stream<Arguments> lossesAndCalls() {
    return losses().flatMap(loss -> calls().map(call -> Arguments.of(loss, call)));
  }

  @ParameterizedTest
  @MethodSource("lossesAndCalls")
  void theNextCallNoticesTheLoss(Consumer<String> loss, Consumer<RedisBloomFilter<Long>> call) {
    RedisBloomFilter<Long> filter = filled(builder());
    loss.accept(name);
    assertThatThrownBy(() -> call.accept(filter))
        .isInstanceOfAny(FilterLostException.class, FilterMismatchException.class);
    assertThatThrownBy(() -> filter.mightContain(1L)).isInstanceOf(FilterLostException.class);
    assertThatThrownBy(() -> filter.put(1L)).isInstanceOf(FilterLostException.class);
  }

  @ParameterizedTest
  @MethodSource("calls")
  void theLossOfOneShardIsNoticedByWhoeverNeedsIt(Consumer<RedisBloomFilter<Long>> call) {
    RedisBloomFilter<Long> filter = filled(builder().shardBytes(1_000));
    int shard =
        new Epoch(header(filter), Shards.live(filter.shape(), name, filter.shards()))
            .shardOf(Keys.hashes(1, 1).findFirst().orElseThrow());
    server.command("DEL", Shards.keyOf(name, shard));
    assertThatThrownBy(() -> call.accept(filter)).isInstanceOf(FilterLostException.class);
    assertThatThrownBy(() -> RedisBloomFilter.open(link, name, KeyHasher.longs()))
        .isInstanceOf(FilterLostException.class);
    if (shard > 0) {
      assertThatThrownBy(() -> builder().shardBytes(1_000).createOrOpen())
          .isInstanceOf(FilterLostException.class)
          .hasMessageContaining(Shards.keyOf(name, shard));
    }
  }

  private static Header header(RedisBloomFilter<Long> filter) {
    return new Header(
        filter.hashId(),
        new Sizing(filter.shape(), filter.expectedKeys(), filter.fpp()),
        filter.shards(),
        0,
        1);
  }

  @Test
  void aStringThatALatePutHasLeftIsStillALostFilter() {
    RedisBloomFilter<Long> filter = filled(builder());
    server.command("FLUSHALL");
    assertThatThrownBy(() -> filter.put(1L)).isInstanceOf(FilterLostException.class);
    assertThat(server.command("EXISTS", Shards.keyOf(name, 0))).isEqualTo(new Reply.Whole(1));

    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> RedisBloomFilter.open(link, name, KeyHasher.longs()))
          .isInstanceOf(FilterLostException.class)
          .hasMessageContaining("no header");
    }
    RedisBloomFilter<Long> next = builder().createOrOpen();
    assertThat(next.acceptedKeys()).isZero();
    assertThat(next.put(1L)).isTrue();
  }

  @Test
  void manyThatRecreateALostFilterAtOnceEndWithOne() {
    RedisBloomFilter<Long> filter = filled(builder().shardBytes(1_000));
    server.command("DEL", Shards.keyOf(name, 3));
    assertThatThrownBy(filter::toByteArray).isInstanceOf(FilterLostException.class);

    var filters = new ConcurrentLinkedQueue<RedisBloomFilter<Long>>();
    Race.run(4, thread -> filters.add(builder().shardBytes(1_000).recreateIfLost()));

    assertThat(filters).hasSize(4);
    assertThat(filters.stream().filter(one -> one.put(7L))).hasSize(1);
    assertThat(builder().shardBytes(1_000).recreateIfLost().mightContain(7L)).isTrue();
    assertThat(server.command("KEYS", name + ":*:new:*")).isEqualTo(new Reply.Numbers(List.of()));
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
    assertThatThrownBy(() -> filter.mightContain(1L)).isInstanceOf(FilterLostException.class);
  }

  @Test
  void aDeletedFilterIsLostAndLeavesNothing() {
    RedisBloomFilter<Long> filter = filled(builder().shardBytes(1_000));
    assertThat(RedisBloomFilter.delete(link, name)).isTrue();
    assertThat(server.command("KEYS", name + ":*")).isEqualTo(new Reply.Numbers(List.of()));
    assertThatThrownBy(() -> filter.mightContain(1L)).isInstanceOf(FilterLostException.class);
    assertThat(RedisBloomFilter.delete(link, name)).isFalse();
  }

  @Test
  void theKeyOfSomethingElseIsRefused() {
    server.command("HSET", Shards.keyOf(name, 0), "a", "b");
    assertThatThrownBy(() -> RedisBloomFilter.open(link, name, KeyHasher.longs()))
        .isInstanceOf(RedisRefusedException.class)
        .hasMessageContaining("WRONGTYPE");
    assertThatThrownBy(() -> builder().createOrOpen()).isInstanceOf(RedisRefusedException.class);
    server.command("DEL", Shards.keyOf(name, 0));
    server.command("SET", Shards.keyOf(name, 0), "a text of another program, not short at all");
    assertThatThrownBy(() -> builder().createOrOpen())
        .isInstanceOf(FilterMismatchException.class)
        .hasMessageContaining(Shards.keyOf(name, 0));
    assertThatThrownBy(() -> builder().create()).isInstanceOf(FilterExistsException.class);
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
        assertThatThrownBy(() -> RedisBloomFilter.open(over, name, KeyHasher.longs()))
            .isInstanceOf(FilterLostException.class)
            .hasMessageContaining(key)
            .hasMessageContaining("shorter");
      }
      assertThatThrownBy(() -> filter.mightContainHashes(hashes, 1_000, new boolean[1_000]))
          .isInstanceOf(FilterLostException.class);
      jedis.set(key.getBytes(UTF_8), bytes);
      RedisBloomFilter<Long> same = RedisBloomFilter.open(over, name, KeyHasher.longs());
      assertThat(Arrays.stream(hashes)).allMatch(same::mightContainHash);
      jedis.set(key.getBytes(UTF_8), Arrays.copyOf(bytes, bytes.length - 1));
      assertThat(builder.recreateIfLost().put(1L)).isTrue();
    }
  }

  @Test
  void everyByteOfTheHeaderCounts() {
    RedisBloomFilter<Long> filter = filled(builder());
    for (int i = 0; i < Header.BYTES; i++) {
      String bit = Integer.toString(i * 8 + 3);
      String key = Shards.keyOf(name, 0);
      long before = ((Reply.Whole) server.command("GETBIT", key, bit)).value();
      server.command("SETBIT", key, bit, Long.toString(1 - before));
      assertThatThrownBy(() -> RedisBloomFilter.open(link, name, KeyHasher.longs()))
          .as("byte %d", i)
          .isInstanceOfAny(FilterMismatchException.class, FilterLostException.class);
      server.command("SETBIT", key, bit, Long.toString(before));
    }
    assertThat(filter.mightContainHash(Keys.hashes(1, 1).findFirst().orElseThrow())).isTrue();
  }
}
