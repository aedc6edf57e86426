package dev.tamis.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class MarkdownTest {

  @Test
  void keysAreWrittenAsPowersOfTen() {
    assertThat(Markdown.keys(1)).isEqualTo("1e0");
    assertThat(Markdown.keys(100_000)).isEqualTo("1e5");
    assertThat(Markdown.keys(20_000_000)).isEqualTo("2e7");
    assertThat(Markdown.keys(1_500)).isEqualTo("1.5e3");
  }

  @Test
  void sizesHaveTheUnitThatFits() {
    assertThat(Markdown.size(999)).isEqualTo("999 B");
    assertThat(Markdown.size(1_000)).isEqualTo("1.00 KB");
    assertThat(Markdown.size(25_000_064)).isEqualTo("25.0 MB");
    assertThat(Markdown.size(1_073_741_824)).isEqualTo("1.07 GB");
  }

  @Test
  void whatIsMissingIsAnEmptyCell() {
    assertThat(Markdown.percent(OptionalDouble.empty())).isEmpty();
    assertThat(Markdown.decimals(OptionalDouble.empty(), 2)).isEmpty();
    assertThat(Markdown.percent(OptionalDouble.of(0.01004))).isEqualTo("1.00 %");
    assertThat(Markdown.significant(99.94)).isEqualTo("99.9");
    assertThat(Markdown.significant(100)).isEqualTo("100");
  }
}
