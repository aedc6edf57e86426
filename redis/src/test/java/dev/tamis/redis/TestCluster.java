package dev.tamis.redis;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import redis.clients.jedis.Jedis;
import redis.embedded.RedisServer;
import redis.embedded.RedisShardedCluster;
import redis.embedded.core.ExecutableProvider;

/** A cluster of three masters, gone with the JVM. */
final class TestCluster {

  private static final int MASTERS = 3;

  private TestCluster() {}

  /** Waits until a server knows who has what: it refuses everything before. */
  static void untilItServes(URI server) {
    try (Jedis jedis = new Jedis(server)) {
      while (!jedis.clusterInfo().contains("cluster_state:ok")) {
        Thread.onSpinWait();
      }
    }
  }

  /** Returns the addresses of its servers. */
  static Set<URI> shared() {
    return Shared.URIS;
  }

  private static final class Shared {
    static final Set<URI> URIS = start();

    private static Set<URI> start() {
      try {
        RedisShardedCluster cluster =
            RedisShardedCluster.newRedisCluster()
                .withServerBuilder(RedisServer.newRedisServer().executableProvider(provider()))
                .serverPorts(ports())
                .shard("a", 0)
                .shard("b", 0)
                .shard("c", 0)
                .build();
        cluster.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(cluster)));
        Set<URI> uris =
            cluster.ports().stream()
                .map(port -> URI.create("redis://127.0.0.1:" + port))
                .collect(Collectors.toSet());
        uris.forEach(TestCluster::untilItServes);
        return uris;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static ExecutableProvider provider() throws IOException {
      File program = new File(TestServer.program());
      return () -> program;
    }

    private static void stop(RedisShardedCluster cluster) {
      try {
        cluster.stop();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static List<Integer> ports() throws IOException {
      Set<Integer> ports = new HashSet<>();
      while (ports.size() < MASTERS) {
        ports.add(TestServer.freePort());
      }
      return new ArrayList<>(ports);
    }
  }
}
