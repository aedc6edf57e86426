package dev.tamis.tools.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.hash.KeyHasher;
import dev.tamis.tools.guard.ReadGuard.PutInProgress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreGuardTest {

  private final List<GuardNotice> notices = new ArrayList<>();

  @Test
  void mostAbsentKeysNeverReachTheStoreAndPresentOnesAreFound() {
    MapStore store = Guards.filled(1_000);
    StoreGuard<Long, String> guard = Guards.ready(Guards.settings(), store);

    assertThat(Guards.absent(10_000)).allMatch(key -> guard.get(key) == null);
    int readsOfAbsent = store.reads.get();
    assertThat(Guards.findsAll(guard, store)).isTrue();

    GetStats counters = guard.gets();
    // five standard deviations of a binomial(10000, 0.01)
    assertThat(readsOfAbsent).isLessThan(150);
    assertThat(counters)
        .isEqualTo(new GetStats(10_000 - readsOfAbsent, 1_000, readsOfAbsent, 0, 0));
    assertThat(counters.asked()).isEqualTo(11_000);
    assertThat(counters.passed()).isEqualTo(1_000 + readsOfAbsent);
    assertThat(guard.measuredFpp()).hasValue(readsOfAbsent / 1e4);
    // a filter that grows begins below its fpp, to stay below it later
    double expected = guard.stats().expectedFpp().orElseThrow();
    assertThat(expected).isBetween(0.001, 0.01);
    assertThat(guard.measuredFpp().orElseThrow())
        .isBetween(
            expected - 5 * Math.sqrt(expected / 10_000),
            expected + 5 * Math.sqrt(expected / 10_000));
  }

  @Test
  void readsTheStoreForEveryKeyUntilItIsRebuilt() {
    MapStore store = Guards.filled(10);
    StoreGuard<Long, String> guard = Guards.settings().build(store);
    assertThat(guard.state()).isEqualTo(GuardState.REBUILDING);
    assertThat(guard.get(3L)).isEqualTo("value 3");
    assertThat(guard.get(33L)).isNull();
    assertThat(guard.gets()).isEqualTo(new GetStats(0, 0, 0, 0, 2));
    assertThat(guard.gets().measuredFpp()).isEmpty();
    assertThat(guard.stats().expectedFpp()).isEmpty();

    RebuildSummary summary = guard.rebuild(store::keys);
    assertThat(summary.keys()).isEqualTo(10);
    assertThat(summary.memoryBytes()).isEqualTo(guard.stats().memoryBytes()).isPositive();
    assertThat(guard.state()).isEqualTo(GuardState.READY);
  }

  @Test
  void anEmptyStoreIsReadyAfterARebuildFromNothing() {
    StoreGuard<Long, String> guard = Guards.ready(Guards.settings(), new MapStore());
    assertThat(guard.get(1L)).isNull();
    assertThat(guard.put(1L, "one")).isTrue();
    assertThat(guard.put(1L, "uno")).isFalse();
    assertThat(guard.get(1L)).isEqualTo("uno");
    assertThat(guard.gets().skipped()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theFilterKnowsAKeyBeforeTheStoreDoes(boolean removable) {
    MapStore store = new MapStore();
    StoreGuard<Long, String> guard = Guards.ready(settings(removable), store);
    List<Long> readBeforeStored = new ArrayList<>();
    store.beforeEachCall =
        () -> {
          store.beforeEachCall = () -> {};
          store.reads.set(0);
          assertThat(guard.get(7L)).isNull(); // not stored yet
          readBeforeStored.add((long) store.reads.get());
        };
    boolean isNew = guard.put(7L, "seven");
    assertThat(isNew).isTrue();
    assertThat(readBeforeStored).containsExactly(1L); // so the filter had it
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPutThatFailsComesOutAsItIsAndHidesNothing(boolean removable) {
    MapStore store = Guards.filled(3);
    StoreGuard<Long, String> guard = Guards.ready(settings(removable), store);
    IllegalStateException failure = new IllegalStateException("disk full");
    store.failure = failure;
    assertThatThrownBy(() -> guard.put(9L, "nine")).isSameAs(failure);
    assertThatThrownBy(() -> guard.put(1L, "one")).isSameAs(failure);
    assertThatThrownBy(() -> guard.get(2L)).isSameAs(failure);
    assertThatThrownBy(() -> guard.remove(2L)).isSameAs(failure);
    store.failure = null;

    assertThat(Guards.findsAll(guard, store)).isTrue();
    assertThat(guard.get(9L)).isNull();
    assertThat(guard.gets().failedReads()).isEqualTo(1);
    assertThat(guard.gets().falsePositives()).isEqualTo(1); // the key too many
    assertThat(guard.stats().staleKeys())
        .isEqualTo(removable ? 2 : 1); // 1 will outlast its removal
  }

  @Test
  void aRemovableGuardForgetsWhatIsRemovedHoweverOftenItWasPut() {
    MapStore store = Guards.filled(1_000);
    StoreGuard<Long, String> guard = Guards.ready(settings(true), store);
    for (int round = 0; round < 20; round++) { // more than a counter counts
      LongStream.range(0, 1_000).forEach(key -> assertThat(guard.put(key, "again")).isFalse());
    }
    LongStream.range(0, 500).forEach(key -> assertThat(guard.remove(key)).isTrue());
    LongStream.range(0, 500).forEach(key -> assertThat(guard.remove(key)).isFalse());
    store.reads.set(0);
    assertThat(LongStream.range(0, 500)).allMatch(key -> guard.get(key) == null);
    assertThat(store.reads.get()).isLessThan(50); // without removal it would be 500
    assertThat(Guards.findsAll(guard, store)).isTrue();
    assertThat(guard.stats().staleKeys()).isZero();
    assertThat(guard.state()).isEqualTo(GuardState.READY);
  }

  @Test
  void aPlainGuardIsStaleOnceMoreThanTheShareIsRemovedAndARebuildMendsThat() {
    MapStore store = Guards.filled(1_000);
    StoreGuard<Long, String> guard = Guards.ready(settings(false).staleAbove(0.2), store);
    long keys = guard.stats().keys(); // a few of the 1000 look like others
    long limit = (long) (keys * 0.2);
    LongStream.range(0, limit).forEach(guard::remove);
    assertThat(guard.state()).isEqualTo(GuardState.READY);
    assertThat(kinds()).containsExactly(GuardNotice.Kind.REBUILT);

    boolean removed = guard.remove(limit);
    assertThat(removed).isTrue();
    assertThat(guard.state()).isEqualTo(GuardState.STALE);
    assertThat(guard.stats().staleKeys()).isEqualTo(limit + 1);
    assertThat(guard.remove(limit + 1)).isTrue();
    assertThat(kinds()).containsExactly(GuardNotice.Kind.REBUILT, GuardNotice.Kind.STALE);
    store.reads.set(0);
    assertThat(guard.get(-1L)).isNull();
    assertThat(store.reads).hasValue(1);
    assertThat(guard.gets().passedThrough()).isEqualTo(1);

    RebuildSummary unused = guard.rebuild(store::keys);
    assertThat(guard.state()).isEqualTo(GuardState.READY);
    assertThat(guard.stats().staleKeys()).isZero();
  }

  @Test
  void keysThatComeAndGoDoNotMakeAGuardStale() {
    MapStore store = Guards.filled(1_000);
    StoreGuard<Long, String> guard = Guards.ready(settings(false).staleAbove(0.2), store);
    for (int round = 0; round < 10; round++) {
      LongStream.range(0, 100)
          .forEach(
              key -> {
                assertThat(guard.remove(key)).isTrue();
                assertThat(guard.put(key, "back")).isTrue();
              });
    }
    assertThat(guard.state()).isEqualTo(GuardState.READY);
    assertThat(guard.stats().staleKeys()).isZero();
  }

  @Test
  void aGuardThatIsOffReadsTheStoreAndLearnsAllTheSame() {
    MapStore store = Guards.filled(10);
    StoreGuard<Long, String> guard = Guards.ready(Guards.settings(), store);
    guard.disable();
    assertThat(guard.state()).isEqualTo(GuardState.DISABLED);
    assertThat(guard.get(77L)).isNull();
    assertThat(store.reads).hasValue(1);
    assertThat(guard.put(77L, "seventy-seven")).isTrue();
    guard.enable();
    assertThat(guard.state()).isEqualTo(GuardState.READY);
    assertThat(guard.get(77L)).isEqualTo("seventy-seven");
  }

  @Test
  void aPlainGuardGrowsPastTheExpectedKeysAndKeepsItsFpp() {
    MapStore store = new MapStore();
    StoreGuard<Long, String> guard = Guards.ready(settings(false).expectedKeys(100), store);
    LongStream.range(0, 5_000).forEach(key -> assertThat(guard.put(key, "new")).isTrue());
    assertThat(Guards.absent(10_000)).allMatch(key -> guard.get(key) == null);
    assertThat(guard.measuredFpp().orElseThrow()).isLessThan(0.015);
    assertThat(kinds()).containsExactly(GuardNotice.Kind.REBUILT);
  }

  @Test
  void aRemovableGuardSaysOnceThatItIsOverFullAndARebuildMakesRoom() {
    MapStore store = new MapStore();
    StoreGuard<Long, String> guard = Guards.ready(settings(true).expectedKeys(100), store);
    LongStream.range(0, 90).forEach(key -> guard.put(key, "new"));
    assertThat(kinds()).containsExactly(GuardNotice.Kind.REBUILT);
    LongStream.range(90, 300).forEach(key -> guard.put(key, "new"));
    assertThat(kinds()).containsExactly(GuardNotice.Kind.REBUILT, GuardNotice.Kind.OVER_FULL);
    assertThat(guard.stats().expectedFpp().orElseThrow()).isGreaterThan(0.1);
    RebuildSummary unused = guard.rebuild(store::keys);
    assertThat(guard.stats().expectedFpp().orElseThrow()).isLessThan(0.02);
    assertThat(Guards.findsAll(guard, store)).isTrue();
    notices.clear();
    StoreGuard<Long, String> tooSmall = Guards.ready(settings(true).expectedKeys(100), store);
    assertThat(kinds()).containsExactly(GuardNotice.Kind.REBUILT, GuardNotice.Kind.OVER_FULL);
    unused = tooSmall.rebuild(store::keys);
    assertThat(kinds()).hasSize(3).last().isEqualTo(GuardNotice.Kind.REBUILT);
  }

  @Test
  void manyKeysTakeOneReadOfTheStore() {
    Map<Long, String> rows = new ConcurrentHashMap<>(Map.of(1L, "one", 2L, "two"));
    List<Integer> batches = new ArrayList<>();
    StoreReader<Long, String> reader =
        new StoreReader<>() {
          @Override
          public String get(Long key) {
            throw new IllegalStateException("one at a time");
          }

          @Override
          public Map<Long, String> getAll(java.util.Collection<? extends Long> keys) {
            batches.add(keys.size());
            return Map.of(1L, "one", 2L, "two");
          }
        };
    ReadGuard<Long, String> guard = Guards.settings().fpp(1e-6).buildReading(reader);
    assertThat(guard.getAll(List.of(1L, 2L, 3L))).isEqualTo(rows);
    RebuildSummary unused = guard.rebuild(() -> rows.keySet().stream());
    assertThat(guard.getAll(List.of(1L, 2L, 3L, 4L, 5L))).isEqualTo(rows);
    assertThat(guard.getAll(List.of(6L, 7L))).isEmpty();
    assertThat(batches).containsExactly(3, 2);
    assertThat(guard.gets()).isEqualTo(new GetStats(5, 2, 0, 0, 3));
  }

  @Test
  @SuppressWarnings("try") // closed twice on purpose
  void aReaderIsAFunctionAndWritersTellTheGuard() {
    Map<Long, String> rows = new ConcurrentHashMap<>();
    ReadGuard<Long, String> guard = Guards.settings().buildReading(rows::get);
    RebuildSummary unused = guard.rebuild(Stream::empty);
    try (PutInProgress put = guard.putting(5L)) {
      rows.put(5L, "five");
      assertThat(guard.get(5L)).isEqualTo("five");
      put.close(); // twice is once
    }
    assertThat(guard.get(5L)).isEqualTo("five");
    RebuildSummary again = guard.rebuild(() -> rows.keySet().stream()); // no put is left open
    assertThat(again.keys()).isEqualTo(1);
  }

  @Test
  void aListenerThatFailsStopsNothing() {
    MapStore store = Guards.filled(10);
    StoreGuard<Long, String> guard =
        Guards.ready(
            Guards.settings()
                .listener(
                    notice -> {
                      throw new IllegalStateException("broken listener");
                    }),
            store);
    assertThat(guard.state()).isEqualTo(GuardState.READY);
  }

  @Test
  void settingsAreCheckedAtOnceAndTogether() {
    GuardBuilder<Long> empty = StoreGuard.<Long>builder(KeyHasher.longs());
    MapStore store = new MapStore();
    assertThatThrownBy(() -> empty.expectedKeys(0)).hasMessageContaining("at least 1, got 0");
    assertThatThrownBy(() -> empty.fpp(1)).hasMessageContaining("(0, 1), got 1");
    assertThatThrownBy(() -> empty.fpp(Double.NaN)).hasMessageContaining("(0, 1), got NaN");
    assertThatThrownBy(() -> empty.staleAbove(0)).hasMessageContaining("(0, 1], got 0.0");
    assertThatThrownBy(() -> empty.staleAbove(1.01)).hasMessageContaining("(0, 1], got 1.01");
    assertThatThrownBy(() -> empty.build(store))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("expectedKeys(keys) and fpp(probability)");
    assertThatThrownBy(() -> Guards.settings().removable().buildReading(store))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("removable");
    assertThatThrownBy(() -> Guards.settings().build(store).save())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("file(path)");
  }

  @Test
  @SuppressWarnings("NullAway") // the point of the test
  void refusesNull() {
    StoreGuard<Long, String> guard = Guards.ready(Guards.settings(), new MapStore());
    assertThatThrownBy(() -> guard.get(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> guard.put(null, "")).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> guard.put(1L, null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> guard.remove(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> guard.putting(null)).isInstanceOf(NullPointerException.class);
  }

  private GuardBuilder<Long> settings(boolean removable) {
    GuardBuilder<Long> settings = Guards.settings().listener(notices::add);
    return removable ? settings.removable() : settings;
  }

  private List<GuardNotice.Kind> kinds() {
    return notices.stream().map(GuardNotice::kind).toList();
  }
}
