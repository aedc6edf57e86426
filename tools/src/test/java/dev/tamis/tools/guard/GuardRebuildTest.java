package dev.tamis.tools.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.hash.KeyHasher;
import dev.tamis.tools.guard.ReadGuard.PutInProgress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class GuardRebuildTest {

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<GuardNotice> notices = new ArrayList<>();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void keysPutWhileItRunsAreInTheOldFilterAndInTheNewOne(boolean removable) {
    MapStore store = Guards.filled(100);
    StoreGuard<Long, String> guard = Guards.ready(settings(removable), store);
    RebuildSummary unused =
        guard.rebuild(
            () -> {
              List<Long> snapshot = List.copyOf(store.rows.keySet());
              assertThat(guard.put(500L, "meanwhile")).isTrue();
              assertThat(guard.get(500L)).isEqualTo("meanwhile"); // by the old filter
              assertThat(guard.state()).isEqualTo(GuardState.READY);
              return snapshot.stream();
            });
    assertThat(guard.get(500L)).isEqualTo("meanwhile"); // by the new one
    assertThat(Guards.findsAll(guard, store)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void keysRemovedWhileItRunsTakeNothingFromOthers(boolean removable) {
    MapStore store = Guards.filled(1_000);
    StoreGuard<Long, String> guard = Guards.ready(settings(removable).fpp(0.3), store);
    RebuildSummary unused =
        guard.rebuild(
            () -> {
              // removed before the source is read, so the new filter never had them
              LongStream.range(0, 400).forEach(guard::remove);
              List<Long> snapshot = List.copyOf(store.rows.keySet());
              // removed afterwards: the source still gives them
              LongStream.range(400, 800).forEach(guard::remove);
              LongStream.range(0, 10).forEach(key -> guard.put(key, "back"));
              LongStream.range(900, 910).forEach(key -> guard.put(key, "replaced"));
              return snapshot.stream();
            });
    assertThat(Guards.findsAll(guard, store)).isTrue();
    LongStream.range(0, 1_000).forEach(guard::remove);
    LongStream.range(0, 1_000).forEach(key -> guard.put(key, "all back"));
    assertThat(Guards.findsAll(guard, store)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oneKeyWrittenOverAndOverWhileItRunsIsOneStaleKey(boolean removable) {
    MapStore store = Guards.filled(1_000);
    StoreGuard<Long, String> guard = Guards.ready(settings(removable), store);
    RebuildSummary unused =
        guard.rebuild(
            () -> {
              List<Long> snapshot = List.copyOf(store.rows.keySet());
              for (int i = 0; i < 20_000; i++) {
                guard.put(5_000L, "in");
                guard.put(5_000L, "replaced");
                guard.remove(5_000L);
              }
              return snapshot.stream();
            });
    assertThat(guard.state()).isEqualTo(GuardState.READY);
    assertThat(guard.stats().staleKeys()).isBetween(1L, 3L);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRebuildUnderWritersEndsReady(boolean removable) throws Exception {
    MapStore store = Guards.filled(10_000);
    StoreGuard<Long, String> guard = Guards.ready(settings(removable).expectedKeys(20_000), store);
    AtomicBoolean over = new AtomicBoolean();
    List<Future<?>> writers = new ArrayList<>();
    for (int thread = 0; thread < 8; thread++) {
      long first = 20_000 + 20L * thread; // 160 keys of 10,000
      writers.add(
          threads.submit(
              () -> {
                while (!over.get()) {
                  for (long key = first; key < first + 20; key++) {
                    guard.put(key, "in");
                    guard.put(key, "replaced");
                    guard.remove(key);
                  }
                }
              }));
    }
    for (int round = 0; round < 20; round++) {
      RebuildSummary unused = guard.rebuild(() -> List.copyOf(store.rows.keySet()).stream());
      assertThat(guard.state()).as("%s", guard.stats()).isEqualTo(GuardState.READY);
    }
    over.set(true);
    for (Future<?> writer : writers) {
      writer.get(30, TimeUnit.SECONDS);
    }
    assertThat(guard.stats().staleKeys()).isLessThanOrEqualTo(3 * 160);
    assertThat(Guards.findsAll(guard, store)).isTrue();
  }

  @Test
  void aSourceThatFailsLeavesTheStateFromBeforeAndIsReported() {
    MapStore store = Guards.filled(100);
    StoreGuard<Long, String> guard = Guards.ready(settings(false), store);
    IOException failure = new IOException("connection lost");
    assertThatThrownBy(
            () ->
                guard.rebuild(
                    () -> {
                      throw failure;
                    }))
        .isInstanceOf(RebuildFailedException.class)
        .hasCause(failure);
    AtomicBoolean closed = new AtomicBoolean();
    assertThatThrownBy(
            () ->
                guard.rebuild(
                    () ->
                        LongStream.range(0, 100)
                            .boxed()
                            .peek(
                                key -> {
                                  if (key == 40) {
                                    throw new IllegalStateException("row 40 is bad");
                                  }
                                })
                            .onClose(() -> closed.set(true))))
        .isInstanceOf(RebuildFailedException.class)
        .hasMessageContaining("after 40 keys")
        .hasMessageContaining("row 40 is bad");
    assertThat(closed).isTrue();
    assertThat(guard.state()).isEqualTo(GuardState.READY);
    assertThat(Guards.findsAll(guard, store)).isTrue();
    assertThat(guard.get(1L << 50)).isNull();
    assertThat(guard.gets().skipped()).isEqualTo(1);
    assertThat(guard.stats().rebuiltKeys()).isEmpty();
    assertThat(notices)
        .extracting(GuardNotice::kind)
        .containsExactly(
            GuardNotice.Kind.REBUILT,
            GuardNotice.Kind.REBUILD_FAILED,
            GuardNotice.Kind.REBUILD_FAILED);
    assertThat(notices.get(1).cause()).contains(failure);
  }

  @Test
  @SuppressWarnings("NullAway") // the point of the test
  void aSourceWithoutAStreamOrWithANullKeyFails() {
    StoreGuard<Long, String> guard = settings(false).build(new MapStore());
    assertThatThrownBy(() -> guard.rebuild(() -> null)).isInstanceOf(RebuildFailedException.class);
    assertThatThrownBy(() -> guard.rebuild(() -> Stream.of(1L, null)))
        .isInstanceOf(RebuildFailedException.class);
    assertThat(guard.state()).isEqualTo(GuardState.REBUILDING);
  }

  @Test
  void aSecondRebuildIsRefusedAndTheFirstGoesOn() {
    MapStore store = Guards.filled(100);
    StoreGuard<Long, String> guard = settings(false).build(store);
    RebuildSummary summary =
        guard.rebuild(
            () ->
                store
                    .keys()
                    .peek(
                        key -> {
                          if (guard.stats().rebuiltKeys().equals(OptionalLong.of(50))) {
                            assertThatThrownBy(() -> guard.rebuild(store::keys))
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("has read 50 keys");
                          }
                        }));
    assertThat(summary.keys()).isEqualTo(100);
    assertThat(guard.rebuild(store::keys).keys()).isEqualTo(100); // the next one is welcome
  }

  @Test
  void waitsForPutsThatBeganBeforeItAndOpensTheSourceAfterThem() throws Exception {
    MapStore store = Guards.filled(10);
    StoreGuard<Long, String> guard = Guards.ready(settings(false), store);
    CountDownLatch inStore = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    store.beforeEachCall =
        () -> {
          inStore.countDown();
          await(goOn);
        };
    Future<Boolean> put = threads.submit(() -> guard.put(99L, "late"));
    await(inStore);
    store.beforeEachCall = () -> {};
    AtomicBoolean opened = new AtomicBoolean();
    Future<RebuildSummary> rebuild =
        threads.submit(
            () ->
                guard.rebuild(
                    () -> {
                      opened.set(true);
                      return List.copyOf(store.rows.keySet()).stream();
                    }));
    while (guard.stats().memoryBytes() < 2L * 1_000) {
      Thread.onSpinWait(); // until the new filter is there
    }
    assertThat(opened).isFalse();
    goOn.countDown();
    assertThat(put.get()).isTrue();
    assertThat(rebuild.get().keys()).isEqualTo(11);
    assertThat(guard.get(99L)).isEqualTo("late");
  }

  @Test
  void anInterruptStopsItAndANextOneStillWaitsForThePutsFromBefore() throws Exception {
    MapStore store = Guards.filled(10);
    StoreGuard<Long, String> guard = Guards.ready(settings(false), store);
    PutInProgress early = guard.putting(77L);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> guard.rebuild(store::keys))
        .isInstanceOf(RebuildFailedException.class)
        .hasMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();

    Future<RebuildSummary> next =
        threads.submit(() -> guard.rebuild(() -> List.copyOf(store.rows.keySet()).stream()));
    while (guard.stats().rebuiltKeys().isEmpty()) {
      Thread.onSpinWait();
    }
    store.rows.put(77L, "committed late");
    early.close();
    assertThat(next.get().keys()).isEqualTo(11);
    assertThat(guard.get(77L)).isEqualTo("committed late");

    assertThatThrownBy(
            () -> guard.rebuild(() -> store.keys().peek(key -> Thread.currentThread().interrupt())))
        .isInstanceOf(RebuildFailedException.class)
        .hasMessageContaining("interrupted after 1 keys");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(guard.state()).isEqualTo(GuardState.READY);
  }

  @Test
  void aParallelSourceIsFine() {
    MapStore store = Guards.filled(10_000);
    StoreGuard<Long, String> guard = settings(false).build(store);
    assertThat(guard.rebuild(() -> store.keys().parallel()).keys()).isEqualTo(10_000);
    assertThat(Guards.findsAll(guard, store)).isTrue();
  }

  @Test
  void aFilterThatCanTakeNoMoreKeysIsGivenUpAndTheStoreGoesOn() {
    // past 2^-64 no stage of a growing filter can be had, so the first one is the last
    GuardBuilder<Long> settings =
        StoreGuard.<Long>builder(KeyHasher.longs())
            .expectedKeys(2_000)
            .fpp(1e-15)
            .listener(notices::add);
    MapStore store = new MapStore();
    StoreGuard<Long, String> guard = Guards.ready(settings, store);
    LongStream.range(0, 100_000)
        .takeWhile(key -> guard.state() == GuardState.READY)
        .forEach(key -> assertThat(guard.put(key, "new")).isTrue());
    assertThat(guard.state()).isEqualTo(GuardState.REBUILDING);
    assertThat(notices)
        .extracting(GuardNotice::kind)
        .containsExactly(GuardNotice.Kind.REBUILT, GuardNotice.Kind.FILTER_LOST);
    assertThat(Guards.findsAll(guard, store)).isTrue();

    assertThatThrownBy(
            () ->
                guard.rebuild(
                    () -> {
                      LongStream.range(0, 100_000).forEach(key -> guard.put(key, "more"));
                      return Stream.empty();
                    }))
        .isInstanceOf(RebuildFailedException.class)
        .hasMessageContaining("could not take a key");
    assertThat(Guards.findsAll(guard, store)).isTrue();
  }

  @Test
  void countsOfTheFilterInUseBeginWhenItTakesOver() {
    MapStore store = Guards.filled(100);
    StoreGuard<Long, String> guard = settings(false).build(store);
    assertThat(guard.get(5L)).isNotNull();
    RebuildSummary unused = guard.rebuild(store::keys);
    assertThat(guard.get(5L)).isNotNull();
    assertThat(guard.stats().total()).isEqualTo(new GetStats(0, 1, 0, 0, 1));
    assertThat(guard.stats().current()).isEqualTo(new GetStats(0, 1, 0, 0, 0));
  }

  private GuardBuilder<Long> settings(boolean removable) {
    GuardBuilder<Long> settings = Guards.settings().listener(notices::add);
    return removable ? settings.removable() : settings;
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(50, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
