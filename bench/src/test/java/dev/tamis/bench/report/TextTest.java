package dev.tamis.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TextTest {

  @Test
  void keysAreWrittenAsPowersOfTen() {
    assertThat(Text.keys(1)).isEqualTo("1e0");
    assertThat(Text.keys(100_000)).isEqualTo("1e5");
    assertThat(Text.keys(20_000_000)).isEqualTo("2e7");
    assertThat(Text.keys(1_500)).isEqualTo("1.5e3");
  }

  @Test
  void sizesHaveTheUnitThatFits() {
    assertThat(Text.bytes(999)).isEqualTo("999 B");
    assertThat(Text.bytes(1_000)).isEqualTo("1.00 KB");
    assertThat(Text.bytes(25_000_064)).isEqualTo("25.0 MB");
    assertThat(Text.bytes(1_073_741_824)).isEqualTo("1.07 GB");
  }

  @Test
  void whatIsUnknownIsAnEmptyCell() {
    assertThat(Text.number("%.2f", Double.NaN)).isEmpty();
    assertThat(Text.nanos(Double.NaN)).isEmpty();
    assertThat(Text.number("%.2f %%", 100 * 0.01004)).isEqualTo("1.00 %");
    assertThat(Text.nanos(99.94)).isEqualTo("99.9");
    assertThat(Text.nanos(100)).isEqualTo("100");
  }

  @Test
  void sizesAreNamedByTheirParameter() {
    assertThat(Text.size("keys", 20_000_000)).isEqualTo("2e7 keys");
    assertThat(Text.size("mebibytes", 128)).isEqualTo("128 MiB");
    assertThat(Text.size("bytes", 25_000_064)).isEqualTo("25.0 MB");
  }

  @Test
  void aRowOfAnotherLengthIsRefused() {
    assertThatThrownBy(() -> Text.rows("plan.txt", 6))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("plan.txt: line: 6 fields, got [long, LongKeys");
  }
}
