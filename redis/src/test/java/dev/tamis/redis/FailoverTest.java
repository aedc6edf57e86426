package dev.tamis.redis;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.Keys;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A replica takes the place of its master, which was killed. */
@Timeout(60)
class FailoverTest {

  private static final int KEYS = 1_000;
  private static final Duration IN_TIME = Duration.ofSeconds(5);
  private static final Duration TOO_SOON = Duration.ofMillis(20);

  private final String name = TestServer.newName();
  private TestServer master;
  private TestServer replica;

  @BeforeEach
  void start() {
    master = TestServer.withOptions("--repl-diskless-sync-delay", "0");
    replica = TestServer.withOptions("--replicaof", "127.0.0.1", "" + master.port());
  }

  @AfterEach
  void stop() {
    master.close();
    replica.close();
  }

  private RedisBloomFilter<Long> create(RedisLink link) {
    return TestFilters.builder(link, name, 100_000, 1e-9).shardBytes(100_000).create();
  }

  private static long[] put(RedisBloomFilter<Long> filter, long stream) {
    long[] hashes = Keys.hashes(stream, KEYS).toArray();
    assertThat(TestFilters.put(filter, hashes)).doesNotContain(false);
    return hashes;
  }

  private void cutTheReplicaOff() throws IOException {
    replica.command("REPLICAOF", "127.0.0.1", "" + TestServer.freePort());
  }

  private void failOver() throws InterruptedException {
    master.kill();
    replica.command("REPLICAOF", "NO", "ONE");
  }

  @ParameterizedTest
  @EnumSource
  void whatWasNotReplicatedIsDeniedUnnoticed(LinkKind kind) throws Exception {
    try (RedisLink link = kind.to(master.uri())) {
      RedisBloomFilter<Long> filter = create(link);
      long[] replicated = put(filter, 1);
      master.untilCaughtUp(replica);
      byte[] before = filter.toByteArray();
      cutTheReplicaOff();
      long[] late = put(filter, 2); // acknowledged by the master, each of them
      failOver();

      try (RedisLink promoted = kind.to(replica.uri())) {
        RedisBloomFilter<Long> after = TestFilters.open(promoted, name);
        assertThat(after.current().get().header().stamp())
            .isEqualTo(filter.current().get().header().stamp());
        assertThat(after.toByteArray()).isEqualTo(before);
        assertThat(replicated).doesNotHaveDuplicates();
        assertThat(Arrays.stream(replicated)).allMatch(after::mightContainHash);
        assertThat(Arrays.stream(replicated)).noneMatch(after::putHash);
        assertThat(Arrays.stream(late)).noneMatch(after::mightContainHash);
        assertThat(Arrays.stream(late)).allMatch(after::putHash); // new for the second time
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatWasWaitedForIsThereAfterAFailover(LinkKind kind) throws Exception {
    long[] hashes;
    try (RedisLink link = kind.to(master.uri())) {
      master.untilCaughtUp(replica);
      RedisBloomFilter<Long> filter = create(new ReplicatedPuts(link, 1, IN_TIME));
      hashes = put(filter, 1);
      assertThat(filter.putHash(1L)).isTrue();
    }
    failOver();
    try (RedisLink promoted = kind.to(replica.uri())) {
      RedisBloomFilter<Long> after = TestFilters.open(promoted, name);
      assertThat(Arrays.stream(hashes)).allMatch(after::mightContainHash).noneMatch(after::putHash);
      assertThat(after.putHash(1L)).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPutThatNoReplicaHasIsUncertain(LinkKind kind) throws Exception {
    try (RedisLink link = kind.to(master.uri())) {
      master.untilCaughtUp(replica);
      create(link);
      RedisLink waiting = new ReplicatedPuts(link, 1, TOO_SOON);
      RedisBloomFilter<Long> filter = TestFilters.open(waiting, name);
      cutTheReplicaOff();
      refuses(UncertainPutException.class, () -> filter.put(1L), "only 0 of 1 replicas");
      assertThatThrownBy(() -> filter.putHashes(new long[] {1, 2, 3}, 3, new boolean[3]))
          .isInstanceOfSatisfying(
              UncertainPutException.class, e -> assertThat(e.firstUncertain()).isZero());
      assertThat(filter.mightContain(1L)).isTrue(); // at the master, which still lives
    }
  }

  @Test
  void aReplicaRefusesAndIsNotWaitedFor() {
    master.untilCaughtUp(replica);
    try (RedisLink link = replica.link()) {
      create(master.link());
      master.untilCaughtUp(replica);
      RedisLink waiting = new ReplicatedPuts(link, 1, IN_TIME);
      RedisBloomFilter<Long> filter = TestFilters.open(waiting, name);
      refuses(RedisRefusedException.class, () -> filter.put(1L), "READONLY");
    }
  }

  @Test
  void whatCannotBeWaitedForIsRefused() {
    try (RedisLink link = master.link();
        RedisLink cluster = LinkKind.JEDIS.toCluster(TestCluster.shared())) {
      refuses(() -> new ReplicatedPuts(link, 0, IN_TIME), "replicas");
      refuses(() -> new ReplicatedPuts(link, 1, Duration.ZERO), "timeout");
      refuses(() -> new ReplicatedPuts(cluster, 1, IN_TIME), "cluster");
    }
  }
}
