package dev.tamis.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.Keys;
import dev.tamis.Race;
import dev.tamis.hash.KeyHasher;
import java.time.Duration;
import java.time.Instant;
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

/**
 * A window that the server has lost is noticed by the next call, and never passes for an empty one.
 */
class WindowLossTest {

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

  private static RedisWindowedBloomFilterBuilder<Long> builder(String name) {
    return RedisWindowedBloomFilter.<Long>builder(link, name, KeyHasher.longs())
        .window(Duration.ofHours(1))
        .expectedKeys(10_000)
        .fpp(0.01);
  }

  private static Stream<Named<Consumer<RedisWindowedBloomFilter<Long>>>> calls() {
    long[] hashes = Keys.hashes(1, 1_000).toArray();
    return Stream.of(
        Named.of("put", filter -> filter.putHash(hashes[0])),
        Named.of("ask", filter -> filter.mightContainHash(hashes[0])),
        Named.of("put many", filter -> filter.putHashes(hashes, 1_000, new boolean[1_000])),
        Named.of(
            "ask many", filter -> filter.mightContainHashes(hashes, 1_000, new boolean[1_000])),
        Named.of("estimate", RedisWindowedBloomFilter::approximateElementCount),
        Named.of("fpp", RedisWindowedBloomFilter::expectedFpp));
  }

  private static Stream<Named<Consumer<String>>> losses() {
    return Stream.of(
        Named.of("FLUSHALL", name -> server.command("FLUSHALL")),
        Named.of("DEL", name -> server.command("DEL", Shards.keyOf(name + ShardStore.WINDOW, 0))),
        Named.of(
            "made anew, the same parameters",
            name -> {
              server.command("DEL", Shards.keyOf(name + ShardStore.WINDOW, 0));
              builder(name).create();
            }),
        Named.of(
            "made anew, a plain filter",
            name -> {
              server.command("DEL", Shards.keyOf(name + ShardStore.WINDOW, 0));
              RedisBloomFilter.<Long>builder(link, name + ShardStore.WINDOW, KeyHasher.longs())
                  .expectedKeys(10_000)
                  .fpp(0.01)
                  .create();
            }),
        Named.of(
            "emptied, and written to by somebody else",
            name -> {
              var other = RedisWindowedBloomFilter.<Long>open(link, name, KeyHasher.longs());
              server.command("DEL", Shards.keyOf(name + ShardStore.WINDOW, 0));
              assertThatThrownBy(() -> other.put(1L)).isInstanceOf(FilterLostException.class);
            }),
        Named.of(
            "overwritten",
            name ->
                server.command(
                    "SET", Shards.keyOf(name + ShardStore.WINDOW, 0), "x".repeat(20_000))));
  }

  private static Stream<Arguments> lossesAndCalls() {
    return losses().flatMap(loss -> calls().map(call -> Arguments.of(loss, call)));
  }

  @ParameterizedTest
  @MethodSource("lossesAndCalls")
  void theNextCallNoticesTheLoss(
      Consumer<String> loss, Consumer<RedisWindowedBloomFilter<Long>> call) {
    RedisWindowedBloomFilter<Long> filter = builder(name).create();
    filter.putAll(List.of(1L, 2L, 3L));
    loss.accept(name);
    assertThatThrownBy(() -> call.accept(filter)).isInstanceOf(FilterLostException.class);
    assertThatThrownBy(() -> filter.mightContain(1L)).isInstanceOf(FilterLostException.class);
    assertThatThrownBy(() -> filter.put(1L)).isInstanceOf(FilterLostException.class);
  }

  @ParameterizedTest
  @MethodSource("calls")
  void theLossOfOneShardIsNoticedByWhoeverNeedsIt(Consumer<RedisWindowedBloomFilter<Long>> call) {
    RedisWindowedBloomFilter<Long> filter = builder(name).shardBytes(8_000).create();
    assertThat(filter.shards()).isGreaterThan(1);
    int shard =
        ShardStore.ofWindow(new Server(link), name)
            .open()
            .shardOf(Keys.hashes(1, 1).findFirst().orElseThrow());
    server.command("DEL", Shards.keyOf(name + ShardStore.WINDOW, shard));
    assertThatThrownBy(() -> call.accept(filter)).isInstanceOf(FilterLostException.class);
    assertThatThrownBy(() -> RedisWindowedBloomFilter.open(link, name, KeyHasher.longs()))
        .isInstanceOf(FilterLostException.class);
    assertThat(builder(name).shardBytes(8_000).recreateIfLost().put(1L)).isTrue();
  }

  @Test
  void aTurnNoticesTheLossToo() {
    long[] now = {1_000_000};
    var filter =
        builder(name)
            .window(Duration.ofSeconds(3))
            .clock(() -> Instant.ofEpochMilli(now[0]))
            .create();
    filter.put(1L);
    server.command("DEL", Shards.keyOf(name + ShardStore.WINDOW, 0));
    now[0] += 1_000;
    assertThatThrownBy(() -> filter.mightContain(1L)).isInstanceOf(FilterLostException.class);
    assertThat(server.command("EXISTS", Shards.keyOf(name + ShardStore.WINDOW, 0)))
        .isEqualTo(new Reply.Whole(0));
  }

  @Test
  void manyThatRecreateALostFilterAtOnceEndWithOne() {
    RedisWindowedBloomFilter<Long> filter = builder(name).shardBytes(8_000).create();
    server.command("DEL", Shards.keyOf(name + ShardStore.WINDOW, 1));
    assertThatThrownBy(filter::expectedFpp).isInstanceOf(FilterLostException.class);
    var filters = new ConcurrentLinkedQueue<RedisWindowedBloomFilter<Long>>();
    Race.run(4, thread -> filters.add(builder(name).shardBytes(8_000).recreateIfLost()));
    assertThat(filters).hasSize(4);
    assertThat(filters.stream().filter(one -> one.put(7L))).hasSize(1);
    assertThat(filters).allMatch(one -> one.mightContain(7L));
  }

  @Test
  void everyByteOfTheHeaderCountsButThePeriod() {
    RedisWindowedBloomFilter<Long> filter = builder(name).create();
    String key = Shards.keyOf(name + ShardStore.WINDOW, 0);
    for (int i = 0; i < Header.PERIOD_AT; i++) {
      String bit = Integer.toString(i * 8 + 3);
      long before = ((Reply.Whole) server.command("GETBIT", key, bit)).value();
      server.command("SETBIT", key, bit, Long.toString(1 - before));
      assertThatThrownBy(() -> RedisWindowedBloomFilter.open(link, name, KeyHasher.longs()))
          .as("byte %d", i)
          .isInstanceOfAny(FilterMismatchException.class, FilterLostException.class);
      server.command("SETBIT", key, bit, Long.toString(before));
    }
    assertThat(filter.put(1L)).isTrue();
  }

  @Test
  void aReplicaThatIsBehindIsNoLoss() {
    try (TestServer replica = TestServer.withOptions();
        JedisLink own = replica.link()) {
      RedisWindowedBloomFilter<Long> filter = builder(name).create();
      filter.put(1L);
      RedisLink both = new ReplicaReads(link, List.of(own));
      var reader = RedisWindowedBloomFilter.<Long>open(both, name, KeyHasher.longs());
      assertThat(reader.mightContainAll(List.of(1L, 2L))).containsExactly(true, false);
      assertThat(reader.put(2L)).isTrue();
      assertThat(filter.mightContain(2L)).isTrue();
    }
  }
}
