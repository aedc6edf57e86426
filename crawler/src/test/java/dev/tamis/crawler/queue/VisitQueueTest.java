package dev.tamis.crawler.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.Race;
import dev.tamis.crawler.queue.PushResult.Reason;
import dev.tamis.crawler.queue.PushResult.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class VisitQueueTest {

  private final AtomicLong nanos = new AtomicLong(1_000_000_000_000L);

  private VisitQueueBuilder builder() {
    return VisitQueue.builder()
        .random(Queues.fixedRandom())
        .expectedKeys(1_000)
        .fpp(1e-9)
        .nanoClock(nanos::get);
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void defaultsApplyToWhatWasNotCalled() {
    VisitQueueBuilder defaults = VisitQueue.builder().defaults(10, 1e-9);
    assertThat(pushed(defaults)).as("grows").isEqualTo(0);
    assertThat(pushed(VisitQueue.builder().expectedKeys(10).fpp(1e-9).onFull(OnFull.REJECT)))
        .isEqualTo(10);
    assertThat(pushed(VisitQueue.builder().defaults(10, 1e-9).onFull(OnFull.REJECT))).isEqualTo(10);
    assertThat(pushed(VisitQueue.builder().defaults(5, 0.5).expectedKeys(20).fpp(1e-9)))
        .as("warns and takes them")
        .isEqualTo(0);
  }

  private static long pushed(VisitQueueBuilder builder) {
    VisitQueue queue = builder.build();
    for (int i = 0; i < 20; i++) {
      queue.push("http://h/" + i);
    }
    return queue.stats().full();
  }

  @Test
  void deliversEachKeyOnceInTheOrderOfThePushes() {
    VisitQueue queue = builder().build();
    assertThat(queue.push("http://b/")).isEqualTo(PushResult.ACCEPTED);
    assertThat(queue.push("http://a/#x")).isEqualTo(PushResult.ACCEPTED);
    assertThat(queue.push("http://A:80/")).isEqualTo(PushResult.DUPLICATE);
    assertThat(queue.peek()).contains("http://b/");
    assertThat(Queues.drain(queue)).containsExactly("http://b/", "http://a/#x");
    assertThat(queue.push("http://b/")).isEqualTo(PushResult.DUPLICATE);
    assertThat(queue.poll()).isEmpty();
  }

  @Test
  void hostsTakeTurnsAndWaitTheirDelay() {
    VisitQueue queue = builder().perHostDelay(Duration.ofSeconds(1)).build();
    List.of("http://a/1", "http://a/2", "http://a/3", "http://b/1", "http://c/1", "http://b/2")
        .forEach(queue::push);
    assertThat(Queues.drain(queue)).containsExactly("http://a/1", "http://b/1", "http://c/1");
    pass(Duration.ofSeconds(1).minusNanos(1));
    assertThat(queue.poll()).isEmpty();
    pass(Duration.ofNanos(1));
    assertThat(Queues.drain(queue)).containsExactly("http://a/2", "http://b/2");
    pass(Duration.ofSeconds(1));
    assertThat(Queues.drain(queue)).containsExactly("http://a/3");
  }

  @Test
  void aLeaseThatRunsOutComesBack() {
    VisitQueue queue = builder().leaseTimeout(Duration.ofSeconds(5)).build();
    queue.push("http://a/1");
    Lease first = queue.lease().orElseThrow();
    assertThat(queue.lease()).isEmpty();
    pass(Duration.ofSeconds(5));
    Lease second = queue.lease().orElseThrow();
    assertThat(second.url()).isEqualTo("http://a/1");
    assertThat(second.attempt()).isEqualTo(2);
    assertThat(first.ack()).isFalse();
    assertThat(second.ack()).isTrue();
    assertThat(second.ack()).isFalse();
    assertThat(queue.stats().delivered()).isOne();
  }

  @Test
  void saysWhyAUrlIsRejected() {
    VisitQueue queue =
        builder().maxUrlBytes(20).maxPerHost(1).scope(UrlScope.hosts("a", "b")).build();
    assertThat(reason(queue.push("nonsense"))).isEqualTo(Reason.UNPARSABLE);
    assertThat(reason(queue.push("http://a/" + "x".repeat(12)))).isEqualTo(Reason.TOO_LONG);
    assertThat(reason(queue.push("http://c/"))).isEqualTo(Reason.OUT_OF_SCOPE);
    assertThat(queue.push("http://a/").status()).isEqualTo(Status.ACCEPTED);
    assertThat(reason(queue.push("http://a/2"))).isEqualTo(Reason.HOST_LIMIT);
  }

  @Test
  void ofRacingPushesOfOneKeyOneIsAccepted() {
    int keys = 5_000;
    int threads = 8;
    VisitQueue queue = builder().expectedKeys(keys).build();
    LongAdder accepted = new LongAdder();
    Race.run(
        threads,
        thread -> {
          for (int i = 0; i < keys; i++) {
            if (queue.push("http://h/" + i).isAccepted()) {
              accepted.increment();
            }
          }
        });
    assertThat(accepted.sum()).isEqualTo(keys);
    assertThat(queue.stats().duplicates()).isEqualTo((long) keys * (threads - 1));
    assertThat(Queues.drain(queue)).hasSize(keys).doesNotHaveDuplicates();
  }

  @Test
  void pollWaitsForAPush() throws Exception {
    VisitQueue queue = builder().build();
    ExecutorService pool = Executors.newFixedThreadPool(2);
    Future<Optional<String>> poll = pool.submit(() -> queue.poll(Duration.ofMinutes(1)));
    Future<Optional<Lease>> lease = pool.submit(() -> queue.lease(Duration.ofMinutes(1)));
    queue.push("http://h/1");
    queue.push("http://h/2");
    assertThat(List.of(poll.get().orElseThrow(), lease.get().orElseThrow().url()))
        .containsExactlyInAnyOrder("http://h/1", "http://h/2");
    assertThat(queue.poll(Duration.ofMillis(1))).isEmpty();
    assertThat(queue.lease(Duration.ZERO)).isEmpty();
    pool.shutdown();
  }

  @Test
  void pollWaitsForAHostToBeDue() throws Exception {
    VisitQueue queue =
        VisitQueue.builder().expectedKeys(10).fpp(0.01).perHostDelay(Duration.ofMillis(20)).build();
    queue.push("http://h/1");
    queue.push("http://h/2");
    long start = System.nanoTime();
    assertThat(queue.poll(Duration.ofMinutes(1))).contains("http://h/1");
    assertThat(queue.poll(Duration.ofMinutes(1))).contains("http://h/2");
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000);
  }

  @Test
  void pollWaitsForALeaseToRunOut() throws Exception {
    VisitQueue queue =
        VisitQueue.builder().expectedKeys(10).fpp(0.01).leaseTimeout(Duration.ofMillis(20)).build();
    queue.push("http://h/1");
    assertThat(queue.lease()).isPresent();
    assertThat(queue.poll(Duration.ofMinutes(1))).contains("http://h/1");
  }

  @Test
  void closingWakesThoseWhoWait() throws Exception {
    VisitQueue queue = builder().build();
    ExecutorService pool = Executors.newSingleThreadExecutor();
    Future<Optional<String>> poll = pool.submit(() -> queue.poll(Duration.ofMinutes(1)));
    queue.close();
    queue.close();
    assertThatThrownBy(poll::get).hasRootCauseInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> queue.push("http://h/")).hasMessageContaining("closed");
    pool.shutdown();
  }

  @Test
  void warnsOnceForEachDoublingAndGoesOn() {
    List<Long> told = new ArrayList<>();
    VisitQueue queue = builder().expectedKeys(100).whenFull(told::add).build();
    for (int i = 0; i < 450; i++) {
      queue.push("http://h/" + i);
    }
    assertThat(told).containsExactly(101L, 201L, 401L);
    assertThat(queue.stats().accepted()).isGreaterThan(400);
    assertThat(queue.stats().fill()).isGreaterThan(4);
  }

  @Test
  void growsAndKeepsItsFpp() {
    List<Long> told = new ArrayList<>();
    VisitQueue queue =
        builder().expectedKeys(100).fpp(0.001).onFull(OnFull.GROW).whenFull(told::add).build();
    for (int i = 0; i < 20_000; i++) {
      queue.push("http://h/" + i);
    }
    QueueStats stats = queue.stats();
    assertThat(stats.expectedFpp()).isBetween(0.0, 0.001);
    // five standard deviations of a Poisson number with the mean that the stats give
    double drops = stats.expectedWrongDrops().orElseThrow();
    assertThat((double) stats.duplicates()).isLessThan(drops + 5 * Math.sqrt(drops) + 1);
    assertThat(told).isEmpty();
  }

  @Test
  void refusesNewKeysWhenFullAndKnowsTheOldOnes() {
    VisitQueue queue = builder().expectedKeys(2).onFull(OnFull.REJECT).build();
    assertThat(queue.push("http://h/1")).isEqualTo(PushResult.ACCEPTED);
    assertThat(queue.push("http://h/2")).isEqualTo(PushResult.ACCEPTED);
    assertThat(queue.push("http://h/3")).isEqualTo(PushResult.FULL);
    assertThat(queue.push("http://h/2")).isEqualTo(PushResult.DUPLICATE);
    assertThat(queue.pushAgain("http://h/2")).isEqualTo(PushResult.ACCEPTED);
    assertThat(queue.markSeen("http://h/3")).isEqualTo(PushResult.FULL);
    QueueStats stats = queue.stats();
    assertThat(stats.full()).isOne();
    assertThat(stats.pushed())
        .isEqualTo(stats.accepted() + stats.duplicates() + stats.rejected() + stats.full());
  }

  @Test
  void farPastItsCapacityAllDuplicatesMayBeWrong() {
    VisitQueue queue = builder().expectedKeys(1_000).fpp(0.01).onFull(OnFull.WARN).build();
    for (int i = 0; i < 30_000; i++) {
      queue.push("http://h/" + i);
    }
    QueueStats stats = queue.stats();
    assertThat(stats.duplicates()).isGreaterThan(20_000);
    assertThat(stats.expectedWrongDrops()).hasValue((double) stats.duplicates());
  }

  @Test
  void expectedWrongDropsAreAsManyAsThereAre() {
    VisitQueue queue = builder().expectedKeys(20_000).fpp(0.1).build();
    for (int i = 0; i < 20_000; i++) {
      queue.push("http://h/" + i);
    }
    QueueStats stats = queue.stats();
    assertThat(stats.duplicates()).isPositive();
    double slack = 5 * Math.sqrt(stats.expectedWrongDrops().orElseThrow());
    assertThat((double) stats.duplicates())
        .isBetween(
            stats.expectedWrongDrops().orElseThrow() - slack,
            stats.expectedWrongDrops().orElseThrow() + slack);
  }

  @Test
  void pushAgainVisitsAgainAndMarkSeenVisitsNever() {
    VisitQueue queue = builder().build();
    assertThat(queue.markSeen("http://h/old")).isEqualTo(PushResult.ACCEPTED);
    assertThat(queue.markSeen("http://h/old")).isEqualTo(PushResult.DUPLICATE);
    assertThat(queue.push("http://h/old")).isEqualTo(PushResult.DUPLICATE);
    assertThat(queue.mightHaveSeen("http://h/old#x")).isTrue();
    assertThat(queue.mightHaveSeen("http://h/new")).isFalse();
    assertThat(queue.mightHaveSeen("nonsense")).isFalse();
    assertThat(queue.poll()).isEmpty();
    queue.pushAgain("http://h/old");
    queue.pushAgain("http://h/new");
    assertThat(Queues.drain(queue)).containsExactly("http://h/old", "http://h/new");
    assertThat(queue.push("http://h/new")).isEqualTo(PushResult.DUPLICATE);
    assertThat(queue.stats().pushed()).isEqualTo(4); // marks are no pushes
  }

  @Test
  void aHostHasOneVisitAtATimeAndWaitsFromItsEnd() {
    VisitQueue queue = builder().perHostDelay(Duration.ofSeconds(1)).build();
    queue.push("http://a/1");
    queue.push("http://a/2");
    Lease lease = queue.lease().orElseThrow();
    pass(Duration.ofSeconds(10));
    assertThat(queue.lease()).isEmpty();
    lease.ack();
    assertThat(queue.lease()).isEmpty();
    pass(Duration.ofSeconds(1));
    assertThat(queue.lease().orElseThrow().url()).isEqualTo("http://a/2");
    assertThat(queue.stats().inFlight()).isOne();
  }

  @Test
  void noHostThatWaitsIsPassedByLaterOnes() {
    VisitQueue queue = builder().perHostDelay(Duration.ZERO).build();
    queue.push("http://a/1");
    queue.push("http://a/2");
    assertThat(queue.poll()).contains("http://a/1");
    for (int i = 0; i < 10; i++) {
      pass(Duration.ofMillis(1));
      queue.push("http://new" + i + "/");
    }
    assertThat(queue.poll()).contains("http://a/2");
  }

  @Test
  void aHostThatIsPausedWaitsAndOthersDoNot() {
    VisitQueue queue = builder().perHostDelay(Duration.ZERO).build();
    queue.push("http://a/1");
    queue.push("http://b/1");
    queue.pause("http://A:80/whatever", Duration.ofSeconds(30));
    assertThat(Queues.drain(queue)).containsExactly("http://b/1");
    assertThat(queue.peek()).contains("http://a/1");
    pass(Duration.ofSeconds(30));
    assertThat(Queues.drain(queue)).containsExactly("http://a/1");
    assertThatThrownBy(() -> queue.pause("a", Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void retryPutsAUrlBehindTheOthers() {
    VisitQueue queue = builder().build();
    queue.push("http://a/");
    queue.push("http://b/");
    Lease lease = queue.lease().orElseThrow();
    assertThat(lease.attempt()).isOne();
    assertThat(lease.retry()).isTrue();
    assertThat(lease.retry()).isFalse();
    assertThat(queue.poll()).contains("http://b/");
    assertThat(queue.lease().orElseThrow().attempt()).isEqualTo(2);
  }

  @Test
  void aUrlMayBeAsLongAsTheLimitInBytes() {
    VisitQueue queue = builder().maxUrlBytes(12).key(UrlKey.NONE).build();
    assertThat(queue.push("x".repeat(11)).isAccepted()).isTrue();
    assertThat(queue.push("x".repeat(12)).isAccepted()).isTrue();
    assertThat(reason(queue.push("x".repeat(13)))).isEqualTo(Reason.TOO_LONG);
    assertThat(queue.push("\u00e9".repeat(6)).isAccepted()).isTrue();
    assertThat(reason(queue.push("\u00e9".repeat(6) + "x"))).isEqualTo(Reason.TOO_LONG);
    assertThat(queue.push("\ud83d\ude00".repeat(3)).isAccepted()).isTrue();
    assertThat(reason(queue.push("\ud83d\ude00".repeat(3) + "x"))).isEqualTo(Reason.TOO_LONG);
  }

  @Test
  void whatNoUrlHasIsRejected() {
    VisitQueue queue = builder().key(UrlKey.NONE).build();
    for (String bad :
        List.of("", "http://h/\n", "http://h/\r", "a\0b", "\u007f", "\ud800", "\udc00x")) {
      assertThat(reason(queue.push(bad))).as(bad).isEqualTo(Reason.UNPARSABLE);
    }
    assertThat(queue.push("anything else").isAccepted()).isTrue();
    assertThat(queue.stats().rejected()).isEqualTo(7);
  }

  @Test
  void aPrefixIsHeldAgainstTheNormalForm() {
    VisitQueue queue = builder().scope(UrlScope.prefix("http://h/docs/")).build();
    assertThat(queue.push("HTTP://H:80/docs/a").isAccepted()).isTrue();
    assertThat(reason(queue.push("http://h/docs/../secret"))).isEqualTo(Reason.OUT_OF_SCOPE);
  }

  @Test
  void settersRefuseWhatCannotBe() {
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> builder().expectedKeys(0),
            () -> builder().fpp(0),
            () -> builder().fpp(1),
            () -> builder().fpp(Double.NaN),
            () -> builder().maxUrlBytes(0),
            () -> builder().maxUrlBytes(VisitQueueBuilder.LARGEST_MAX_URL_BYTES + 1),
            () -> builder().maxPerHost(0),
            () -> builder().perHostDelay(Duration.ofNanos(-1)),
            () -> builder().leaseTimeout(Duration.ZERO))) {
      assertThatThrownBy(call)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("got ");
    }
    assertThatThrownBy(() -> builder().exactConfirmation().build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("open(directory)");
  }

  @Test
  void buildNeedsAnExpectedNumber() {
    assertThatThrownBy(() -> VisitQueue.builder().fpp(0.01).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("expectedKeys");
  }

  private static Reason reason(PushResult result) {
    return result.rejection().orElseThrow().reason();
  }
}
