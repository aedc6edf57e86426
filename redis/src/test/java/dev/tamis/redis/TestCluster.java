package dev.tamis.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import redis.clients.jedis.Jedis;
import redis.embedded.RedisShardedCluster;

/** A cluster of three masters, gone with the JVM. */
final class TestCluster {

  private static final int MASTERS = 3;
  private static final int TRIES = 1_000;
  private static final int HIGHEST_PORT = 55_000; // the bus is at 10000 more

  private TestCluster() {}

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
                .serverPorts(ports())
                .shard("a", 0)
                .shard("b", 0)
                .shard("c", 0)
                .build();
        cluster.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(cluster)));
        for (int port : cluster.ports()) {
          awaitReady(port);
        }
        return cluster.ports().stream()
            .map(port -> URI.create("redis://127.0.0.1:" + port))
            .collect(Collectors.toSet());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Waits until a server knows that the others are there, and takes commands. */
    private static void awaitReady(int port) throws IOException {
      try (Jedis jedis = new Jedis("127.0.0.1", port)) {
        for (int i = 0; i < TRIES; i++) {
          if (jedis.clusterInfo().contains("cluster_state:ok")) {
            return;
          }
          Thread.sleep(20);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      throw new IOException("the cluster is not ready: server at port " + port);
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
        int port = TestServer.freePort();
        if (port <= HIGHEST_PORT) {
          ports.add(port);
        }
      }
      return new ArrayList<>(ports);
    }
  }
}
