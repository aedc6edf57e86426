package dev.tamis.redis;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Keys;
import dev.tamis.Race;
import dev.tamis.filter.BloomFilter;
import dev.tamis.sizing.Layout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** A filter that is built next to another one and replaces it under traffic. */
class RebuildTest {

  private final JedisLink link = TestServer.sharedLink();
  private final String name = TestServer.newName();

  private RedisBloomFilterBuilder<Long> builder(long keys) {
    return TestFilters.builder(link, name, keys, 0.01).shardBytes(1_000);
  }

  private static void fill(RedisBloomFilter<Long> filter, long stream) {
    TestFilters.fill(filter, stream, 1_000);
  }

  @Test
  void everyoneGoesOnWithTheNewFilterWhateverItsSize() {
    for (long keys : new long[] {4_000, 20_000, 2_000}) {
      RedisBloomFilter<Long> old = builder(4_000).recreateIfLost();
      RedisBloomFilter<Long> elsewhere = TestFilters.open(link, name);
      RedisBloomFilter<Long> puts = TestFilters.open(link, name);
      fill(old, 1);

      try (Rebuild<Long> rebuild = builder(keys).replace(old)) {
        fill(rebuild.filter(), 2);
        assertThat(Keys.hashes(1, 1_000)).allMatch(elsewhere::mightContainHash);
        rebuild.swap();
        refuses(FilterLostException.class, () -> rebuild.filter().put(1L));
        refuses(IllegalStateException.class, rebuild::swap);
      }

      BloomFilter<Long> local = TestFilters.like(old);
      Keys.hashes(2, 1_000).forEach(local::putHash);
      assertThat(old.expectedKeys()).isEqualTo(keys);
      assertThat(old.toByteArray()).isEqualTo(local.toByteArray());
      assertThat(Keys.hashes(2, 1_000)).allMatch(elsewhere::mightContainHash);
      assertThat(Keys.hashes(3, 500).filter(puts::putHash).count()).isGreaterThan(450);
      assertThat(Keys.hashes(3, 500)).noneMatch(elsewhere::putHash);
      assertThat(elsewhere.shape()).isEqualTo(local.shape());
      RedisBloomFilter.delete(link, name);
    }
    assertThat(TestServer.shared().command("KEYS", name + ":*:new:*"))
        .isEqualTo(new Reply.Numbers(List.of()));
  }

  @Test
  void aKeyOfBothFiltersIsThereAtEveryMomentOfTheSwap() {
    RedisBloomFilter<Long> filter = builder(4_000).create();
    fill(filter, 1);
    AtomicBoolean done = new AtomicBoolean();
    AtomicLong asked = new AtomicLong();
    long[] kept = Keys.hashes(1, 1_000).toArray();
    Race.run(
        4,
        thread -> {
          if (thread == 0) {
            for (int i = 0; i < 20 || asked.get() < 100; i++) {
              try (Rebuild<Long> rebuild = builder(4_000 + 100L * (i % 3)).replace(filter)) {
                fill(rebuild.filter(), 1);
                rebuild.swap();
              }
            }
            done.set(true);
            return;
          }
          RedisBloomFilter<Long> own = TestFilters.open(link, name);
          boolean[] answers = new boolean[kept.length];
          while (!done.get()) {
            own.mightContainHashes(kept, kept.length, answers);
            assertThat(answers).doesNotContain(false);
            own.putHashes(kept, kept.length, answers);
            assertThat(answers).doesNotContain(true);
            assertThat(own.mightContainHash(kept[thread])).isTrue();
            asked.incrementAndGet();
          }
        });
  }

  @Test
  void anInterruptedSwapIsFinishedByTheNextToOpenTheFilter() {
    RedisBloomFilter<Long> old = builder(4_000).create();
    Rebuild<Long> rebuild = builder(4_000).replace(old);
    fill(rebuild.filter(), 2);
    byte[] wanted = rebuild.filter().toByteArray();
    Header header = Header.parse(keyBeside(), "beside");
    ShardStore store = new ShardStore(new Server(link), name);
    assertThat(store.commit(header, old.current().get().stamp(0))).isTrue();

    assertThat(TestFilters.open(link, name).toByteArray()).isEqualTo(wanted);
    assertThat(old.toByteArray()).isEqualTo(wanted);
  }

  private byte[] keyBeside() {
    try (var jedis = new Jedis(TestServer.shared().uri())) {
      byte[] key = jedis.keys(CommandTokens.of(Shards.keyOf(name, 0) + ":new:*")).iterator().next();
      return jedis.getrange(key, 0, Header.BYTES - 1);
    }
  }

  @Test
  void ofTwoRebuildsOfOneFilterTheSecondIsRefused() {
    RedisBloomFilter<Long> old = builder(4_000).create();
    RedisBloomFilter<Long> same = TestFilters.open(link, name);
    Rebuild<Long> first = builder(4_000).replace(old);
    Rebuild<Long> second = builder(4_000).replace(same);
    first.filter().put(1L);
    second.filter().put(2L);
    first.swap();
    refuses(FilterExistsException.class, second::swap);
    assertThat(same.mightContain(1L)).isTrue();
    assertThat(same.mightContain(2L)).isFalse();
    assertThat(TestServer.shared().command("KEYS", name + ":*:new:*"))
        .isEqualTo(new Reply.Numbers(List.of()));
  }

  @Test
  void aRebuildThatIsClosedLeavesTheOldFilter() {
    RedisBloomFilter<Long> old = builder(4_000).create();
    fill(old, 1);
    try (Rebuild<Long> rebuild = builder(4_000).replace(old)) {
      rebuild.filter().put(2L);
    }
    assertThat(Keys.hashes(1, 1_000)).allMatch(old::mightContainHash);
    assertThat(TestServer.shared().command("KEYS", name + ":*:new:*"))
        .isEqualTo(new Reply.Numbers(List.of()));
  }

  @Test
  void aPartThatIsLostBeforeTheSwapKeepsTheOldFilter() {
    RedisBloomFilter<Long> old = builder(4_000).create();
    fill(old, 1);
    try (Rebuild<Long> rebuild = builder(4_000).replace(old)) {
      Header beside = Header.parse(keyBeside(), "beside");
      String lost = Shards.aside(old.shape(), name, beside.shards(), beside.epoch()).printedKey(2);
      TestServer.shared().command("DEL", lost);
      refuses(FilterLostException.class, rebuild::swap);
    }
    assertThat(Keys.hashes(1, 1_000)).allMatch(old::mightContainHash);
  }

  @Test
  void theNewFilterHasATimeToLiveOfItsOwn() {
    RedisBloomFilter<Long> old = builder(4_000).create();
    try (Rebuild<Long> rebuild = builder(4_000).timeToLive(Duration.ofHours(1)).replace(old)) {
      rebuild.swap();
    }
    for (int i = 0; i < old.shards(); i++) {
      assertThat(((Reply.Whole) TestServer.shared().command("PTTL", Shards.keyOf(name, i))).value())
          .isBetween(3_000_000L, 3_600_000L);
    }
  }

  @Test
  void anotherHashOrNameIsRefused() {
    RedisBloomFilter<Long> old = builder(4_000).create();
    refuses(() -> builder(4_000).seed(1).replace(old), "seed");
    refuses(() -> TestFilters.builder(link, "another", 100, 0.1).replace(old), "another");
  }

  @Test
  void aFilterOfManyShardsHasALayoutThatKeepsAKeyInOne() {
    for (Layout layout : List.of(Layout.CLASSIC, Layout.PARTITIONED, Layout.SPLIT_PAIR)) {
      refuses(() -> builder(4_000).layout(layout).create(), layout.label());
    }
    RedisBloomFilter<Long> low =
        TestFilters.builder(link, name, 4_000, 1e-6).shardBytes(1_000).create();
    assertThat(low.shape().layout()).isEqualTo(Layout.LINE);
    assertThat(low.shape().fpp(4_000)).isLessThanOrEqualTo(1e-6);
    RedisBloomFilter<Long> single =
        TestFilters.builder(link, TestServer.newName(), 4_000, 1e-6).create();
    assertThat(single.shape().layout()).isEqualTo(Layout.SPLIT_PAIR);
  }
}
