package dev.tamis.tools.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.tools.guard.GuardVerdict.Answer;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class GuardVerdictTest {

  private static final Offset<Double> TINY = Offset.offset(1e-9);

  private final AtomicLong clock = new AtomicLong();

  @Test
  void aGuardBeforeASlowStorePaysWhenMostKeysAreAbsent() {
    // each look at the clock takes 50 ns, each read of the store 10 µs
    MapStore store = Guards.filled(1_000);
    store.beforeEachCall = () -> clock.addAndGet(10_000);
    StoreGuard<Long, String> guard = timed(store);
    Guards.absent(4_000).forEach(guard::get);
    store.rows.keySet().forEach(guard::get);

    GuardVerdict verdict = guard.stats().verdict();
    assertThat(verdict.answer()).isEqualTo(Answer.PAYS);
    assertThat(verdict.asked()).isEqualTo(5_000);
    assertThat(verdict.skipped()).isEqualTo(guard.gets().skipped());
    assertThat(verdict.askNanos()).isEqualTo(50, TINY);
    assertThat(verdict.readNanos()).isEqualTo(10_050, TINY);
    assertThat(verdict.savedNanos()).isEqualTo(verdict.skipped() * 10_050.0 - 5_000 * 50.0, TINY);
    assertThat(verdict.breakEvenShare()).isEqualTo(50 / 10_050.0, TINY);
    assertThat(verdict.sentence())
        .startsWith("The guard pays: ")
        .contains("% of 5000 keys were skipped, 10.050 µs saved", "0.050 µs spent");
  }

  @Test
  void aGuardDoesNotPayWhenNearlyEveryKeyIsThere() {
    MapStore store = Guards.filled(1_000);
    store.beforeEachCall = () -> clock.addAndGet(450);
    StoreGuard<Long, String> guard = timed(store);
    for (int round = 0; round < 5; round++) {
      store.rows.keySet().forEach(guard::get);
    }
    Guards.absent(300).forEach(guard::get);

    GuardVerdict verdict = guard.stats().verdict();
    assertThat(verdict.answer()).isEqualTo(Answer.DOES_NOT_PAY);
    assertThat(verdict.savedNanos()).isNegative();
    assertThat(verdict.sentence())
        .startsWith("The guard does not pay: ")
        .endsWith("Disable it unless more than 10.00 % of keys are absent.");
  }

  @Test
  void nothingIsSaidBeforeThereIsEnoughToGoBy() {
    MapStore store = Guards.filled(1_000);
    StoreGuard<Long, String> guard = timed(store);
    store.rows.keySet().stream().limit(999).forEach(guard::get);
    assertThat(guard.stats().verdict().answer()).isEqualTo(Answer.NOT_ENOUGH_DATA);
    assertThat(guard.stats().verdict().sentence()).startsWith("Not enough data: 999 keys");
    assertThat(guard.get(999L)).isNotNull();
    assertThat(guard.stats().verdict().answer()).isEqualTo(Answer.DOES_NOT_PAY);
  }

  @Test
  void aThousandSkippedKeysSayNothingOfAStoreThatWasHardlyRead() {
    GetStats counters = new GetStats(5_000, 0, 29, 0, 0);
    assertThat(GuardVerdict.of(counters, times(29, 0)).answer()).isEqualTo(Answer.NOT_ENOUGH_DATA);
    assertThat(GuardVerdict.of(counters, times(30, 0)).answer()).isEqualTo(Answer.PAYS);
  }

  @Test
  void absentKeysAreReckonedByTheirOwnTimeOnceEnoughWereRead() {
    GetStats counters = new GetStats(5_000, 100, 30, 0, 0);
    // absent keys take 1 µs, others 3 µs
    assertThat(GuardVerdict.of(counters, times(30, 100)).readNanos()).isEqualTo(1_000, TINY);
    assertThat(GuardVerdict.of(counters, times(29, 100)).readNanos())
        .isEqualTo((29 * 1_000.0 + 100 * 3_000.0) / 129, TINY);
  }

  @Test
  void aFilterThatIsSlowerThanTheStoreNeverPays() {
    GuardVerdict verdict = new GuardVerdict(Answer.DOES_NOT_PAY, 1_000, 1_000, 90, 80);
    assertThat(verdict.breakEvenShare()).isEqualTo(1);
    assertThat(verdict.savedNanos()).isEqualTo(-10_000, TINY);
  }

  private static GuardMeter.Times times(long absent, long found) {
    return new GuardMeter.Times(10, 500, absent, absent * 1_000.0, found, found * 3_000.0);
  }

  private StoreGuard<Long, String> timed(MapStore store) {
    return Guards.ready(Guards.settings().nanoClock(() -> clock.addAndGet(50)), store);
  }
}
