package dev.tamis.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Estimate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumberFormatsTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "0.5, 0.5",
    "0.012345, 0.0123",
    "0.0001, 0.0001",
    "0.00009999, 0.0001",
    "0.000001, 1e-6",
    "0.00000098765, 9.88e-7",
    "1.63e-11, 1.63e-11",
    "12.345, 12.3",
    "999.4, 999",
    "12345.6, 12346",
    "1, 1",
    "100, 100",
    "Infinity, Infinity"
  })
  void writesNumbersToThreeDigits(double value, String text) {
    assertThat(NumberFormats.number(value)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"0, 0B", "999, 999B", "1000, 1.0kB", "3910000, 3.9MB", "2396264595, 2.4GB"})
  void writesBytesInDecimalUnits(long bytes, String text) {
    assertThat(NumberFormats.bytes(bytes)).isEqualTo(text);
  }

  @Test
  void writesAnEstimateWithItsInterval() {
    assertThat(NumberFormats.estimate(Estimate.around(1000.4, 3.2)))
        .isEqualTo("1000 (997 to 1004)");
    assertThat(
            NumberFormats.estimate(
                new Estimate(Double.POSITIVE_INFINITY, 12, Double.POSITIVE_INFINITY)))
        .isEqualTo("not estimable (at least 12)");
  }

  @Test
  void tablesKeepTheirColumns() {
    assertThat(
            new Table(Table.Align.LEFT, Table.Align.RIGHT, Table.Align.LEFT)
                .row("a", "1", "x")
                .row("long", "23", "")
                .toString())
        .isEqualTo("a      1  x\nlong  23\n");
  }
}
