package dev.tamis.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.HashedMutableFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.redis.JedisLink;
import dev.tamis.redis.Rebuild;
import dev.tamis.redis.RedisBloomFilter;
import dev.tamis.redis.RedisBloomFilterBuilder;
import dev.tamis.redis.RedisLink;
import dev.tamis.redis.RedisWindowedBloomFilter;
import dev.tamis.tools.dedup.Deduplicator;
import dev.tamis.tools.guard.SharedFilter;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import redis.embedded.RedisServer;

/** The programs in docs/redis.md, docs/tools/shared.md and docs/from-redisson.md, with a server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledOnOs(value = OS.LINUX, disabledReason = "the bundled Redis server is used on Linux only")
class RedisProgramsTest {

  private final RedisServer server;
  private final URI uri;

  RedisProgramsTest() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    server = RedisServer.newRedisServer().port(port).bind("127.0.0.1").setting("save \"\"").build();
    uri = URI.create("redis://127.0.0.1:" + port);
  }

  @BeforeAll
  void start() throws IOException {
    server.start();
  }

  @AfterAll
  void stop() throws IOException {
    server.stop();
  }

  @Test
  void ofTwoVisitorsOneVisits() {
    List<String> urls = List.of("https://example.org/a", "https://example.org/b");
    assertThat(newTo(uri, urls)).isEqualTo(2);
    assertThat(newTo(uri, urls)).isZero();
  }

  private static int newTo(URI server, List<String> urls) {
    int visits = 0;
    // region quick-start
    try (RedisLink link = JedisLink.to(server, Duration.ofSeconds(1), 8)) { // a pool of 8
      RedisBloomFilter<String> seen =
          RedisBloomFilter.<String>builder(link, "visited", KeyHasher.text())
              .expectedKeys(1_000_000)
              .fpp(0.01)
              .createOrOpen();
      for (String url : urls) {
        if (seen.put(url)) { // true for no other process
          visits++;
        }
      }
    }
    // end quick-start
    return visits;
  }

  @Test
  void aWindowHandlesAMessageOnce() {
    try (RedisLink link = JedisLink.to(uri, Duration.ofSeconds(1), 8)) {
      // region window
      RedisWindowedBloomFilter<String> recent =
          RedisWindowedBloomFilter.<String>builder(link, "recent", KeyHasher.text())
              .window(Duration.ofHours(1))
              .expectedKeys(1_000_000) // within a window
              .fpp(0.001)
              .createOrOpen();
      boolean first = recent.put("message 1"); // true for no other process within the last hour
      // end window
      assertThat(first).isTrue();
      assertThat(recent.put("message 1")).isFalse();
    }
  }

  @Test
  void aToolTakesTheFilter() {
    try (RedisLink link = JedisLink.to(uri, Duration.ofSeconds(1), 8)) {
      // region shared
      RedisBloomFilter<CharSequence> visited =
          RedisBloomFilter.<CharSequence>builder(link, "shared", KeyHasher.text())
              .expectedKeys(1_000_000)
              .fpp(1e-6)
              .createOrOpen();
      Deduplicator<CharSequence> dedup = Deduplicator.over(visited);
      // end shared
      assertThat(dedup.firstSeen("a")).isTrue();
      assertThat(dedup.firstSeen("a")).isFalse();
    }
  }

  // region shared-filter
  record InRedis(RedisLink link) implements SharedFilter<Long> {
    private RedisBloomFilterBuilder<Long> builder() {
      return RedisBloomFilter.<Long>builder(link, "keys", KeyHasher.longs())
          .expectedKeys(10_000)
          .fpp(0.001);
    }

    @Override
    public HashedMutableFilter<Long> open() {
      return builder().recreateIfLost();
    }

    @Override
    public HashedMutableFilter<Long> replace() {
      RedisBloomFilter.delete(link, "keys");
      return builder().recreateIfLost();
    }
  }

  // end shared-filter

  @Test
  void aSharedFilterIsReplacedByAnEmptyOne() {
    try (RedisLink link = JedisLink.to(uri, Duration.ofSeconds(1), 8)) {
      SharedFilter<Long> keys = new InRedis(link);
      assertThat(keys.open().put(1L)).isTrue();
      assertThat(keys.open().mightContain(1L)).isTrue();
      assertThat(keys.replace().mightContain(1L)).isFalse();
    }
  }

  @Test
  void whatARedissonUserCalls() {
    try (RedisLink link = JedisLink.to(uri, Duration.ofSeconds(1), 8)) {
      // region redisson
      RedisBloomFilter<String> users =
          RedisBloomFilter.<String>builder(link, "users", KeyHasher.text())
              .expectedKeys(1_000_000)
              .fpp(0.01)
              .timeToLive(Duration.ofDays(30))
              .createOrOpen(); // tryInit
      boolean added = users.put("ann"); // add
      boolean known = users.mightContain("ann"); // contains
      long count = users.approximateElementCount().rounded(); // count
      // end redisson
      assertThat(added).isTrue();
      assertThat(known).isTrue();
      assertThat(count).isEqualTo(1);
    }
  }

  @Test
  void aFilterIsReplacedUnderTraffic() {
    try (RedisLink link = JedisLink.to(uri, Duration.ofSeconds(1), 8)) {
      RedisBloomFilter<String> old =
          RedisBloomFilter.<String>builder(link, "rebuilt", KeyHasher.text())
              .expectedKeys(1_000)
              .fpp(0.01)
              .createOrOpen();
      old.put("gone");
      List<String> current = List.of("ann", "bob");
      // region rebuild
      try (Rebuild<String> rebuild =
          RedisBloomFilter.<String>builder(link, "rebuilt", KeyHasher.text())
              .expectedKeys(2_000) // any size
              .fpp(0.01)
              .replace(old)) {
        current.forEach(rebuild.filter()::put);
        rebuild.swap(); // processes that have the old filter open continue with the new one
      }
      // end rebuild
      assertThat(old.mightContain("ann")).isTrue();
      assertThat(old.mightContain("bob")).isTrue();
      assertThat(old.mightContain("gone")).isFalse();
    }
  }
}
