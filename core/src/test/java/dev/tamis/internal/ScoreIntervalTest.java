package dev.tamis.internal;

import static dev.tamis.Refusal.refusesSaying;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScoreIntervalTest {

  /** For draws from an urn there is a formula: Wilson's. */
  @ParameterizedTest
  @CsvSource({"0, 10", "1, 10", "5, 10", "10, 10", "0, 1000", "3, 1000", "999, 1000"})
  void ofDrawsFromAnUrnItIsWilsons(double hits, double draws) {
    double z = Confidence.DEFAULT.quantile();
    double share = hits / draws;
    Estimate interval = ScoreInterval.of(share, 0, z, p -> Math.sqrt(p * (1 - p) / draws));
    double centre = (share + z * z / (2 * draws)) / (1 + z * z / draws);
    double half =
        z
            * Math.sqrt(share * (1 - share) / draws + z * z / (4 * draws * draws))
            / (1 + z * z / draws);
    assertThat(interval.value()).isEqualTo(share);
    assertThat(interval.low()).isCloseTo(centre - half, within(1e-9));
    assertThat(interval.high()).isCloseTo(centre + half, within(1e-9));
  }

  @Test
  void theGrainMakesItWiderButNotBeyondItsEnds() {
    DoubleUnaryOperator constant = share -> 0.1;
    Estimate middle = ScoreInterval.of(0.5, 0.02, 2, constant);
    assertThat(middle.low()).isCloseTo(0.28, within(1e-9));
    assertThat(middle.high()).isCloseTo(0.72, within(1e-9));
    assertThat(ScoreInterval.of(0.1, 0.02, 2, constant).low()).isZero();
    assertThat(ScoreInterval.of(0.9, 0.02, 2, constant).high()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
  void whatIsNoShareIsRefused(double value) {
    refusesSaying(
        "value must be 0 to 1, got " + value, () -> ScoreInterval.of(value, 0, 2, share -> 0.1));
  }
}
