package dev.tamis.redis;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.Keys;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stages have the results and the failures of the calls that block. */
@Timeout(120)
class AsyncRedisBloomFilterTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration SHORT = Duration.ofSeconds(1);

  /** Gone with the JVM. */
  private static final LettuceLink LINK = LettuceLink.to(TestServer.shared().uri(), TIMEOUT);

  private final String name = TestServer.newName();

  private static RedisBloomFilterBuilder<Long> builder(RedisLink link, String name, long keys) {
    return TestFilters.builder(link, name, keys, 0.001).shardBytes(10_000);
  }

  private AsyncRedisBloomFilter<Long> create(LettuceLink link, int maxInFlight) {
    return AsyncRedisBloomFilter.over(builder(link, name, 100_000).create(), link, maxInFlight);
  }

  /** Waits, and throws the failure itself. */
  static <R> R join(CompletionStage<R> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  @Test
  void manyAtOnceGiveTheResultsOfALocalFilter() {
    AsyncRedisBloomFilter<Long> filter = create(LINK, 20_000);
    BloomFilter<Long> local =
        BloomFilter.<Long>builder(KeyHasher.longs()).expectedKeys(100_000).fpp(0.001).build();
    List<CompletionStage<Boolean>> puts = new ArrayList<>();
    for (long key = 0; key < 10_000; key++) {
      puts.add(filter.put(key % 7_000));
    }
    for (int i = 0; i < 10_000; i++) {
      assertThat(join(puts.get(i))).isEqualTo(local.put(i % 7_000L));
    }
    for (long key = 0; key < 10_000; key++) {
      assertThat(join(filter.mightContain(key))).isEqualTo(local.mightContain(key));
    }
    List<Long> keys = List.of(1L, 20_000L, 1L, 20_000L);
    assertThat(join(filter.mightContainAll(keys))).containsExactly(true, false, true, false);
    assertThat(join(filter.putAll(keys))).containsExactly(false, true, false, false);
  }

  @Test
  void aBulkOfAnySizeHasOneBatchInFlight() {
    AsyncRedisBloomFilter<Long> filter = create(LINK, 256);
    long[] hashes = Keys.hashes(1, 50_000).toArray();
    boolean[] isNew = new boolean[hashes.length];
    join(filter.putHashes(hashes, hashes.length, isNew));
    BloomFilter<Long> local = BloomFilter.create(KeyHasher.longs(), 100_000, 0.001);
    boolean[] isNewHere = new boolean[hashes.length];
    local.putHashes(hashes, hashes.length, isNewHere);
    assertThat(isNew).isEqualTo(isNewHere);
    boolean[] answers = new boolean[hashes.length];
    join(filter.mightContainHashes(hashes, hashes.length, answers));
    assertThat(answers).doesNotContain(false);
    join(filter.putHashes(hashes, 0, isNew)); // none at all
  }

  @Test
  void aCallBeyondTheLimitSendsNothingAndFailsAtOnce() throws Exception {
    try (TestProxy proxy = new TestProxy(TestServer.shared());
        LettuceLink link = LettuceLink.to(proxy.uri(), TIMEOUT)) {
      AsyncRedisBloomFilter<Long> filter = create(link, 300);
      proxy.delayReplies(1_000);
      List<CompletableFuture<Boolean>> puts = new ArrayList<>();
      for (long key = 0; key < 300; key++) {
        puts.add(filter.put(key).toCompletableFuture());
      }
      assertThat(puts).allMatch(put -> !put.isDone()); // no call waited
      CompletableFuture<Boolean> beyond = filter.put(300L).toCompletableFuture();
      assertThat(beyond).isCompletedExceptionally();
      refuses(RejectedExecutionException.class, () -> join(beyond), "300");
      refuses(RejectedExecutionException.class, () -> join(filter.mightContain(1L)));
      refuses(RejectedExecutionException.class, () -> join(filter.putAll(List.of(301L))));
      proxy.delayReplies(0);
      assertThat(puts).allMatch(AsyncRedisBloomFilterTest::join);
      assertThat(join(filter.put(300L))).isTrue(); // it had not been put, and there is room
      assertThat(join(filter.putAll(List.of(301L, 300L)))).containsExactly(true, false);
    }
  }

  @Test
  void aPutWhoseReplyIsLostIsUncertainAndALookupIsSentAgain() throws Exception {
    try (TestProxy proxy = new TestProxy(TestServer.shared());
        LettuceLink link = LettuceLink.to(proxy.uri(), SHORT)) {
      AsyncRedisBloomFilter<Long> filter = create(link, 256);
      proxy.delayReplies(60_000);
      CompletionStage<Boolean> put = filter.put(1L);
      refuses(UncertainPutException.class, () -> join(put));
      proxy.delayReplies(0);
      assertThat(join(filter.mightContain(1L))).isTrue(); // over another connection
      for (int i = 0; i < 20; i++) {
        proxy.cutConnections();
        assertThat(join(filter.mightContain(1L))).isTrue();
      }
    }
  }

  @Test
  void aLostFilterFailsEveryCallAndAReplacedOneIsFollowed() {
    AsyncRedisBloomFilter<Long> filter = create(LINK, 256);
    RedisBloomFilter<Long> same = TestFilters.open(LINK, name);
    try (Rebuild<Long> rebuild = builder(LINK, name, 1_000).replace(same)) {
      rebuild.filter().put(1L);
      rebuild.swap();
    }
    assertThat(join(filter.mightContain(1L))).isTrue();
    assertThat(join(filter.put(1L))).isFalse();
    assertThat(join(filter.put(2L))).isTrue();
    RedisBloomFilter.delete(LINK, name);
    List<ThrowingCallable> calls =
        List.of(
            () -> join(filter.put(3L)),
            () -> join(filter.mightContain(2L)),
            () -> join(filter.putAll(List.of(1L, 3L))),
            () -> join(filter.mightContainAll(List.of(1L, 3L))));
    for (int i = 0; i < 2; i++) {
      assertThat(calls)
          .allSatisfy(call -> assertThatThrownBy(call).isInstanceOf(FilterLostException.class));
    }
  }

  @Test
  void aServerThatIsGoneOrAClosedLinkFailsTheStage() throws Exception {
    try (TestServer server = TestServer.withOptions()) {
      LettuceLink link = LettuceLink.to(server.uri(), SHORT);
      AsyncRedisBloomFilter<Long> filter = create(link, 256);
      server.kill();
      long start = System.nanoTime();
      refuses(RedisUnavailableException.class, () -> join(filter.mightContain(1L)));
      refuses(RedisUnavailableException.class, () -> join(filter.put(1L)));
      assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(30));
      link.close();
      refuses(IllegalStateException.class, () -> join(filter.put(1L)), "closed");
    }
  }

  @Test
  void aBulkThatFailsKeepsTheResultsBefore() throws Exception {
    try (TestServer server = TestServer.withOptions();
        LettuceLink link = LettuceLink.to(server.uri(), SHORT)) {
      AsyncRedisBloomFilter<Long> filter = create(link, 256);
      long[] hashes = Keys.hashes(1, 100_000).toArray();
      boolean[] isNew = new boolean[hashes.length];
      CompletionStage<Void> bulk = filter.putHashes(hashes, hashes.length, isNew);
      while (!isNew[2_000]) {
        Thread.sleep(1);
      }
      server.kill();
      assertThatThrownBy(() -> join(bulk))
          .isInstanceOfSatisfying(
              UncertainPutException.class,
              e -> {
                assertThat(e.firstUncertain()).isGreaterThan(2_000);
                assertThat(Arrays.copyOf(isNew, 2_000)).contains(true);
              });
    }
  }

  @Test
  void aViewNeedsTheLinkOfItsFilterAndRoomForABatch() {
    RedisBloomFilter<Long> filter = builder(LINK, name, 1_000).create();
    refuses(() -> AsyncRedisBloomFilter.over(filter, LINK, 255), "maxInFlight");
    AsyncRedisBloomFilter<Long> unused = AsyncRedisBloomFilter.over(filter, LINK, 256);
    try (LettuceLink other = LettuceLink.to(TestServer.shared().uri(), TIMEOUT)) {
      refuses(() -> AsyncRedisBloomFilter.over(filter, other, 256), "link");
    }
  }
}
