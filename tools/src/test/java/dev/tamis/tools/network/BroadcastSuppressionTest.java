package dev.tamis.tools.network;

import static dev.tamis.tools.network.BroadcastSuppression.Sighting.FIRST;
import static dev.tamis.tools.network.BroadcastSuppression.Sighting.REPEAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import dev.tamis.tools.network.BroadcastSuppression.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BroadcastSuppressionTest {

  private static final double TINY = 1e-9;
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final HandClock clock = new HandClock();

  @Test
  void handlesEachMessageOnce() {
    var seen = builder().window(100).build();
    assertThat(seen.receive(1L)).isEqualTo(FIRST);
    assertThat(seen.receive(1L)).isEqualTo(REPEAT);
    assertThat(seen.receive(2L)).isEqualTo(FIRST);
    assertThat(seen.stats().firsts()).isEqualTo(2);
    assertThat(seen.stats().repeats()).isEqualTo(1);
    assertThat(seen.stats().received()).isEqualTo(3);
  }

  @Test
  void lookingNotesNothing() {
    var seen = builder().window(100).build();
    assertThat(seen.peek(1L)).isEqualTo(FIRST);
    assertThat(seen.receive(1L)).isEqualTo(FIRST);
    assertThat(seen.peek(1L)).isEqualTo(REPEAT);
    assertThat(seen.stats().received()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void remembersTheLastMessagesForCertainAndForgetsOlderOnes(Renewal renewal) {
    var seen = builder().window(1_000).renewal(renewal).build();
    for (long message = 0; message < 20_000; message++) {
      assertThat(seen.receive(message)).isEqualTo(FIRST);
      long oldest = Math.max(0, message - 999);
      assertThat(seen.peek(oldest)).isEqualTo(REPEAT);
    }
    long forgotten = LongStream.range(0, 10_000).filter(i -> seen.peek(i) == FIRST).count();
    assertThat(forgotten).isGreaterThan(9_900);
  }

  @ParameterizedTest
  @EnumSource
  void remembersForTheTimeForCertainAndForgetsLater(Renewal renewal) {
    var seen = timed(Duration.ofMinutes(2)).renewal(renewal).build();
    assertThat(seen.receive(1L)).isEqualTo(FIRST);
    clock.goOn(Duration.ofMinutes(2));
    assertThat(seen.peek(1L)).isEqualTo(REPEAT);
    clock.goOn(Duration.ofMinutes(2));
    assertThat(seen.peek(1L)).isEqualTo(FIRST);
  }

  @Test
  void anEchoEverySecondComesThroughAgainWhenItsFirstArrivalIsForgotten() {
    var seen = timed(Duration.ofSeconds(10)).renewal(Renewal.FIRST_SEEN).build();
    assertThat(echoesHandled(seen, 100)).isBetween(100 / 20, 100 / 10 + 1);
  }

  @Test
  void anEchoEverySecondNeverComesThroughWhenItRenewsItself() {
    var seen = timed(Duration.ofSeconds(10)).renewal(Renewal.LAST_SEEN).build();
    assertThat(echoesHandled(seen, 100)).isEqualTo(1);
  }

  private int echoesHandled(BroadcastSuppression<Long> seen, int seconds) {
    int handled = 0;
    for (int i = 0; i < seconds; i++) {
      handled += seen.receive(7L) == FIRST ? 1 : 0;
      clock.goOn(SECOND);
    }
    return handled;
  }

  @Test
  void echoesUseUpAWindowOfMessagesOnlyWhenTheyRenewThemselves() {
    var first = builder().window(100).renewal(Renewal.FIRST_SEEN).build();
    var last = builder().window(100).renewal(Renewal.LAST_SEEN).build();
    for (var seen : List.of(first, last)) {
      assertThat(seen.receive(1L)).isEqualTo(FIRST);
      for (int i = 0; i < 1_000; i++) {
        seen.receive(2L);
      }
    }
    assertThat(first.peek(1L)).isEqualTo(REPEAT);
    assertThat(last.peek(1L)).isEqualTo(FIRST);
  }

  @Test
  void bothWindowsForgetOnlyWhatBothPermit() {
    var seen = timed(Duration.ofSeconds(10)).window(100).build();
    assertThat(seen.receive(1L)).isEqualTo(FIRST);
    clock.goOn(Duration.ofSeconds(1_000));
    assertThat(seen.peek(1L)).as("the time is over, the messages are not").isEqualTo(REPEAT);
    flood(seen, 2, 300);
    assertThat(seen.peek(1L)).as("both are over").isEqualTo(FIRST);
    assertThat(seen.receive(1L)).isEqualTo(FIRST);
    flood(seen, 1_000, 300);
    assertThat(seen.peek(1L)).as("the messages are over, the time is not").isEqualTo(REPEAT);
    clock.goOn(Duration.ofSeconds(1_000));
    assertThat(seen.peek(1L)).isEqualTo(FIRST);
  }

  @Test
  void wrongDropsAreAsManyAsTheFppSaysAndTheStatsExpect() {
    double fpp = 0.02;
    int messages = 200_000;
    var seen = builder().window(2_000).fpp(fpp).build();
    for (long message = 0; message < messages; message++) {
      seen.confirm(seen.receive(message), false);
    }
    double most = fpp * messages + 5 * Math.sqrt(fpp * messages);
    assertThat((double) seen.guesses().falseHits()).isPositive().isLessThan(most);
    assertThat(seen.guesses().falseHits()).isEqualTo(seen.stats().repeats());
    double expected = seen.stats().expectedWrongDrops();
    // the fill between two readings is taken as their mean, good to a tenth
    assertThat((double) seen.stats().repeats())
        .isBetween(
            0.9 * expected - 5 * Math.sqrt(expected), 1.1 * expected + 5 * Math.sqrt(expected));
  }

  @Test
  void theFppIsThatOfBothWindowsTogether() {
    var seen = timed(Duration.ofSeconds(100)).window(1_000).fpp(0.01).build();
    int wrong = 0;
    int messages = 100_000;
    for (long message = 0; message < messages; message++) {
      clock.goOn(Duration.ofMillis(10)); // 10,000 within the time, as expected
      wrong += seen.receive(message) == REPEAT ? 1 : 0;
      if (message % 1_000 == 0) {
        assertThat(seen.stats().expectedFpp()).isLessThan(0.0101);
      }
    }
    assertThat((double) wrong).isLessThan(0.01 * messages + 5 * Math.sqrt(0.01 * messages));
  }

  @Test
  void aFloodShowsInTheFppOfAWindowOfTime() {
    var seen = timed(Duration.ofSeconds(100)).fpp(0.01).build();
    assertThat(seen.stats().expectedFpp()).isZero();
    flood(seen, 0, 100_000);
    assertThat(seen.stats().expectedFpp()).isGreaterThan(0.1);
  }

  @Test
  void memoryStaysTheSame() {
    var seen = builder().window(1_000).build();
    long before = seen.sizeInBytes();
    flood(seen, 0, 50_000);
    assertThat(seen.sizeInBytes()).isEqualTo(before).isLessThan(30_000);
  }

  @Test
  void oneOfTheThreadsThatBringAMessageHandlesIt() {
    var seen = builder().window(100_000).build();
    LongAdder handled = new LongAdder();
    IntStream.range(0, 80_000)
        .parallel()
        .forEach(i -> handled.add(seen.receive((long) (i % 20_000)) == FIRST ? 1 : 0));
    assertThat(handled.sum()).isEqualTo(20_000);
    assertThat(seen.stats().received()).isEqualTo(80_000);
  }

  @Test
  void clearForgetsMessagesAndKeepsTheCounts() {
    var seen = builder().window(10).build();
    seen.receive(1L);
    seen.clear();
    assertThat(seen.receive(1L)).isEqualTo(FIRST);
    assertThat(seen.stats().firsts()).isEqualTo(2);
  }

  @Test
  void theTruthThatBecomesKnownIsInTheTable() {
    var seen = builder().window(10).build();
    seen.confirm(REPEAT, true);
    seen.confirm(FIRST, true);
    seen.confirm(FIRST, false);
    assertThat(seen.guesses()).isEqualTo(new GuessTable(1, 0, 1, 1));
  }

  @Test
  void refusesSettingsThatAreWrongAtOnce() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().window(0))
        .withMessage("window must be at least 1, got 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().window(Duration.ZERO))
        .withMessageContaining("window must be 1 ns to");
    assertThatIllegalArgumentException().isThrownBy(() -> builder().expectedMessages(0));
    assertThatIllegalArgumentException().isThrownBy(() -> builder().fpp(1));
    assertThatIllegalArgumentException().isThrownBy(() -> builder().fpp(Double.NaN));
  }

  @Test
  void refusesSettingsThatDoNotGoTogether() {
    assertThatIllegalStateException()
        .isThrownBy(() -> builder().build())
        .withMessageContaining("window");
    assertThatIllegalStateException()
        .isThrownBy(() -> BroadcastSuppression.<Long>builder(KeyHasher.longs()).window(1).build())
        .withMessage("need the fpp");
    assertThatIllegalStateException()
        .isThrownBy(() -> builder().window(SECOND).clock(clock).build())
        .withMessageContaining("expectedMessages");
    assertThatIllegalStateException()
        .isThrownBy(() -> builder().window(SECOND).expectedMessages(1).build())
        .withMessageContaining("clock");
    assertThatIllegalStateException()
        .isThrownBy(() -> builder().window(1).clock(clock).build())
        .withMessageContaining("window of time");
  }

  private static void flood(BroadcastSuppression<Long> seen, long from, int messages) {
    LongStream.range(from, from + messages).forEach(seen::receive);
  }

  private static BroadcastSuppressionBuilder<Long> builder() {
    return BroadcastSuppression.<Long>builder(KeyHasher.longs()).fpp(TINY);
  }

  private BroadcastSuppressionBuilder<Long> timed(Duration time) {
    return builder().window(time).expectedMessages(10_000).clock(clock);
  }

  /** What is a false positive on one node is none on the next, so it is not lost in the network. */
  @Test
  void nodesDoNotLoseTheSameMessages() {
    BroadcastSuppression<Long> one = nodeOfAThousand(KeyHasher.longs());
    BroadcastSuppression<Long> other = nodeOfAThousand(KeyHasher.longs());
    long lostByOne = 0;
    long lostByBoth = 0;
    for (long message = 10_000; message < 60_000; message++) {
      boolean isLost = one.peek(message) == REPEAT;
      lostByOne += isLost ? 1 : 0;
      lostByBoth += isLost && other.peek(message) == REPEAT ? 1 : 0;
    }
    assertThat(lostByOne).isGreaterThan(1_000);
    assertThat(lostByBoth).isLessThan(lostByOne / 4);
  }

  @Test
  void aHasherWithAKeyKeepsIt() {
    KeyHasher<Long> keyed = KeyHasher.longs().keyedBy(HashKey.of(new byte[HashKey.BYTES]));
    BroadcastSuppression<Long> one = nodeOfAThousand(keyed);
    BroadcastSuppression<Long> other = nodeOfAThousand(keyed);
    for (long message = 10_000; message < 20_000; message++) {
      assertThat(one.peek(message)).isEqualTo(other.peek(message));
    }
  }

  private static BroadcastSuppression<Long> nodeOfAThousand(KeyHasher<Long> hasher) {
    BroadcastSuppression<Long> node =
        BroadcastSuppression.<Long>builder(hasher).window(1_000).fpp(0.1).build();
    for (long message = 0; message < 3_000; message++) {
      assertThat(node.receive(message)).isNotNull();
    }
    return node;
  }
}
