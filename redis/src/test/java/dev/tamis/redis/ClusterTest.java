package dev.tamis.redis;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Keys;
import dev.tamis.Race;
import dev.tamis.filter.BloomFilter;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.util.JedisClusterCRC16;

/** A filter whose shards are spread over a cluster of three masters. */
class ClusterTest {

  private static final int KEYS = 20_000;

  private final String name = TestServer.newName();

  private RedisBloomFilterBuilder<Long> builder(RedisLink link) {
    return TestFilters.builder(link, name, KEYS, 0.01).shardBytes(2_048);
  }

  @ParameterizedTest
  @EnumSource
  void theShardsAreOnEveryServerAndTheBytesAreThoseOfALocalFilter(LinkKind kind) {
    try (RedisLink link = kind.toCluster(TestCluster.shared())) {
      checkTheBytes(link);
    }
  }

  private void checkTheBytes(RedisLink link) {
    RedisBloomFilter<Long> filter = builder(link).create();
    BloomFilter<Long> local = TestFilters.like(filter);
    BloomFilter<Long> uploaded = local.copy();
    long[] hashes = Keys.hashes(1, KEYS).toArray();
    boolean[] isNew = TestFilters.put(filter, hashes);
    boolean[] isNewHere = TestFilters.put(local, hashes);
    Keys.hashes(2, 100).forEach(uploaded::putHash);
    filter.putAll(uploaded);
    local.putAll(uploaded);

    assertThat(isNew).isEqualTo(isNewHere);
    assertThat(filter.toByteArray()).isEqualTo(local.toByteArray());
    boolean[] answers = filter.mightContainAll(List.of(1L, 2L, 3L));
    assertThat(answers).isEqualTo(local.mightContainAll(List.of(1L, 2L, 3L)));
    Set<Integer> slots = new HashSet<>();
    for (int i = 0; i < filter.shards(); i++) {
      slots.add(JedisClusterCRC16.getSlot(CommandTokens.of(Shards.keyOf(name, i))) * 3 / 16_384);
    }
    assertThat(filter.shards()).isGreaterThan(8);
    assertThat(slots).hasSize(3);
  }

  @ParameterizedTest
  @EnumSource
  void aKeyIsNewToOneThreadOnly(LinkKind kind) {
    try (RedisLink link = kind.toCluster(TestCluster.shared())) {
      builder(link).create();
    }
    AtomicIntegerArray wins = new AtomicIntegerArray(KEYS);
    long[] hashes = Keys.hashes(1, KEYS).toArray();
    Race.run(
        4,
        thread -> {
          try (RedisLink own = kind.toCluster(TestCluster.shared())) {
            RedisBloomFilter<Long> filter = TestFilters.open(own, name);
            boolean[] isNew = new boolean[KEYS];
            filter.putHashes(hashes, KEYS, isNew);
            IntStream.range(0, KEYS).filter(i -> isNew[i]).forEach(wins::incrementAndGet);
          }
        });
    assertThat(IntStream.range(0, KEYS).map(wins::get).max()).hasValue(1);
    assertThat(IntStream.range(0, KEYS).map(wins::get).sum()).isGreaterThan(KEYS * 99 / 100);
  }

  @ParameterizedTest
  @EnumSource
  void redirectionsAreFollowedWhileASlotMoves(LinkKind kind) {
    try (RedisLink link = kind.toCluster(TestCluster.shared())) {
      moveASlot(link);
    }
  }

  private void moveASlot(RedisLink link) {
    RedisBloomFilter<Long> filter = builder(link).create();
    long[] hashes = TestFilters.fill(filter, 1, 1_000);
    try (MovingSlot moving = MovingSlot.of(Shards.keyOf(name, 1))) {
      moving.begin();
      check(filter, hashes); // the key is still at the old place
      moving.moveKeys(Shards.keyOf(name, 1));
      check(filter, hashes); // it is a guest, to be asked for
      moving.end();
      check(filter, hashes); // it has moved
      check(filter, TestFilters.fill(filter, 2, 1_000));
    }
    check(filter, hashes);
  }

  private static void check(RedisBloomFilter<Long> filter, long[] hashes) {
    assertThat(TestFilters.query(filter, hashes)).doesNotContain(false);
    assertThat(TestFilters.put(filter, hashes)).doesNotContain(true);
    assertThat(Arrays.stream(hashes).limit(50)).allMatch(filter::mightContainHash);
    assertThat(Arrays.stream(hashes).limit(50)).noneMatch(filter::putHash);
  }

  @Test
  void aClusterThatIsNotThereIsSaidToBe() throws Exception {
    Set<URI> nobody = Set.of(URI.create("redis://127.0.0.1:" + TestServer.freePort()));
    refuses(
        RedisUnavailableException.class,
        () -> JedisLink.toCluster(nobody, Duration.ofSeconds(1), 4));
  }
}
