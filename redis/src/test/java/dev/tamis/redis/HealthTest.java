package dev.tamis.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.redis.RedisHealth.Status;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a filter says about its health while its server is well, refuses, has lost it, or is gone.
 */
class HealthTest {

  private static RedisBloomFilter<Long> filter(RedisLink link) {
    return TestFilters.builder(link, "filter", 10_000, 0.01).shardBytes(1_000).create();
  }

  private static RedisWindowedBloomFilter<Long> window(RedisLink link) {
    return TestFilters.window(link, "window", Duration.ofHours(1), 10_000, 0.01)
        .shardBytes(1_000)
        .create();
  }

  @ParameterizedTest
  @EnumSource
  void healthFollowsTheServer(LinkKind kind) throws Exception {
    try (TestServer server = TestServer.withOptions("--appendonly", "yes");
        RedisLink link = kind.to(server.uri())) {
      RedisBloomFilter<Long> filter = filter(link);
      RedisWindowedBloomFilter<Long> window = window(link);
      check(filter::health, Status.READY, RedisPersistence.APPEND_ONLY_FILE);
      check(window::health, Status.READY, RedisPersistence.APPEND_ONLY_FILE);
      server.command("CONFIG", "SET", "appendonly", "no");
      check(filter::health, Status.READY, RedisPersistence.NONE);
      server.command("ACL", "SETUSER", "default", "-info");
      check(filter::health, Status.READY, RedisPersistence.UNKNOWN);
      check(window::health, Status.READY, RedisPersistence.UNKNOWN);
      server.command("ACL", "SETUSER", "default", "-bitfield_ro");
      check(filter::health, Status.REFUSED, RedisPersistence.UNKNOWN);
      check(window::health, Status.REFUSED, RedisPersistence.UNKNOWN);
      server.command("ACL", "SETUSER", "default", "+@all");
      server.command("UNLINK", Shards.keyOf("filter", 3));
      server.command("UNLINK", Shards.keyOf("window@window", 3));
      check(filter::health, Status.LOST, RedisPersistence.NONE);
      check(window::health, Status.LOST, RedisPersistence.NONE);
      RedisBloomFilter.delete(link, "filter");
      RedisBloomFilter<Long> another = filter(link);
      server.kill();
      check(another::health, Status.UNAVAILABLE, RedisPersistence.UNKNOWN);
    }
  }

  private static void check(
      Supplier<RedisHealth> health, Status status, RedisPersistence persistence) {
    RedisHealth found = health.get();
    assertThat(found.status()).as("%s", found).isEqualTo(status);
    assertThat(found.persistence()).isEqualTo(persistence);
    assertThat(found.roundTrip()).isBetween(Duration.ZERO, Duration.ofMinutes(1));
    assertThat(found.detail().isEmpty()).isEqualTo(status == Status.READY);
    assertThat(found.detail()).doesNotEndWith("null");
  }

  @ParameterizedTest
  @EnumSource
  void persistenceIsWhatTheServerIsSetTo(LinkKind kind) throws Exception {
    try (TestServer server = TestServer.withOptions();
        RedisLink link = kind.to(server.uri())) {
      RedisBloomFilter<Long> filter = filter(link);
      check(filter::health, Status.READY, RedisPersistence.NONE);
      server.command("CONFIG", "SET", "save", "3600 1 300 100 60 10000");
      check(filter::health, Status.READY, RedisPersistence.SNAPSHOTS);
      assertThat(filter.health().persistence().losesSilently()).isTrue();
      server.command("CONFIG", "SET", "appendonly", "yes");
      for (String rarely : List.of("no", "everysec")) {
        server.command("CONFIG", "SET", "appendfsync", rarely);
        check(filter::health, Status.READY, RedisPersistence.APPEND_ONLY_FILE);
      }
      server.command("CONFIG", "SET", "appendfsync", "always");
      check(filter::health, Status.READY, RedisPersistence.APPEND_ONLY_FILE_ALWAYS);
      server.command("ACL", "SETUSER", "default", "-config");
      check(filter::health, Status.READY, RedisPersistence.APPEND_ONLY_FILE);
    }
  }
}
