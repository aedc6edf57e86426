package dev.tamis.redis;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.Keys;
import dev.tamis.Race;
import dev.tamis.filter.BloomFilter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers that die, fill up, forget, or are replicas. */
@Timeout(120)
class FailureTest {

  private final String name = TestServer.newName();

  private RedisBloomFilterBuilder<Long> builder(RedisLink link, long keys) {
    return TestFilters.builder(link, name, keys, 0.01);
  }

  @ParameterizedTest
  @EnumSource
  void aServerThatIsKilledDuringTrafficMakesNoKeyNewTwice(LinkKind kind) throws Exception {
    String[] durable = {"--appendonly", "yes", "--appendfsync", "always"};
    try (TestServer server = TestServer.withOptions(durable);
        RedisLink link = kind.to(server.uri())) {
      RedisBloomFilter<Long> filter = builder(link, 1_000_000).create();
      Set<Long> taken = ConcurrentHashMap.newKeySet();
      AtomicLong uncertain = new AtomicLong();
      Race.run(
          4,
          thread -> {
            if (thread == 0) {
              while (taken.size() < 500) {
                Thread.onSpinWait();
              }
              server.kill();
              return;
            }
            long[] hashes = Keys.hashes(thread, 1_000_000).toArray();
            for (long hash : hashes) {
              try {
                if (filter.putHash(hash)) {
                  taken.add(hash);
                }
              } catch (UncertainPutException e) {
                assertThat(e.firstUncertain()).isZero();
                uncertain.incrementAndGet();
                return;
              } catch (RedisUnavailableException e) {
                return;
              }
            }
            throw new AssertionError("nobody has killed the server");
          });
      refuses(RedisUnavailableException.class, () -> filter.put(1L));
      refuses(RedisUnavailableException.class, () -> filter.mightContain(1L));

      server.start();
      untilItAnswers(filter);

      assertThat(uncertain).hasValueLessThanOrEqualTo(3); // none, if nothing was under way
      assertThat(taken).hasSizeGreaterThanOrEqualTo(500);
      assertThat(taken).allMatch(filter::mightContainHash).noneMatch(filter::putHash);
    }
  }

  /** A client may wait a moment before it connects again. */
  private static void untilItAnswers(RedisBloomFilter<Long> filter) {
    while (true) {
      try {
        filter.mightContain(1L);
        return;
      } catch (RedisUnavailableException e) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void aPutWhoseReplyIsLostIsNotSentAgain() {
    Saboteur link = new Saboteur(TestServer.shared().link());
    RedisBloomFilter<Long> filter = builder(link, 1_000).create();
    filter.put(1L);
    link.loseRepliesFrom(0);
    refuses(UncertainPutException.class, () -> filter.put(2L), "BITFIELD");
    assertThat(link.sent("BITFIELD")).isEqualTo(2);
    link.loseRepliesFrom(Integer.MAX_VALUE);
    assertThat(filter.put(2L)).isFalse(); // it was in: the answer that was lost was true
    assertThat(filter.acceptedKeys()).isEqualTo(1);
    link.close();
  }

  @Test
  void aPutThatMeetsAnotherFilterAndThenNoServerIsUncertain() {
    Saboteur link = new Saboteur(TestServer.shared().link());
    RedisBloomFilter<Long> filter = builder(link, 1_000).create();
    try (JedisLink other = TestServer.shared().link()) {
      RedisBloomFilter<Long> same = TestFilters.open(other, name);
      try (Rebuild<Long> rebuild = builder(other, 1_000).replace(same)) {
        rebuild.swap();
      }
      link.loseRepliesOfLookUps(true);
      refuses(UncertainPutException.class, () -> filter.put(1L));
      link.loseRepliesOfLookUps(false);
      assertThat(same.mightContain(1L)).isTrue();
      assertThat(filter.put(2L)).isTrue();
    }
    link.close();
  }

  @Test
  void aBulkPutSaysHowFarItsAnswersGo() {
    Saboteur link = new Saboteur(TestServer.shared().link());
    RedisBloomFilter<Long> filter = builder(link, 10_000).create();
    long[] hashes = Keys.hashes(1, 1_000).toArray();
    boolean[] isNew = new boolean[1_000];
    link.loseRepliesFrom(700);
    assertThatThrownBy(() -> filter.putHashes(hashes, 1_000, isNew))
        .isInstanceOfSatisfying(
            UncertainPutException.class, e -> assertThat(e.firstUncertain()).isEqualTo(700));
    BloomFilter<Long> local = TestFilters.like(filter);
    int accepted = 0;
    for (int i = 0; i < 700; i++) {
      assertThat(isNew[i]).isEqualTo(local.putHash(hashes[i]));
      accepted += isNew[i] ? 1 : 0;
    }
    assertThat(filter.acceptedKeys()).isEqualTo(accepted);
    link.close();
  }

  @Test
  void theLastKeyOfABulkPutFailsLikeTheOthers() {
    Saboteur link = new Saboteur(TestServer.shared().link());
    RedisBloomFilter<Long> filter = builder(link, 10_000).create();
    int count = Server.BATCH + 1;
    long[] hashes = Keys.hashes(1, count).toArray();
    link.refuseFrom(Server.BATCH);
    assertThatThrownBy(() -> filter.putHashes(hashes, count, new boolean[count]))
        .isInstanceOfSatisfying(
            UncertainPutException.class,
            e -> assertThat(e.firstUncertain()).isEqualTo(Server.BATCH));
    link.refuseFrom(0);
    refuses(RedisRefusedException.class, () -> filter.put(1L), "on purpose");
    link.close();
  }

  @Test
  void aLookUpWhoseReplyIsLostIsSentAgainOnce() {
    Saboteur link = new Saboteur(TestServer.shared().link());
    RedisBloomFilter<Long> filter = builder(link, 1_000).create();
    filter.put(1L);
    link.loseRepliesOfNextCalls(1);
    assertThat(filter.mightContain(1L)).isTrue();
    link.loseRepliesOfNextCalls(2);
    refuses(RedisUnavailableException.class, () -> filter.mightContain(1L));
    assertThat(filter.mightContain(1L)).isTrue();
    link.close();
  }

  @Test
  void aServerThatIsNotThereIsSaidToBe() throws Exception {
    URI nobody = URI.create("redis://127.0.0.1:" + TestServer.freePort());
    refuses(RedisUnavailableException.class, () -> LettuceLink.to(nobody, Duration.ofSeconds(1)));
    refuses(
        RedisUnavailableException.class,
        () -> LettuceLink.toCluster(Set.of(nobody), Duration.ofSeconds(1)));
    try (JedisLink link = JedisLink.to(nobody, Duration.ofSeconds(1), 2)) {
      refuses(RedisUnavailableException.class, () -> builder(link, 100).create());
      refuses(RedisUnavailableException.class, () -> TestFilters.open(link, name));
    }
  }

  @Test
  void aServerWithoutMemoryRefusesAndKeepsNothingHalfMade() {
    try (TestServer server =
            TestServer.withOptions("--maxmemory", "3mb", "--maxmemory-policy", "noeviction");
        JedisLink link = server.link()) {
      refuses(
          RedisRefusedException.class,
          () -> builder(link, 20_000_000).shardBytes(1 << 20).create(),
          "OOM");
      assertThat(server.command("DBSIZE")).isEqualTo(new Reply.Whole(0));
    }
  }

  @Test
  void aFilterThatWasEvictedIsNoticed() {
    try (TestServer server =
            TestServer.withOptions("--maxmemory", "8mb", "--maxmemory-policy", "allkeys-lru");
        JedisLink link = server.link()) {
      RedisBloomFilter<Long> filter = builder(link, 100_000).shardBytes(16_384).create();
      long[] hashes = TestFilters.fill(filter, 1, 1_000);
      for (int i = 0; i < 10; i++) {
        server.command("SET", "other" + i, "x".repeat(1 << 20));
      }
      refuses(
          FilterLostException.class,
          () -> filter.mightContainHashes(hashes, 1_000, new boolean[1_000]));
    }
  }

  @Test
  void whatWasOnDiskIsThereAfterAKill() throws Exception {
    String[] durable = {"--appendonly", "yes", "--appendfsync", "always"};
    try (TestServer server = TestServer.withOptions(durable);
        JedisLink link = server.link()) {
      RedisBloomFilter<Long> filter = builder(link, 10_000).shardBytes(2_048).create();
      TestFilters.fill(filter, 1, 2_000);
      byte[] before = filter.toByteArray();
      server.kill();
      server.start();
      assertThat(filter.toByteArray()).isEqualTo(before);
      assertThat(filter.put(-1L)).isTrue();
    }
  }

  @Test
  void aServerThatComesBackEmptyHasLostTheFilter() throws Exception {
    try (TestServer server = TestServer.withOptions();
        JedisLink link = server.link()) {
      RedisBloomFilter<Long> filter = builder(link, 10_000).create();
      filter.put(1L);
      server.kill();
      server.start();
      refuses(FilterLostException.class, () -> filter.mightContain(1L));
    }
  }

  @Test
  void replicasAnswerLookUpsAndRefusePuts() throws Exception {
    try (TestServer master = TestServer.withOptions();
        TestServer replica =
            TestServer.withOptions("--replicaof", "127.0.0.1", "" + master.port());
        JedisLink direct = replica.link();
        Saboteur replicaLink = new Saboteur(replica.link());
        ReplicaReads link = new ReplicaReads(master.link(), List.of(replicaLink))) {
      RedisBloomFilter<Long> filter = builder(link, 10_000).create();
      assertThat(filter.put(1L)).isTrue();
      while (!master.command("WAIT", "1", "100").equals(new Reply.Whole(1))
          || !replica.command("EXISTS", Shards.keyOf(name, 0)).equals(new Reply.Whole(1))) {
        Thread.onSpinWait();
      }
      assertThat(filter.mightContain(1L)).isTrue();
      assertThat(filter.mightContainAll(List.of(1L, 2L))).containsExactly(true, false);
      assertThat(replicaLink.sent("GETRANGE")).isEqualTo(3);
      assertThat(replicaLink.sent("BITFIELD")).isZero();

      RedisBloomFilter<Long> there = TestFilters.open(direct, name);
      assertThat(there.mightContain(1L)).isTrue();
      refuses(RedisRefusedException.class, () -> there.put(2L), "READONLY");

      replica.kill();
      assertThat(filter.mightContain(1L)).isTrue(); // by the master
    }
  }

  @Test
  void processesThatRaceAreToldOnceThatAKeyIsNew() throws Exception {
    int keys = 20_000;
    try (JedisLink link = TestServer.shared().link()) {
      builder(link, keys).shardBytes(4_096).create();
      List<Process> processes = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        processes.add(RacingProcess.start(TestServer.shared().uri(), name, keys));
      }
      BitSet taken = new BitSet();
      for (Process process : processes) {
        BitSet wins = BitSet.valueOf(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).isZero();
        assertThat(wins.intersects(taken)).isFalse();
        taken.or(wins);
      }
      assertThat(taken.cardinality()).isGreaterThan(keys * 99 / 100);
    }
  }

  /** A process that puts keys, one by one and many at once, and writes which of them were new. */
  static final class RacingProcess {

    private RacingProcess() {}

    static Process start(URI server, String name, int keys) throws IOException {
      return new ProcessBuilder(
              ProcessHandle.current().info().command().orElse("java"),
              "-XX:TieredStopAtLevel=1",
              "-cp",
              System.getProperty("java.class.path"),
              RacingProcess.class.getName(),
              server.toString(),
              name,
              Integer.toString(keys))
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .start();
    }

    /** Takes the address, the name and the number of keys. */
    public static void main(String[] arguments) throws IOException {
      int keys = Integer.parseInt(arguments[2]);
      long[] hashes = Keys.hashes(1, keys).toArray();
      BitSet wins = new BitSet();
      try (JedisLink link = JedisLink.to(URI.create(arguments[0]), Duration.ofSeconds(20), 1)) {
        RedisBloomFilter<Long> filter = TestFilters.open(link, arguments[1]);
        int single = keys / 4;
        for (int i = 0; i < single; i++) {
          wins.set(i, filter.putHash(hashes[i]));
        }
        long[] rest = Arrays.copyOfRange(hashes, single, keys);
        boolean[] isNew = new boolean[rest.length];
        filter.putHashes(rest, rest.length, isNew);
        for (int i = 0; i < rest.length; i++) {
          wins.set(single + i, isNew[i]);
        }
      }
      new FileOutputStream(FileDescriptor.out).write(wins.toByteArray());
    }
  }
}
