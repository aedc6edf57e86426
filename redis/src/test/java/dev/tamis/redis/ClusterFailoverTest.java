package dev.tamis.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Keys;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;

/** A cluster of three masters with a replica each, one of which takes over by itself. */
@Tag("thorough")
@Timeout(120)
class ClusterFailoverTest {

  private static final int MASTERS = TestCluster.MASTERS;
  private static final int KEYS = 1_000;
  private static final long RETRY_MILLIS = 10;
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private static final String[] OPTIONS = {
    "--cluster-enabled", "yes",
    "--cluster-node-timeout", "1000",
    "--cluster-replica-validity-factor", "0",
    "--repl-diskless-sync-delay", "0"
  };

  private final List<TestServer> masters = new ArrayList<>();
  private final List<TestServer> replicas = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    for (int i = 0; i < MASTERS; i++) {
      masters.add(TestServer.withOptions(OPTIONS));
      replicas.add(TestServer.withOptions(OPTIONS));
    }
    TestCluster.introduce(servers());
    TestCluster.share(masters);
    for (int i = 0; i < MASTERS; i++) {
      try (Jedis master = new Jedis(masters.get(i).uri());
          Jedis replica = new Jedis(replicas.get(i).uri())) {
        String id = master.clusterMyId();
        while (!replica.clusterNodes().contains(id)) {
          Thread.sleep(RETRY_MILLIS);
        }
        replica.clusterReplicate(id);
      }
    }
    servers().forEach(TestCluster::untilItServes);
    untilReplicated();
  }

  @AfterEach
  void stop() {
    servers().forEach(TestServer::close);
  }

  private List<TestServer> servers() {
    return Stream.concat(masters.stream(), replicas.stream()).toList();
  }

  private void untilReplicated() {
    for (int i = 0; i < MASTERS; i++) {
      masters.get(i).untilCaughtUp(replicas.get(i));
    }
  }

  @ParameterizedTest
  @EnumSource
  void putsAndLookUpsGoOnWithTheReplicaAndNoKeyIsNewTwice(LinkKind kind) throws Exception {
    Set<URI> uris = servers().stream().map(TestServer::uri).collect(Collectors.toSet());
    try (RedisLink link = kind.toCluster(uris, TIMEOUT)) {
      RedisBloomFilter<Long> filter =
          TestFilters.builder(link, "visited", 100_000, 1e-9).shardBytes(16_384).create();
      long[] before = Keys.hashes(1, KEYS).toArray();
      boolean[] isNew = new boolean[KEYS];
      filter.putHashes(before, KEYS, isNew);
      assertThat(isNew).doesNotContain(false);
      untilReplicated();

      masters.get(0).kill();

      Set<Class<?>> failures = new HashSet<>();
      int newKeys = 0;
      int uncertain = 0;
      for (long hash : Keys.hashes(2, KEYS).toArray()) {
        Answer put = untilAnswered(filter::putHash, hash, failures);
        newKeys += put.value() ? 1 : 0;
        uncertain += put.isUncertain() ? 1 : 0;
        assertThat(put.value() || put.isUncertain()).isTrue();
        assertThat(untilAnswered(filter::mightContainHash, hash, failures).value()).isTrue();
      }

      assertThat(failures)
          .isNotEmpty()
          .isSubsetOf(
              RedisUnavailableException.class,
              UncertainPutException.class,
              RedisRefusedException.class);
      assertThat(newKeys).isBetween(KEYS - uncertain, KEYS);
      assertThat(Arrays.stream(before))
          .allMatch(filter::mightContainHash)
          .noneMatch(filter::putHash);
      filter.putHashes(Keys.hashes(2, KEYS).toArray(), KEYS, isNew);
      assertThat(isNew).doesNotContain(true);
      filter.mightContainHashes(before, KEYS, isNew);
      assertThat(isNew).doesNotContain(false);
    }
  }

  private record Answer(boolean value, boolean isUncertain) {}

  /** Retries until a call succeeds, as an application does that tolerates repeats. */
  private static Answer untilAnswered(LongPredicate call, long hash, Set<Class<?>> failures)
      throws InterruptedException {
    boolean isUncertain = false;
    while (true) {
      try {
        return new Answer(call.test(hash), isUncertain);
      } catch (RedisFilterException e) {
        failures.add(e.getClass());
        isUncertain |= e instanceof UncertainPutException;
        Thread.sleep(RETRY_MILLIS);
      }
    }
  }
}
