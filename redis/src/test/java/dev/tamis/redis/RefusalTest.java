package dev.tamis.redis;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.Keys;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;

/** Servers that refuse everybody for a while: during a long script, and while they load. */
@Timeout(120)
class RefusalTest {

  private static final int FILLERS = 60;

  /** A server that loads replies after every 2 MB of the file. */
  private static final int FILLER_BYTES = 2_200_000;

  private static final int KEYS = 300;
  private static final long[] HASHES = Keys.hashes(1, KEYS).toArray();

  private static RedisBloomFilter<Long> filled(RedisLink link) {
    RedisBloomFilter<Long> filter =
        TestFilters.builder(link, "refused", 10_000, 1e-6).shardBytes(1_000).create();
    filter.putHashes(HASHES, KEYS, new boolean[KEYS]);
    return filter;
  }

  /** Checks that every call is refused, and nothing is left for the next one. */
  private static void assertRefused(RedisBloomFilter<Long> filter, String code) {
    for (int i = 0; i < 2; i++) {
      refuses(RedisRefusedException.class, () -> filter.putHash(7), code);
      refuses(RedisRefusedException.class, () -> filter.mightContainHash(HASHES[0]), code);
      refuses(
          RedisRefusedException.class,
          () -> filter.mightContainHashes(HASHES, KEYS, new boolean[KEYS]),
          code);
      assertThat(filter.health().status()).isEqualTo(RedisHealth.Status.REFUSED);
    }
  }

  private static void assertWhole(RedisBloomFilter<Long> filter) {
    assertThat(TestFilters.query(filter, HASHES)).doesNotContain(false);
    assertThat(filter.putHash(7)).isTrue(); // what was refused was not put
    assertThat(filter.putHash(7)).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void aServerThatIsBusyWithAScriptRefusesAndIsThenAsBefore(LinkKind kind) throws Exception {
    try (TestServer server = TestServer.withOptions("--lua-time-limit", "50");
        RedisLink link = kind.to(server.uri())) {
      RedisBloomFilter<Long> filter = filled(link);
      Thread script =
          new Thread(
              () -> {
                try (Jedis jedis = new Jedis(server.uri().getHost(), server.port(), 60_000)) {
                  assertThatThrownBy(() -> jedis.eval("while true do end"))
                      .hasMessageContaining("killed");
                }
              });
      script.start();
      while (!(server.command("PING") instanceof Reply.Refusal)) {
        Thread.onSpinWait();
      }
      assertRefused(filter, "BUSY");
      refuses(RedisRefusedException.class, () -> filled(link));
      server.command("SCRIPT", "KILL");
      script.join();
      assertWhole(filter);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aServerThatLoadsItsDataRefusesAndThenHasTheFilter(LinkKind kind) throws Exception {
    try (TestServer server = TestServer.withOptions("--key-load-delay", "50000"); // microseconds
        RedisLink link = kind.to(server.uri(), Duration.ofSeconds(10))) {
      RedisBloomFilter<Long> filter = filled(link);
      try (Jedis jedis = new Jedis(server.uri())) {
        for (int i = 0; i < FILLERS; i++) {
          long unused = jedis.setrange("filler" + i, FILLER_BYTES, "x");
        }
        jedis.configSet("rdbcompression", "no");
        jedis.save();
      }
      server.kill();
      server.startLoading();
      while (!(reply(link) instanceof Reply.Refusal)) {
        Thread.onSpinWait();
      }
      assertRefused(filter, "LOADING");
      assertThat(filter.health().persistence()).isEqualTo(RedisPersistence.UNKNOWN);
      while (server.command("CONFIG", "SET", "key-load-delay", "0") instanceof Reply.Missing) {
        Thread.onSpinWait();
      }
      while (reply(link) instanceof Reply.Refusal) {
        Thread.onSpinWait();
      }
      assertWhole(filter);
    }
  }

  private static Reply reply(RedisLink link) {
    byte[] key = CommandTokens.of(Shards.keyOf("refused", 0));
    return link.send(
            List.of(Command.read("GETRANGE", key, key, CommandTokens.ZERO, CommandTokens.ZERO)))
        .get(0);
  }
}
