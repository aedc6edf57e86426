package dev.tamis.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NumberParserTest {

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "1000000, 1000000",
    "1_000_000, 1000000",
    "'1,000,000', 1000000",
    "'12,500k', 12500000",
    "1B, 1000000000",
    "10 million, 10000000",
    "2.5 Billion, 2500000000",
    "3thousand, 3000",
    "1e9, 1000000000",
    "1E+3, 1000",
    "2.5e3, 2500",
    "10k, 10000",
    "10K, 10000",
    "10M, 10000000",
    "1.5G, 1500000000",
    "9223372036854775807, 9223372036854775807"
  })
  void readsCounts(String text, long count) {
    assertThat(NumberParser.count(text)).isEqualTo(count);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "512B, 512",
    "64K, 65536",
    "64KiB, 65536",
    "64kib, 65536",
    "64KB, 64000",
    "64kB, 64000",
    "1.5MiB, 1572864",
    "2G, 2147483648",
    "2GiB, 2147483648",
    "2GB, 2000000000",
    "1e6, 1000000",
    "100 MB, 100000000",
    "'1,024', 1024",
    "2199023255552, 2199023255552"
  })
  void readsSizes(String text, long bytes) {
    assertThat(NumberParser.size(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({
    "0.5, 0.5",
    "1e-6, 1e-6",
    "0.01, 0.01",
    "1E-300, 1e-300",
    "0.999, 0.999",
    ".25, 0.25",
    "0.1 %, 0.001",
    "5%, 0.05",
    "1 in 1000, 0.001",
    "1 in 1M, 1e-6"
  })
  void readsProbabilities(String text, double probability) {
    assertThat(NumberParser.probability(text)).isEqualTo(probability);
  }

  @Test
  void refusesWhatIsNoCount() {
    String texts =
        "| |0|-1|+1|abc|1x|1.5|1e-3|1__0|_1|1_|0x10|1KiB|NaN|1e999|9223372036854775808|1,00|1,0000|,100|1000,000|1,000_000|1"
            + " 000|k|1e|٣";
    for (String text : texts.split("\\|", -1)) {
      assertThatThrownBy(() -> NumberParser.count(text))
          .hasMessage(
              "expected a whole number of at least 1, such as 1,000,000, 10M or 1e9, got '%s'",
              text);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "0", "-1K", "1.1", "1Q", "1Ki", "KiB", "2199023255553", "3TiB", "1e30G"})
  void refusesWhatIsNoSize(String text) {
    assertThatThrownBy(() -> NumberParser.size(text))
        .hasMessage(
            "expected a size from 1 to 2199023255552 bytes, such as 64KiB or 1.5G, got '"
                + text
                + "'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "0", "1", "1.0", "-0.1", "2", "NaN", "1e-999", "0.1f", "0x1p-3", "100%", "%", ".", "5.",
        "0,001", "0_0.1"
      })
  void refusesWhatIsNoProbability(String text) {
    assertThatThrownBy(() -> NumberParser.probability(text))
        .hasMessage(
            "expected a probability between 0 and 1, such as 0.01, 1e-6, 1 % or 1 in 1000, got '"
                + text
                + "'");
  }

  @Test
  void hashesHaveTheLimitsOfALayout() {
    assertThat(NumberParser.hashes("1")).isEqualTo(1);
    assertThat(NumberParser.hashes("32")).isEqualTo(32);
    assertThatThrownBy(() -> NumberParser.hashes("0"))
        .hasMessage("expected a whole number from 1 to 32, got '0'");
    assertThatThrownBy(() -> NumberParser.hashes("33"))
        .hasMessage("expected a whole number from 1 to 32, got '33'");
  }
}
