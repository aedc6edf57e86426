package dev.tamis.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/** A sentinel that watches a master and promotes its replica half a second after its end. */
final class TestSentinel implements AutoCloseable {

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
