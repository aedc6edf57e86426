package dev.tamis;

import static dev.tamis.Refusal.refusesSaying;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfidenceTest {

  /** From tables of the normal distribution. */
  @ParameterizedTest
  @CsvSource({
    "0.5, 0.6744897501960817",
    "0.6826894921370859, 1",
    "0.95, 1.959963984540054",
    "0.99, 2.5758293035489004",
    "0.9973002039367398, 3",
    "0.999999, 4.891638475698",
    "1e-6, 1.2533141373e-6",
  })
  void theQuantileIsThatOfTheNormalDistribution(double probability, double quantile) {
    assertThat(new Confidence(probability).quantile()).isCloseTo(quantile, within(1e-9 * quantile));
  }

  @Test
  void theExtremesHaveAQuantile() {
    assertThat(new Confidence(Math.nextDown(1.0)).quantile()).isBetween(8.0, 9.0);
    assertThat(new Confidence(Double.MIN_VALUE).quantile()).isBetween(0.0, 1e-15);
  }

  @Test
  void nineteenTimesInTwentyIsMeantWhereNothingIsSaid() {
    assertThat(Confidence.DEFAULT).isEqualTo(new Confidence(0.95));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1, -0.1, 1.1, Double.NaN, Double.POSITIVE_INFINITY})
  void whatIsNoProbabilityIsRefused(double probability) {
    refusesSaying(
        "confidence must be between 0 and 1, exclusive, got " + probability,
        () -> new Confidence(probability));
  }
}
