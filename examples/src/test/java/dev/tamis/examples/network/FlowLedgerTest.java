package dev.tamis.examples.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.examples.network.FlowLedger.Entry;
import dev.tamis.examples.network.FlowLedger.Stats;
import dev.tamis.hash.KeyHasher;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FlowLedgerTest {

  @Test
  void aMessageEntersAsOftenAsItsCountersCanCountAndLeavesAsOften() {
    FlowLedger<Long> ledger = ledger(1_000, 1e-9);
    assertThat(ledger.maxTimesInFlight()).isEqualTo(14);
    assertThat(ledger.enter(1L)).isEqualTo(Entry.ENTERED);
    for (int i = 1; i < 14; i++) {
      assertThat(ledger.enter(1L)).isEqualTo(Entry.ENTERED_AGAIN);
    }
    assertThat(ledger.enter(1L)).isEqualTo(Entry.OVERFLOW);
    for (int i = 0; i < 14; i++) {
      assertThat(ledger.leave(1L)).isTrue();
    }
    assertThat(ledger.leave(1L)).as("the one that overflowed").isFalse();
    assertThat(ledger.stats()).isEqualTo(new Stats(14, 14, 1, 1));
  }

  @Test
  void countsAgreeWithAMap() {
    FlowLedger<Long> ledger = ledger(2_000, 1e-9);
    Map<Long, Integer> truth = new HashMap<>();
    SplittableRandom random = new SplittableRandom(6);
    long underflows = 0;
    for (int step = 0; step < 50_000; step++) {
      long message = random.nextLong(2_000);
      int times = truth.getOrDefault(message, 0);
      if (random.nextBoolean() && times < 2) {
        assertThat(ledger.enter(message))
            .isEqualTo(times == 0 ? Entry.ENTERED : Entry.ENTERED_AGAIN);
        truth.merge(message, 1, Integer::sum);
      } else {
        assertThat(ledger.leave(message)).isEqualTo(times > 0);
        underflows += times == 0 ? 1 : 0;
        truth.computeIfPresent(message, (key, count) -> count == 1 ? null : count - 1);
      }
    }
    assertThat(ledger.stats().inFlight()).isEqualTo(truth.values().stream().mapToInt(i -> i).sum());
    assertThat(ledger.stats().underflows()).isEqualTo(underflows).isPositive();
    assertThat(LongStream.range(0, 2_000).filter(ledger::mightBeInFlight).count())
        .isEqualTo(truth.size());
  }

  @Test
  void neverMoreLeaveThanEnteredHoweverFullItIs() {
    FlowLedger<Long> ledger = ledger(10, 0.001);
    LongStream.range(0, 5_000).forEach(ledger::enter);
    assertThat(ledger.stats().entered() + ledger.stats().overflows()).isEqualTo(5_000);
    LongStream.range(0, 20_000).forEach(ledger::leave);
    Stats after = ledger.stats();
    assertThat(after.left()).isEqualTo(after.entered());
    assertThat(after.left() + after.underflows()).isEqualTo(20_000);
    ledger.clear();
    assertThat(ledger.stats()).isEqualTo(new Stats(0, 0, 0, 0));
  }

  private static FlowLedger<Long> ledger(long messages, double fpp) {
    return new FlowLedger<>(KeyHasher.longs(), messages, fpp);
  }
}
