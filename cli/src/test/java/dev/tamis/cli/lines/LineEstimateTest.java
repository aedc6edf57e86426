package dev.tamis.cli.lines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineEstimateTest {

  @TempDir Path directory;

  @Test
  void aSmallFileIsCounted() throws IOException {
    assertThat(estimate("")).isEqualTo(1);
    assertThat(estimate("a")).isEqualTo(1);
    assertThat(estimate("a\nb\nc")).isEqualTo(3);
    assertThat(estimate("a\n".repeat(200_000))).isEqualTo(200_001);
  }

  @Test
  void aLargeFileIsSampledAllOver() throws IOException {
    StringBuilder text = new StringBuilder();
    SplittableRandom random = new SplittableRandom(1);
    int lines = 400_000;
    for (int i = 0; i < lines; i++) { // lines get longer, so that the beginning alone misleads
      text.append("x".repeat(random.nextInt(2 + i / 10_000))).append('\n');
    }
    assertThat(text.length()).isGreaterThan(3 << 20);
    assertThat(estimate(text.toString())).isBetween(lines * 9L / 10, lines * 12L / 10);
  }

  @Test
  void aFileWithoutADelimiterHasOneLine() throws IOException {
    assertThat(estimate("x".repeat(5 << 20))).isEqualTo(1);
  }

  private long estimate(String text) throws IOException {
    return LineEstimate.of(Files.writeString(directory.resolve("lines"), text), (byte) '\n')
        .lines();
  }
}
