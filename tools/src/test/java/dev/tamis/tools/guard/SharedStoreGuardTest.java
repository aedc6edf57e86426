package dev.tamis.tools.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.StandInServer;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several guards, as if in processes of their own, with one filter and one store. */
class SharedStoreGuardTest {

  private final StandInServer<Long> server =
      new StandInServer<>(
          () ->
              BloomFilter.<Long>builder(KeyHasher.longs()).expectedKeys(10_000).fpp(0.001).build());
  private final MapStore store = Guards.filled(1_000);
  private final AtomicLong nanos = new AtomicLong();
  private final List<GuardNotice> notices = new ArrayList<>();
  private final SharedStoreGuard<Long, String> ours = guard();
  private final SharedStoreGuard<Long, String> theirs = guard();

  @BeforeAll
  static void quiet() {
    Guards.quiet();
  }

  private SharedStoreGuard<Long, String> guard() {
    return SharedStoreGuard.builder(Guards.shared(server))
        .nanoClock(nanos::get)
        .listener(notices::add)
        .build(store);
  }

  private void passASecond() {
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
  }

  private void rebuild() {
    RebuildSummary unused = ours.rebuild(store::keys);
    passASecond();
    store.reads.set(0);
  }

  @Test
  void aRebuildInOneServesAll() {
    assertThat(theirs.get(1L)).isEqualTo("value 1");
    assertThat(theirs.state()).isEqualTo(GuardState.REBUILDING);
    assertThat(ours.rebuild(store::keys).keys()).isEqualTo(1_000);
    assertThat(ours.state()).isEqualTo(GuardState.READY);
    assertThat(theirs.get(-1L)).isNull();
    assertThat(theirs.state()).isEqualTo(GuardState.REBUILDING); // it has not looked again
    passASecond();
    store.reads.set(0);

    assertThat(Guards.absent(1_000)).allMatch(key -> theirs.get(key) == null);
    assertThat(theirs.state()).isEqualTo(GuardState.READY);
    assertThat(store.reads.get()).isLessThan(20);
    assertThat(store.rows.keySet()).allMatch(key -> ("value " + key).equals(theirs.get(key)));
    assertThat(theirs.gets().found()).isEqualTo(1_000);
    assertThat(theirs.gets().passedThrough()).isEqualTo(2);
    assertThat(theirs.measuredFpp()).isPresent();
    assertThat(theirs.verdict().asked()).isEqualTo(2_000);
  }

  @Test
  void whatOnePutsTheOtherFindsAtOnce() {
    rebuild();
    assertThat(theirs.get(5_000L)).isNull();
    assertThat(ours.put(5_000L, "new")).isTrue();
    assertThat(theirs.get(5_000L)).isEqualTo("new");
    assertThat(theirs.put(5_000L, "newer")).isFalse();
    assertThat(ours.getAll(List.of(5_000L, 6_000L, 1L)))
        .isEqualTo(Map.of(5_000L, "newer", 1L, "value 1"));
    assertThat(ours.remove(5_000L)).isTrue();
    assertThat(theirs.get(5_000L)).isNull();
    assertThat(theirs.gets().falsePositives()).isEqualTo(1);
  }

  @Test
  void severalKeysAreOneQuestion() {
    rebuild();
    int before = server.calls.get();
    assertThat(ours.getAll(Guards.absent(100))).isEmpty();
    assertThat(ours.getAll(List.of())).isEmpty();
    assertThat(server.calls.get() - before).isEqualTo(1);
    assertThat(ours.gets().skipped() + ours.gets().falsePositives()).isEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whenTheFilterIsLostOrOutOfReachEveryGetGoesToTheStore(boolean lost) {
    rebuild();
    assertThat(theirs.get(-1L)).isNull();
    if (lost) {
      server.flush();
    } else {
      server.cutOff();
    }
    assertThat(store.rows.keySet()).allMatch(key -> theirs.get(key) != null);
    assertThat(theirs.getAll(List.of(1L))).containsKey(1L);
    assertThat(theirs.state()).isEqualTo(GuardState.REBUILDING);
    assertThat(theirs.losses()).isEqualTo(1);
    assertThat(theirs.gets().passedThrough()).isEqualTo(1_001);
    assertThat(notices.stream().filter(n -> n.kind() == GuardNotice.Kind.FILTER_LOST)).hasSize(1);
    assertThat(theirs.measuredFpp()).isEmpty();
    passASecond();
    assertThat(store.rows.keySet()).allMatch(key -> theirs.get(key) != null);

    server.connect();
    if (lost) {
      rebuild();
    }
    passASecond();
    assertThat(theirs.get(-1L)).isNull();
    assertThat(theirs.state()).isEqualTo(GuardState.READY);
  }

  @Test
  void aPutThatTheFilterCannotBeToldOfFailsBeforeTheStoreIsWritten() {
    rebuild();
    server.cutOff();
    assertThatThrownBy(() -> ours.put(7_000L, "x"))
        .isInstanceOf(SharedFilterException.class)
        .hasMessageContaining("nothing was written")
        .hasCauseInstanceOf(StandInServer.Unreachable.class);
    assertThat(store.rows).doesNotContainKey(7_000L);
    server.connect();
    assertThat(ours.put(7_000L, "x")).isTrue();
  }

  @Test
  void aPutWhoseKeyMayHaveBeenLostMeanwhileSaysSo() {
    rebuild();
    store.beforeEachCall = server::cutOff;
    assertThatThrownBy(() -> ours.put(7_000L, "x"))
        .isInstanceOf(SharedFilterException.class)
        .hasMessageContaining("the store has its value");
    assertThat(store.rows).containsKey(7_000L);
  }

  @Test
  void aPutDuringWhichTheFilterIsReplacedIsInTheNewOne() {
    rebuild();
    AtomicBoolean once = new AtomicBoolean();
    store.beforeEachCall =
        () -> {
          if (once.compareAndSet(false, true)) { // the store does not have the key yet
            RebuildSummary unused = theirs.rebuild(store::keys);
          }
        };
    ours.put(7_000L, "x");
    passASecond();
    assertThat(theirs.state()).isEqualTo(GuardState.READY);
    assertThat(theirs.get(7_000L)).isEqualTo("x");
    assertThat(ours.get(7_000L)).isEqualTo("x");
  }

  @Test
  void aPutAfterALossGoesOnInAnEmptyFilterThatNoGuardTrusts() {
    rebuild();
    server.flush();
    assertThat(ours.put(7_000L, "x")).isTrue();
    passASecond();
    assertThat(ours.get(1L)).isEqualTo("value 1");
    assertThat(ours.get(-1L)).isNull();
    assertThat(ours.gets().passedThrough()).isEqualTo(2);
    rebuild();
    assertThat(ours.get(7_000L)).isEqualTo("x");
    assertThat(ours.get(1L)).isEqualTo("value 1");
  }

  @Test
  void aRebuildThatFailsLeavesAllGetsToTheStore() {
    rebuild();
    assertThatThrownBy(
            () ->
                ours.rebuild(
                    () ->
                        Stream.of(1L, 2L)
                            .peek(
                                key -> {
                                  if (key == 2) {
                                    throw new IllegalStateException("no more keys");
                                  }
                                })))
        .isInstanceOf(RebuildFailedException.class)
        .hasMessageContaining("no more keys");
    passASecond();
    assertThat(store.rows.keySet()).allMatch(key -> theirs.get(key) != null);
    assertThat(theirs.state()).isEqualTo(GuardState.REBUILDING);
  }

  @Test
  void ofTwoRebuildsTheSecondWins() {
    assertThatThrownBy(
            () ->
                ours.rebuild(
                    () -> {
                      RebuildSummary unused = theirs.rebuild(store::keys);
                      return store.keys();
                    }))
        .isInstanceOf(RebuildFailedException.class)
        .hasCauseInstanceOf(StandInServer.Lost.class);
    assertThat(theirs.state()).isEqualTo(GuardState.READY);
    passASecond();
    assertThat(store.rows.keySet()).allMatch(key -> ours.get(key) != null);
    assertThat(ours.state()).isEqualTo(GuardState.READY);
  }

  @Test
  void writersBesideRebuildsAndLossesAreNeverDenied() {
    AtomicLong denied = new AtomicLong();
    AtomicBoolean done = new AtomicBoolean();
    Thread trouble =
        new Thread(
            () -> {
              for (int i = 0; !done.get(); i++) {
                if (i % 3 == 0) {
                  server.flush();
                }
                RebuildSummary unused = ours.rebuild(store::keys);
                passASecond();
              }
            });
    trouble.start();
    try {
      IntStream.range(0, 3)
          .parallel()
          .forEach(
              writer -> {
                var writing = writer == 0 ? ours : guard();
                var reading = guard();
                LongStream.range(0, 2_000)
                    .map(i -> 10_000L * (writer + 1) + i)
                    .forEach(
                        key -> {
                          putUntilTold(writing, key);
                          if (reading.get(key) == null || theirs.get(key) == null) {
                            denied.incrementAndGet();
                          }
                        });
              });
    } finally {
      done.set(true);
      join(trouble);
    }
    assertThat(denied).hasValue(0);
    assertThat(theirs.gets().found() + theirs.gets().passedThrough()).isEqualTo(6_000);
  }

  private static void putUntilTold(SharedStoreGuard<Long, String> guard, long key) {
    while (true) {
      try {
        boolean unused = guard.put(key, "value " + key);
        return;
      } catch (SharedFilterException e) {
        assertThat(e).hasCauseInstanceOf(StandInServer.Lost.class); // lost twice meanwhile
      }
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void switchedOffItReadsTheStoreAndStillTellsTheFilter() {
    rebuild();
    ours.disable();
    assertThat(ours.state()).isEqualTo(GuardState.DISABLED);
    assertThat(ours.get(-1L)).isNull();
    assertThat(store.reads).hasValue(1);
    ours.put(7_000L, "x");
    assertThat(theirs.get(7_000L)).isEqualTo("x");
    ours.enable();
    assertThat(ours.get(-1L)).isNull();
    assertThat(store.reads).hasValue(2); // one for the key that theirs found
  }

  @Test
  void anUnreachableFilterIsNoErrorAtTheStart() {
    server.cutOff();
    SharedStoreGuard<Long, String> late = guard();
    assertThat(late.get(1L)).isEqualTo("value 1");
    assertThat(late.losses()).isZero();
    assertThat(notices.get(notices.size() - 1).kind()).isEqualTo(GuardNotice.Kind.NOT_LOADED);
  }

  @Test
  void aPauseOfNothingOrOfMoreThanADayIsRefused() {
    var settings = SharedStoreGuard.builder(Guards.shared(server));
    assertThatThrownBy(() -> settings.retryAfter(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> settings.retryAfter(Duration.ofDays(1).plusNanos(1)))
        .isInstanceOf(IllegalArgumentException.class);
    settings.retryAfter(Duration.ofNanos(1)).retryAfter(Duration.ofDays(1));
  }
}
