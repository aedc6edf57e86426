package dev.tamis.tools.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GuessTallyTest {

  @Test
  void eachGuessIsInOneOfFourFields() {
    GuessTally tally = new GuessTally();
    count(4, () -> tally.hit(true));
    count(3, () -> tally.hit(false));
    count(2, () -> tally.miss(false));
    count(1, () -> tally.miss(true));
    assertThat(tally.table()).isEqualTo(new GuessTable(4, 3, 2, 1));
    assertThat(tally.table().guesses()).isEqualTo(10);
    assertThat(tally.table().hits()).isEqualTo(7);
    assertThat(tally.table().misses()).isEqualTo(3);
  }

  @Test
  void ratesAreSharesOfWhatIsTrue() {
    GuessTable table = new GuessTable(4, 3, 2, 1);
    assertThat(table.falseHitRate()).hasValue(3 / 5.0);
    assertThat(table.falseMissRate()).hasValue(1 / 5.0);
    assertThat(table.accuracy()).hasValue(6 / 10.0);
  }

  @Test
  void thereIsNoRateOfNothing() {
    assertThat(GuessTable.EMPTY.falseHitRate()).isEmpty();
    assertThat(GuessTable.EMPTY.falseMissRate()).isEmpty();
    assertThat(GuessTable.EMPTY.accuracy()).isEmpty();
  }

  @Test
  void tablesAddUpFieldByField() {
    assertThat(new GuessTable(1, 2, 3, 4).plus(new GuessTable(10, 20, 30, 40)))
        .isEqualTo(new GuessTable(11, 22, 33, 44));
  }

  @Test
  void refusesNegativeCountsAndNamesThem() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GuessTable(0, 0, -1, 0))
        .withMessage("trueMisses must be at least 0, got -1");
  }

  @Test
  void threadsLoseNoGuess() {
    GuessTally tally = new GuessTally();
    IntStream.range(0, 40_000).parallel().forEach(i -> tally.hit(i % 4 == 0));
    assertThat(tally.table()).isEqualTo(new GuessTable(10_000, 30_000, 0, 0));
  }

  private static void count(int times, Runnable guess) {
    for (int i = 0; i < times; i++) {
      guess.run();
    }
  }
}
