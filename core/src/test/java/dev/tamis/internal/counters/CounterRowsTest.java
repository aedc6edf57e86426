package dev.tamis.internal.counters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Keys;
import dev.tamis.internal.bits.WordArrays;
import dev.tamis.internal.bits.Words;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Counters in rows: one a row for each key, and none ever turns negative. */
class CounterRowsTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0",
    "1, 2, 3",
    "9223372036854775806, 0, 9223372036854775806",
    "9223372036854775806, 1, 9223372036854775807",
    "9223372036854775806, 2, 9223372036854775807",
    "9223372036854775807, 0, 9223372036854775807",
    "9223372036854775807, 9223372036854775807, 9223372036854775807",
  })
  void sumsStayAtTheLargestNumber(long first, long second, long sum) {
    assertThat(CounterRows.saturatingSum(first, second)).isEqualTo(sum);
    assertThat(CounterRows.saturatingSum(second, first)).isEqualTo(sum);
  }

  @Test
  void aKeyHasOneCounterInEachRow() {
    for (long hash : Keys.hashes(1, 1_000).toArray()) {
      CounterRows rows = new CounterRows(7, 10);
      rows.add(hash, 3);
      for (int row = 0; row < 7; row++) {
        assertThat(rows.sumOfRow(row)).isEqualTo(3);
      }
      assertThat(Arrays.stream(WordArrays.of(rows.counters())).filter(counter -> counter != 0))
          .hasSize(7);
      assertThat(rows.count(hash)).isEqualTo(3);
    }
  }

  /** Each of 10 counters gets 10,000 of 100,000 keys, and five standard deviations of 95. */
  @Test
  void rowsAreFilledEvenlyAndIndependently() {
    CounterRows rows = new CounterRows(3, 10);
    Keys.hashes(2, 100_000).forEach(hash -> rows.add(hash, 1));
    assertThat(Arrays.stream(WordArrays.of(rows.counters())))
        .allMatch(counter -> counter > 9_525 && counter < 10_475);

    // a pair of counters in two rows shares 1,000 of them, give or take 32
    int[][] together = new int[10][10];
    for (long hash : Keys.hashes(2, 100_000).toArray()) {
      CounterRows one = new CounterRows(2, 10);
      one.add(hash, 1);
      together[indexOfOne(one, 0)][indexOfOne(one, 1)]++;
    }
    assertThat(Arrays.stream(together).flatMapToInt(Arrays::stream))
        .allMatch(count -> count > 840 && count < 1_160);
  }

  private static int indexOfOne(CounterRows rows, int row) {
    return IntStream.range(0, 10)
        .filter(i -> rows.counters().get(10 * row + i) == 1)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void conservativelyOnlyTheLeastCountersRise() {
    CounterRows rows = new CounterRows(2, 5);
    rows.addConservatively(1, 4);
    Words before = rows.counters().copy();
    long other =
        Keys.hashes(3, 1_000)
            .filter(hash -> sharesOneOfTwo(hash, before))
            .findFirst()
            .orElseThrow();

    assertThat(rows.addConservatively(other, 1)).isOne();
    assertThat(rows.count(1)).isEqualTo(4);
    assertThat(Arrays.stream(WordArrays.of(rows.counters())).sum()).isEqualTo(9);
    assertThat(rows.addConservatively(other, 5)).isEqualTo(6);
    assertThat(Arrays.stream(WordArrays.of(rows.counters())).sum()).isEqualTo(4 + 6 + 6);
  }

  private static boolean sharesOneOfTwo(long hash, Words counters) {
    CounterRows own = new CounterRows(2, 5);
    own.add(hash, 1);
    return IntStream.range(0, 10).filter(i -> own.counters().get(i) * counters.get(i) != 0).count()
        == 1;
  }

  @Test
  void theSumOfARowIsOfThatRow() {
    CounterRows rows = new CounterRows(3, 4);
    IntStream.range(0, 12).forEach(i -> rows.counters().set(i, i));
    assertThat(IntStream.range(0, 3).mapToLong(rows::sumOfRow)).containsExactly(6L, 22L, 38L);
  }
}
