package dev.tamis.tools.network;

import static dev.tamis.tools.network.FlowLedger.Presence.ABSENT;
import static dev.tamis.tools.network.FlowLedger.Presence.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.hash.KeyHasher;
import dev.tamis.tools.network.FlowLedger.EnterResult;
import dev.tamis.tools.network.FlowLedger.Stats;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlowLedgerTest {

  @Test
  void knowsWhatIsInFlight() {
    var ledger = ledger(1_000, 1e-9);
    assertThat(ledger.enter(1L)).isEqualTo(EnterResult.ENTERED);
    assertThat(ledger.find(1L)).isEqualTo(IN_FLIGHT);
    assertThat(ledger.find(2L)).isEqualTo(ABSENT);
    assertThat(ledger.inFlight()).isEqualTo(1);
    assertThat(ledger.leave(1L)).isEqualTo(IN_FLIGHT);
    assertThat(ledger.find(1L)).isEqualTo(ABSENT);
    assertThat(ledger.inFlight()).isZero();
  }

  @Test
  void aMessageThatEntersTwiceLeavesTwice() {
    var ledger = ledger(1_000, 1e-9);
    assertThat(ledger.enter(1L)).isEqualTo(EnterResult.ENTERED);
    assertThat(ledger.enter(1L)).isEqualTo(EnterResult.ENTERED_AGAIN);
    assertThat(ledger.leave(1L)).isEqualTo(IN_FLIGHT);
    assertThat(ledger.find(1L)).isEqualTo(IN_FLIGHT);
    assertThat(ledger.leave(1L)).isEqualTo(IN_FLIGHT);
    assertThat(ledger.find(1L)).isEqualTo(ABSENT);
  }

  @Test
  void leavingWhatNeverEnteredIsCountedAndChangesNothing() {
    var ledger = ledger(1_000, 1e-9);
    ledger.enter(1L);
    assertThat(ledger.leave(2L)).isEqualTo(ABSENT);
    assertThat(ledger.stats().underflows()).isEqualTo(1);
    assertThat(ledger.stats().left()).isZero();
    assertThat(ledger.find(1L)).isEqualTo(IN_FLIGHT);
    assertThat(ledger.inFlight()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8})
  void aMessageEntersAsOftenAsItsCountersCanTellAndLeavesAsOften(int counterBits) {
    var ledger =
        FlowLedger.<Long>builder(KeyHasher.longs())
            .expectedInFlight(1_000)
            .fpp(1e-6)
            .counterBits(counterBits)
            .build();
    long most = (1L << counterBits) - 2;
    assertThat(ledger.maxTimesInFlight()).isEqualTo(most);
    for (long i = 0; i < most; i++) {
      assertThat(ledger.enter(1L)).isNotEqualTo(EnterResult.OVERFLOW);
    }
    assertThat(ledger.enter(1L)).isEqualTo(EnterResult.OVERFLOW);
    assertThat(ledger.stats().overflows()).isEqualTo(1);
    assertThat(ledger.inFlight()).isEqualTo(most);
    for (long i = 0; i < most; i++) {
      assertThat(ledger.leave(1L)).isEqualTo(IN_FLIGHT);
    }
    assertThat(ledger.leave(1L)).as("the one that overflowed").isEqualTo(ABSENT);
    assertThat(ledger.inFlight()).isZero();
  }

  @Test
  void theAccountAddsUpBesideAMap() {
    var ledger =
        FlowLedger.<Long>builder(KeyHasher.longs())
            .expectedInFlight(2_000)
            .fpp(1e-9)
            .counterBits(8) // up to five times each, and some share counters
            .build();
    Map<Long, Integer> truth = new HashMap<>();
    SplittableRandom random = new SplittableRandom(6);
    long underflows = 0;
    for (int step = 0; step < 100_000; step++) {
      long message = random.nextLong(2_000);
      int times = truth.getOrDefault(message, 0);
      if (random.nextBoolean() && times < 5) {
        assertThat(ledger.enter(message))
            .isEqualTo(times == 0 ? EnterResult.ENTERED : EnterResult.ENTERED_AGAIN);
        truth.merge(message, 1, Integer::sum);
      } else {
        assertThat(ledger.leave(message)).isEqualTo(times == 0 ? ABSENT : IN_FLIGHT);
        underflows += times == 0 ? 1 : 0;
        truth.computeIfPresent(message, (key, count) -> count == 1 ? null : count - 1);
      }
    }
    Stats stats = ledger.stats();
    assertThat(stats.inFlight()).isEqualTo(truth.values().stream().mapToInt(i -> i).sum());
    assertThat(stats.underflows()).isEqualTo(underflows).isPositive();
    assertThat(stats.saturatedCounters()).isZero();
    assertThat(LongStream.range(0, 2_000).filter(i -> ledger.find(i) == IN_FLIGHT).count())
        .isEqualTo(truth.size());
  }

  @Test
  void neverMoreLeaveThanEnteredHoweverFullItIs() {
    var ledger = ledger(10, 0.001);
    LongStream.range(0, 5_000).forEach(ledger::enter);
    Stats full = ledger.stats();
    assertThat(full.saturatedCounters()).isPositive();
    assertThat(full.entered() + full.overflows()).isEqualTo(5_000);
    LongStream.range(0, 20_000).forEach(ledger::leave);
    Stats after = ledger.stats();
    assertThat(after.left()).isEqualTo(after.entered());
    assertThat(after.left() + after.underflows()).isEqualTo(20_000);
    assertThat(after.inFlight()).isZero();
    ledger.clear();
    assertThat(ledger.stats()).isEqualTo(new Stats(0, 0, 0, 0, 0, 0));
  }

  @Test
  void whatIsNotInFlightLooksSoAsOftenAsTheFppSays() {
    double fpp = 0.02;
    var ledger = ledger(10_000, fpp);
    LongStream.range(0, 10_000).forEach(ledger::enter);
    int asked = 100_000;
    for (long message = 10_000; message < 10_000 + asked; message++) {
      ledger.confirm(ledger.find(message), false);
    }
    for (long message = 0; message < 10_000; message++) {
      ledger.confirm(ledger.find(message), true);
    }
    GuessTable table = ledger.guesses();
    assertThat(table.trueHits()).isEqualTo(10_000);
    assertThat(table.falseMisses()).isZero();
    double expected = ledger.stats().expectedFpp();
    assertThat(table.falseHitRate().orElseThrow())
        .isCloseTo(expected, within(5 * Math.sqrt(expected / asked)));
    assertThat(expected).isLessThan(fpp * 1.05);
  }

  @Test
  void threadsKeepTheAccount() {
    var ledger = ledger(50_000, 1e-9);
    IntStream.range(0, 40_000)
        .parallel()
        .forEach(
            i -> {
              ledger.enter((long) i);
              if (i % 2 == 0) {
                ledger.leave((long) i);
              }
            });
    Stats stats = ledger.stats();
    assertThat(stats.entered()).isEqualTo(40_000);
    assertThat(stats.left()).isEqualTo(20_000);
    assertThat(stats.underflows()).isZero();
    assertThat(IntStream.range(0, 40_000).filter(i -> ledger.find((long) i) == IN_FLIGHT))
        .allMatch(i -> i % 2 == 1)
        .hasSize(20_000);
  }

  @Test
  void oneOfTheThreadsThatTakeAMessageAwayFindsIt() {
    var ledger = ledger(20_000, 1e-9);
    LongStream.range(0, 10_000).forEach(ledger::enter);
    long found =
        IntStream.range(0, 40_000)
            .parallel()
            .filter(i -> ledger.leave((long) (i % 10_000)) == IN_FLIGHT)
            .count();
    assertThat(found).isEqualTo(10_000);
    assertThat(ledger.stats().underflows()).isEqualTo(30_000);
  }

  @Test
  void refusesSettingsThatAreWrongOrTooFew() {
    var builder = FlowLedger.<Long>builder(KeyHasher.longs());
    assertThatIllegalArgumentException().isThrownBy(() -> builder.expectedInFlight(0));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.fpp(0));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.counterBits(1));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.counterBits(17));
    assertThatIllegalStateException().isThrownBy(builder::build);
  }

  private static FlowLedger<Long> ledger(long messages, double fpp) {
    return FlowLedger.<Long>builder(KeyHasher.longs()).expectedInFlight(messages).fpp(fpp).build();
  }
}
