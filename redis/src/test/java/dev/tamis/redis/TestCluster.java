package dev.tamis.redis;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.params.ClientKillParams;

/** A cluster of three masters, gone with the JVM. */
final class TestCluster {

  static final int MASTERS = 3;

  private static final int SLOTS = 16_384;

  private TestCluster() {}

  /** Returns the addresses of its servers. */
  static Set<URI> shared() {
    return Shared.URIS;
  }

  /** Returns the addresses for a user, which is created with these rules. */
  static Set<URI> withUser(String user, String... rules) {
    Set<URI> uris = new HashSet<>();
    for (URI uri : shared()) {
      try (Jedis node = new Jedis(uri)) {
        node.aclSetUser(
            user,
            Stream.concat(Stream.of("on", ">secret"), Stream.of(rules)).toArray(String[]::new));
      }
      uris.add(URI.create("redis://" + user + ":secret@" + uri.getAuthority()));
    }
    return uris;
  }

  /** Closes the connections of all clients. */
  static void killClients() {
    for (URI uri : shared()) {
      try (Jedis node = new Jedis(uri)) {
        node.clientKill(
            ClientKillParams.clientKillParams()
                .type(ClientType.NORMAL)
                .skipMe(ClientKillParams.SkipMe.YES));
      }
    }
  }

  private static final class Shared {
    static final Set<URI> URIS = start();

    private static Set<URI> start() {
      List<TestServer> masters = new ArrayList<>();
      for (int i = 0; i < MASTERS; i++) {
        masters.add(TestServer.withOptions("--cluster-enabled", "yes"));
      }
      Runtime.getRuntime().addShutdownHook(new Thread(() -> masters.forEach(TestServer::close)));
      introduce(masters);
      share(masters);
      masters.forEach(TestCluster::untilItServes);
      return masters.stream().map(TestServer::uri).collect(Collectors.toSet());
    }
  }

  /** Makes servers know each other, sooner or later. */
  static void introduce(List<TestServer> servers) {
    int epoch = 0;
    for (TestServer server : servers) {
      server.command("CLUSTER", "SET-CONFIG-EPOCH", "" + ++epoch);
      server.command("CLUSTER", "MEET", "127.0.0.1", "" + servers.get(0).port());
    }
  }

  /** Gives each of them its part of the slots. */
  static void share(List<TestServer> masters) {
    for (int i = 0; i < masters.size(); i++) {
      int from = SLOTS * i / masters.size();
      int to = SLOTS * (i + 1) / masters.size();
      try (Jedis master = new Jedis(masters.get(i).uri())) {
        master.clusterAddSlots(IntStream.range(from, to).toArray());
      }
    }
  }

  /** Waits until a server knows which node has which slot; until then it refuses everything. */
  static void untilItServes(TestServer server) {
    try (Jedis jedis = new Jedis(server.uri())) {
      while (!jedis.clusterInfo().contains("cluster_state:ok")) {
        Thread.onSpinWait();
      }
    }
  }
}
