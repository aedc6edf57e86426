package dev.tamis.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Estimate;
import org.junit.jupiter.api.Test;

class FillStateTest {

  @Test
  void theFractionIsOnesOverBits() {
    assertThat(state(0, 100).fractionFilled()).isZero();
    assertThat(state(50, 100).fractionFilled()).isEqualTo(0.5);
    assertThat(state(100, 100).fractionFilled()).isEqualTo(1);
    assertThat(state(1L << 35, 1L << 36).fractionFilled()).isEqualTo(0.5);
  }

  @Test
  void keysOverAreThoseBeyondTheExpectedNumber() {
    assertThat(holding(Estimate.around(999, 5)).keysOver()).isZero();
    assertThat(holding(Estimate.around(1_000, 5)).keysOver()).isZero();
    assertThat(holding(Estimate.around(1_000.4, 5)).keysOver()).isZero();
    assertThat(holding(Estimate.around(1_001, 5)).keysOver()).isEqualTo(1);
    assertThat(holding(Estimate.around(3_000, 5)).keysOver()).isEqualTo(2_000);
  }

  @Test
  void keysOverAreManyWhenTheyCannotBeCounted() {
    double infinity = Double.POSITIVE_INFINITY;
    assertThat(holding(new Estimate(infinity, 10, infinity)).keysOver())
        .isEqualTo(Long.MAX_VALUE - 1_000);
  }

  private static FillState state(long setBits, long bits) {
    return new FillState(setBits, bits, Estimate.around(10, 1), 1_000, 0.01);
  }

  private static FillState holding(Estimate keys) {
    return new FillState(50, 100, keys, 1_000, 0.01);
  }
}
