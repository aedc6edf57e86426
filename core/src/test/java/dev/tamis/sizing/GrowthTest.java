package dev.tamis.sizing;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The series of stages that a scalable filter is made of. */
class GrowthTest {

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 0.01, 1e-6})
  void theStagesAndThoseAheadMakeUpTheWholeFpp(double fpp) {
    Sizing stage = Growth.first(10, fpp, null);
    double sum = stage.fpp();
    for (int i = 0; i < 12; i++) {
      assertThat(sum + Growth.fppAhead(stage.fpp())).isCloseTo(fpp, within(1e-9 * fpp));
      Sizing next = Growth.next(stage);
      assertThat(next.expectedKeys()).isEqualTo(2 * stage.expectedKeys());
      assertThat(next.shape().layout()).isEqualTo(stage.shape().layout());
      sum += next.fpp();
      stage = next;
    }
  }

  @Test
  void bitsAreThoseOfTheStagesThatTheKeysNeed() {
    long first = Growth.first(1_000, 0.01, null).shape().bits();
    long second = Growth.next(Growth.first(1_000, 0.01, null)).shape().bits();
    assertThat(Growth.bits(1_000, 1, 0.01)).isEqualTo(first);
    assertThat(Growth.bits(1_000, 1_000, 0.01)).isEqualTo(first);
    assertThat(Growth.bits(1_000, 1_001, 0.01)).isEqualTo(first + second);
    assertThat(Growth.bits(1_000, 3_000, 0.01)).isEqualTo(first + second);
    assertThat(Growth.bits(1_000, 3_001, 0.01)).isGreaterThan(first + second);
    assertThat(Growth.bits(1_000, 1_023_000, 0.01) / 1_023_000.0).isBetween(17.3, 17.5);
  }

  @Test
  void growthThatCannotBeIsRefused() {
    refuses(() -> Growth.bits(1_000, Long.MAX_VALUE, 0.01));
    refuses(() -> Growth.bits(1_000, 0, 0.01), "at least 1, got 0");
    refuses(() -> Growth.first(1, Double.NaN, null), "got NaN");
  }
}
