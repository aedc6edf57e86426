package dev.tamis.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.SentineledConnectionProvider;

/**
 * Filters whose server is named by a sentinel, over clients that the application has configured.
 */
@Timeout(120)
class SentinelTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  @Test
  void lettuceFindsTheMasterThatTheSentinelHasPromoted() throws Exception {
    RedisClient application = RedisClient.create();
    try {
      failOver(
          sentinel -> {
            RedisURI uri =
                RedisURI.Builder.sentinel("127.0.0.1", sentinel.port(), TestSentinel.MASTER)
                    .withTimeout(TIMEOUT)
                    .build();
            return LettuceLink.over(application, uri, TIMEOUT);
          });
    } finally {
      application.shutdown(Duration.ZERO, TIMEOUT);
    }
  }

  @Test
  void jedisFindsTheMasterThatTheSentinelHasPromoted() throws Exception {
    JedisClientConfig config =
        DefaultJedisClientConfig.builder()
            .timeoutMillis(Math.toIntExact(TIMEOUT.toMillis()))
            .build();
    List<SentineledConnectionProvider> opened = new ArrayList<>();
    try {
      failOver(
          sentinel -> {
            SentineledConnectionProvider provider =
                new SentineledConnectionProvider(
                    TestSentinel.MASTER,
                    config,
                    Set.of(new HostAndPort("127.0.0.1", sentinel.port())),
                    config);
            opened.add(provider);
            return JedisLink.over(provider);
          });
    } finally {
      opened.forEach(SentineledConnectionProvider::close);
    }
  }

  @Test
  void theApplicationsClientOutlivesTheLink() {
    RedisURI uri = RedisURI.create(TestServer.shared().uri());
    RedisClient application = RedisClient.create();
    try (var own = application.connect(uri)) {
      try (RedisLink link = LettuceLink.over(application, uri, TIMEOUT)) {
        assertThat(filter(link, TestServer.newName()).put(1L)).isTrue();
      }
      assertThat(own.sync().ping()).isEqualTo("PONG");
    } finally {
      application.shutdown(Duration.ZERO, TIMEOUT);
    }
  }

  private interface Linking {
    RedisLink by(TestSentinel sentinel);
  }

  private static RedisBloomFilter<Long> filter(RedisLink link, String name) {
    return TestFilters.builder(link, name, 10_000, 1e-6).createOrOpen();
  }

  private static void failOver(Linking linking) throws Exception {
    try (TestServer master = TestServer.withOptions("--repl-diskless-sync-delay", "0");
        TestServer replica =
            TestServer.withOptions("--replicaof", "127.0.0.1", "" + master.port());
        TestSentinel sentinel = new TestSentinel(master)) {
      sentinel.untilItKnowsAReplica();
      try (RedisLink link = linking.by(sentinel)) {
        RedisBloomFilter<Long> filter = filter(link, "watched");
        long[] known = TestFilters.fill(filter, 1, 100);
        master.untilCaughtUp(replica);

        master.kill();

        assertThat(putOnceItIsPossible(filter)).isTrue();
        assertThat(TestFilters.query(filter, known)).doesNotContain(false);
      }
    }
  }

  private static boolean putOnceItIsPossible(RedisBloomFilter<Long> filter) throws Exception {
    for (long key = 1_000; ; key++) {
      try {
        return filter.put(key);
      } catch (RedisUnavailableException | UncertainPutException | RedisRefusedException e) {
        Thread.sleep(100);
      }
    }
  }

  /** A sentinel that watches a master and promotes its replica half a second after its end. */
  private static final class TestSentinel implements AutoCloseable {

    static final String MASTER = "tamis";

    private final int port;
    private final Process process;

    TestSentinel(TestServer master) throws IOException {
      this.port = TestServer.freePort();
      Path directory = Files.createTempDirectory("sentinel");
      Path configuration = directory.resolve("sentinel.conf");
      Files.write(
          configuration,
          List.of(
              "port " + port,
              "bind 127.0.0.1",
              "dir " + directory,
              "sentinel monitor " + MASTER + " 127.0.0.1 " + master.port() + " 1",
              "sentinel down-after-milliseconds " + MASTER + " 500",
              "sentinel failover-timeout " + MASTER + " 3000"));
      process =
          new ProcessBuilder(TestServer.program(), configuration.toString(), "--sentinel")
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("log").toFile())
              .start();
    }

    int port() {
      return port;
    }

    /** Waits until it knows a replica that it can promote. */
    void untilItKnowsAReplica() throws InterruptedException {
      while (!knowsAReplica()) {
        Thread.sleep(50);
      }
    }

    private boolean knowsAReplica() {
      try (Jedis jedis = new Jedis("127.0.0.1", port)) {
        return jedis.sentinelReplicas(MASTER).stream()
            .anyMatch(replica -> "ok".equals(replica.get("master-link-status")));
      } catch (JedisException e) {
        return false; // it is not up yet
      }
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }
}
