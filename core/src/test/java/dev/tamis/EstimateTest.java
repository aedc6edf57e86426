package dev.tamis;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EstimateTest {

  private static final double INFINITY = Double.POSITIVE_INFINITY;

  @ParameterizedTest
  @CsvSource({"-1, -1, 0", "5, 6, 7", "5, 4, 4.5", "NaN, 0, 1", "1, NaN, 2", "1, 0, NaN"})
  void anIntervalIsInOrder(double value, double low, double high) {
    refuses(
        () -> new Estimate(value, low, high),
        "low <= value <= high",
        low + ", " + value + ", " + high);
  }

  @Test
  void anIntervalMayBeAPointOrHaveNoEnd() {
    assertThat(new Estimate(0, 0, 0).isBounded()).isTrue();
    assertThat(new Estimate(7, 7, 7).isBounded()).isTrue();
    assertThat(new Estimate(7, 5, INFINITY).isBounded()).isFalse();
    assertThat(new Estimate(INFINITY, 5, INFINITY).isBounded()).isFalse();
  }

  @Test
  void aMarginDoesNotGoBelowZero() {
    assertThat(Estimate.around(10, 3)).isEqualTo(new Estimate(10, 7, 13));
    assertThat(Estimate.around(2, 3)).isEqualTo(new Estimate(2, 0, 5));
    assertThat(Estimate.around(-1, 3)).isEqualTo(new Estimate(0, 0, 3));
  }

  @Test
  void roundsToTheNearestWholeNumber() {
    assertThat(Estimate.around(10.4, 1).rounded()).isEqualTo(10);
    assertThat(Estimate.around(10.6, 1).rounded()).isEqualTo(11);
    assertThat(new Estimate(INFINITY, 1, INFINITY).rounded()).isEqualTo(Long.MAX_VALUE);
  }
}
