package dev.tamis.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FppTextTest {

  @ParameterizedTest
  @CsvSource({
    "0.01, 0.01, 0.01",
    "1, 1, 1",
    "0, 0, 0",
    "-0.5, -0.5, -0.5",
    "0.0001, 0.0001, 0.0001",
    "0.00009999, 9.999e-5, 0.0001",
    "0.00009994, 9.994e-5, 9.99e-5",
    "4.200564181284243E-7, 4.200564181284243e-7, 4.2e-7",
    "1E-6, 1e-6, 1e-6",
    "2.3283064365386963E-10, 2.3283064365386963e-10, 2.33e-10",
    "4.9E-324, 4.9e-324, 4.94e-324",
    "9999999, 9999999, 1e7",
    "10000000, 1e7, 1e7",
    "-1.7976931348623157E308, -1.7976931348623157e308, -1.8e308",
    "NaN, NaN, NaN",
    "Infinity, Infinity, Infinity"
  })
  void writesWhatPeopleRead(double fpp, String exact, String rounded) {
    assertThat(FppText.exact(fpp)).isEqualTo(exact);
    assertThat(FppText.rounded(fpp)).isEqualTo(rounded);
  }

  @ParameterizedTest
  @CsvSource({"0.1", "1E-4", "3.3333333333333335E-5", "9.313225746154785E-10"})
  void theExactTextIsTheValue(double fpp) {
    assertThat(Double.parseDouble(FppText.exact(fpp))).isEqualTo(fpp);
  }
}
