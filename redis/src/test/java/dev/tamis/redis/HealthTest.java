package dev.tamis.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.hash.KeyHasher;
import dev.tamis.redis.RedisHealth.AppendOnlyFile;
import dev.tamis.redis.RedisHealth.Status;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a filter says about its health while its server is well, refuses, has lost it, or is gone.
 */
class HealthTest {

  private static RedisBloomFilter<Long> filter(RedisLink link) {
    return RedisBloomFilter.<Long>builder(link, "filter", KeyHasher.longs())
        .expectedKeys(10_000)
        .fpp(0.01)
        .shardBytes(1_000)
        .create();
  }

  private static RedisWindowedBloomFilter<Long> window(RedisLink link) {
    return RedisWindowedBloomFilter.<Long>builder(link, "window", KeyHasher.longs())
        .window(Duration.ofHours(1))
        .expectedKeys(10_000)
        .fpp(0.01)
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
      check(filter::health, Status.READY, AppendOnlyFile.ON);
      check(window::health, Status.READY, AppendOnlyFile.ON);
      server.command("CONFIG", "SET", "appendonly", "no");
      check(filter::health, Status.READY, AppendOnlyFile.OFF);
      server.command("ACL", "SETUSER", "default", "-info");
      check(filter::health, Status.READY, AppendOnlyFile.UNKNOWN);
      check(window::health, Status.READY, AppendOnlyFile.UNKNOWN);
      server.command("ACL", "SETUSER", "default", "-getrange");
      check(filter::health, Status.REFUSED, AppendOnlyFile.UNKNOWN);
      check(window::health, Status.REFUSED, AppendOnlyFile.UNKNOWN);
      server.command("ACL", "SETUSER", "default", "+@all");
      server.command("UNLINK", Shards.keyOf("filter", 3));
      server.command("UNLINK", Shards.keyOf("window@window", 3));
      check(filter::health, Status.LOST, AppendOnlyFile.OFF);
      check(window::health, Status.LOST, AppendOnlyFile.OFF);
      RedisBloomFilter.delete(link, "filter");
      RedisBloomFilter<Long> another = filter(link);
      server.kill();
      check(another::health, Status.UNAVAILABLE, AppendOnlyFile.UNKNOWN);
    }
  }

  private static void check(Supplier<RedisHealth> health, Status status, AppendOnlyFile file) {
    RedisHealth found = health.get();
    assertThat(found.status()).as("%s", found).isEqualTo(status);
    assertThat(found.appendOnlyFile()).isEqualTo(file);
    assertThat(found.roundTrip()).isBetween(Duration.ZERO, Duration.ofMinutes(1));
    assertThat(found.detail().isEmpty()).isEqualTo(status == Status.READY);
    assertThat(found.detail()).doesNotEndWith("null");
  }
}
