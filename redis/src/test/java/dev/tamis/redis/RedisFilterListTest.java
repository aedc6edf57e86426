package dev.tamis.redis;

import static dev.tamis.Refusal.refuses;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.format.Kind;
import dev.tamis.redis.RedisFilterList.Found;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.util.JedisClusterCRC16;

/** The filters on a server are found by scanning, among whatever else is there. */
@Timeout(120)
class RedisFilterListTest {

  private static final int OTHER_KEYS = 5_000;

  private static RedisBloomFilter<Long> create(RedisLink link, String name) {
    return TestFilters.builder(link, name, 2_000, 0.01).shardBytes(1_000).create();
  }

  private static RedisWindowedBloomFilter<Long> createWindow(RedisLink link, String name) {
    return TestFilters.window(link, name, Duration.ofHours(1), 3_000, 0.001).create();
  }

  @ParameterizedTest
  @EnumSource
  void filtersAndWindowsAreFoundAmongOtherKeys(LinkKind kind) {
    try (TestServer server = TestServer.withOptions();
        RedisLink link = kind.to(server.uri())) {
      assertThat(RedisFilterList.of(link)).isEmpty();
      server.command("ACL", "SETUSER", "default", "-keys");
      try (Jedis jedis = new Jedis(server.uri())) {
        Pipeline others = jedis.pipelined();
        for (int i = 0; i < OTHER_KEYS; i++) {
          others.set("other:" + i, "x");
          others.set("x:{x" + i + "#0}", "x");
        }
        others.sync();
        jedis.hset(Shards.keyOf("hash", 0), "a", "b");
        jedis.set(Shards.keyOf("text", 0), "a text that is longer than the header of any filter");
        jedis.set(":{#0}", "x");
      }
      RedisBloomFilter<Long> plain = create(link, "b [*]?:\u00e9");
      RedisWindowedBloomFilter<Long> window = createWindow(link, "a");
      create(link, "a");
      RedisBloomFilter<Long> lost = create(link, "lost");
      server.command("DEL", Shards.keyOf("lost", 0));
      refuses(
          FilterLostException.class,
          () -> {
            for (long key = 0; key < 100; key++) {
              lost.put(key); // leaves bits without a header
            }
          });

      List<Found> found = RedisFilterList.of(link);
      assertThat(found).extracting(Found::name).containsExactly("a", "a", plain.name());
      assertThat(found)
          .extracting(Found::kind)
          .containsExactly(Kind.BLOOM, Kind.WINDOWED_BLOOM, Kind.BLOOM);
      assertThat(found.get(1).bits()).isEqualTo(window.bitSize());
      assertThat(found.get(2))
          .isEqualTo(
              new Found(plain.name(), Kind.BLOOM, 2_000, 0.01, plain.bitSize(), plain.shards()));
      for (Found one : found) {
        assertThat(one.shards()).isPositive();
      }
      server.command("ACL", "SETUSER", "default", "-scan");
      refuses(RedisRefusedException.class, () -> RedisFilterList.of(link), "NOPERM");
    }
  }

  @ParameterizedTest
  @EnumSource
  void allMastersOfAClusterAreScanned(LinkKind kind) {
    try (RedisLink link = kind.toCluster(TestCluster.shared())) {
      List<String> names = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        String name = TestServer.newName() + "listed";
        names.add(name);
        create(link, name);
      }
      names.sort(null);
      assertThat(RedisFilterList.of(link))
          .extracting(Found::name)
          .filteredOn(name -> name.endsWith("listed"))
          .containsExactlyElementsOf(names);
      names.forEach(name -> RedisBloomFilter.delete(link, name));
    }
  }

  @Test
  void aServerSaysWhetherItIsPartOfACluster() {
    for (var uri : TestCluster.shared()) {
      try (RedisLink link = JedisLink.toServerOrCluster(uri, Duration.ofSeconds(10), 1)) {
        RedisBloomFilter<Long> filter = create(link, TestServer.newName());
        assertThat(filter.shards()).isGreaterThan(2);
        assertThat(filter.put(1L)).isTrue();
      }
    }
    try (RedisLink link =
        JedisLink.toServerOrCluster(TestServer.shared().uri(), Duration.ofSeconds(10), 1)) {
      assertThat(create(link, TestServer.newName()).put(1L)).isTrue();
    }
  }

  @Test
  void slotsAreThoseOfTheClients() {
    for (int i = 0; i < 20_000; i++) {
      byte[] key = ("key " + i).getBytes(UTF_8);
      assertThat(RedisFilterList.ClusterSlot.of(key))
          .isEqualTo(JedisClusterCRC16.getSlot(key))
          .isEqualTo(SlotHash.getSlot(key));
    }
    for (int slot = 0; slot < RedisFilterList.ClusterSlot.SLOTS; slot += 1_023) {
      assertThat(JedisClusterCRC16.getSlot(RedisFilterList.ClusterSlot.keyIn(slot)))
          .isEqualTo(slot);
    }
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      delimiter = '|',
      value = {
        "a1 10.0.0.1:6379@16379 myself,master - 0 1 1 connected 0-5460|0",
        "a1 10.0.0.1:6379@16379,host master - 0 1 1 connected 16383|16383",
        "a1 10.0.0.1:6379@16379 master - 0 1 1 connected 7-8 10-20 [93->-b2]|7",
        "a1 10.0.0.1:6379@16379 master - 0 1 1 connected|-",
        "a1 10.0.0.1:6379@16379 slave b2 0 1 1 connected|-",
        "a1 10.0.0.1:6379@16379 master - 0 1 1 connected [93-<-b2]|-",
        "a1 10.0.0.1:6379@16379 master - 0 1 1 connected 16384|-",
        "''|-",
      })
  void theFirstSlotOfAMasterIsRead(String line, Integer slot) {
    assertThat(RedisFilterList.ClusterSlot.firstOfMaster(line).stream().boxed().toList())
        .isEqualTo(slot == null ? List.of() : List.of(slot));
  }
}
