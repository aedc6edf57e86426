package dev.tamis.cli.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import dev.tamis.cli.Lines;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DedupTest {

  private static final byte NEWLINE = '\n';

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void keepsAllBytesOfAllLines(long seed) throws IOException {
    byte[] all = Lines.hard(seed, 3000, NEWLINE);
    Path file = Files.write(directory.resolve("in"), all);
    byte[] expected = Lines.firsts(all, NEWLINE);
    assertThat(Cli.run("dedup", file).bytes()).isEqualTo(expected);
    assertThat(Cli.runOn(all, "dedup -n 10k").bytes()).isEqualTo(expected);
  }

  @Test
  void nulCanEndALine() {
    byte[] all = Lines.hard(5, 500, (byte) 0);
    assertThat(Cli.runOn(all, "dedup -z").bytes()).isEqualTo(Lines.firsts(all, (byte) 0));
    Cli.runOn("a\0a", "dedup -z").prints("a\0");
  }

  @Test
  void duplicatesAreEveryOccurrenceAfterTheFirst() {
    Cli.runOn("a\nb\na\na\nb\nc", "dedup -d").prints("a\na\nb\n").sums("unique=3 duplicates=3");
  }

  @Test
  void aDashIsStandardInput() throws IOException {
    Path file = Files.writeString(directory.resolve("in"), "a\nb");
    Cli.runOn("b\nc\n", "dedup", file, "-").prints("a\nb\nc\n");
    Cli.runOn("b\nc\n", "dedup -", file, "-").prints("b\nc\na\n");
    Cli.run("dedup -x", file, file).prints("a\nb\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dedup -o", "dedup -x -o"})
  void theOutputMayBeAnInput(String command) throws IOException {
    Path file = Files.writeString(directory.resolve("in"), "a\na\nb\n");
    Cli.run(command, file, file).ok().prints("");
    assertThat(file).hasContent("a\nb\n");
    assertThat(directory).isDirectoryNotContaining("glob:**.tmp");
  }

  @Test
  void theSummaryIsOneLineThatAddsUp() {
    Result result = Cli.runOn(Lines.numbers(0, 100), "dedup -n 1000 -p 0.01");
    assertThat(result.err())
        .matches(
            "lines=100 unique=100 duplicates=0 fpp=[0-9.e-]+ expected-wrong-drops=[0-9.e-]+"
                + " memory=[0-9.]+k?B seconds=[0-9.]+\n");
  }

  @Test
  void theSummaryAsJsonHasExactNumbers() {
    Result result = Cli.runOn(Lines.numbers(0, 100), "dedup --json");
    JsonObject summary = JsonParser.parseString(result.err()).getAsJsonObject();
    assertThat(summary.keySet())
        .containsExactly(
            "lines",
            "unique",
            "duplicates",
            "fpp",
            "expected_wrong_drops",
            "memory_bytes",
            "planned_filter_bytes",
            "planned_temporary_bytes",
            "seconds");
    assertThat(summary.get("lines").getAsLong()).isEqualTo(100);
    assertThat(summary.get("fpp").getAsDouble()).isBetween(0.0, 1e-6);
    assertThat(summary.get("memory_bytes").getAsLong()).isGreaterThan(1_000_000);
  }

  @Test
  void aCoarseFilterDropsLinesAndSaysHowMany() {
    Result result = Cli.runOn(Lines.numbers(0, 100_000), "dedup -n 100k -p 0.01");
    Map<String, String> summary = result.summary();
    double drops = Double.parseDouble(summary.get("duplicates"));
    double expected = Double.parseDouble(summary.get("expected-wrong-drops"));
    assertThat(drops).isPositive();
    assertThat(drops)
        .isBetween(expected - 5 * Math.sqrt(expected), expected + 5 * Math.sqrt(expected));
    assertThat(Double.parseDouble(summary.get("fpp"))).isBetween(0.008, 0.0105);
  }

  @Test
  void moreThanWasExpectedIsWarnedOf() {
    Cli.runOn(Lines.numbers(0, 1400), "dedup -n 1000 -p 0.01")
        .ok()
        .says(
            "tamis dedup: warning: filter is over capacity: sized for 1000 keys, at least ...rerun"
                + " with a larger -n or -m\n"
                + "lines=1400 ...");
    Cli.runOn(Lines.numbers(0, 1000), "dedup -n 1000 -q").says("");
  }

  @Test
  void memoryCanBeFixedInsteadOfTheFpp() throws IOException {
    Path file = Files.write(directory.resolve("in"), Lines.numbers(0, 100_000));
    for (String sizing : new String[] {"-n 100k", "", "-p 0.1"}) {
      String command = "dedup --json -m 64KiB " + sizing;
      JsonObject summary = Cli.run(command.strip(), file).jsonSummary();
      assertThat(summary.get("memory_bytes").getAsLong()).isEqualTo(64 << 10);
      assertThat(summary.get("fpp").getAsDouble()).isBetween(0.05, 0.15);
    }
  }

  @Test
  void lessThanACacheLineIsRefused() {
    Cli.runOn("a\n", "dedup -m 63").refused("tamis dedup: -m: must be at least 64 bytes, got 63");
    Cli.runOn("a\n", "dedup -m 64 -p 0.1").ok();
  }

  @Test
  void memoryOfAPipeIsSpentAtTheUsualFpp() {
    Cli.runOn(Lines.numbers(0, 100), "dedup -m 1MB").ok().sums("memory=1.0MB");
  }

  @Test
  @Timeout(600)
  void whatIsThereIsPrintedBeforeMoreIsWaitedFor() throws IOException {
    CountDownLatch printed = new CountDownLatch(1);
    ByteArrayOutputStream out =
        new ByteArrayOutputStream() {
          @Override
          public void flush() {
            if (toString(StandardCharsets.UTF_8).equals("a\nb\n")) {
              printed.countDown();
            }
          }
        };
    InputStream in =
        new SequenceInputStream(
            new ByteArrayInputStream("a\nb\na\n".getBytes(StandardCharsets.UTF_8)),
            new FilterInputStream(InputStream.nullInputStream()) {
              @Override
              public int read(byte[] bytes, int offset, int length) throws IOException {
                try {
                  printed.await(); // as a pipe whose writer waits for the answer
                } catch (InterruptedException e) {
                  throw new IOException(e);
                }
                return -1;
              }
            });
    Cli.runInto(out, in, "dedup -q").ok();
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("a\nb\n");
  }

  @Test
  @Timeout(600)
  void anOutputThatFailsEndsAnInputWithoutEnd() {
    InputStream endless =
        new InputStream() {
          private final SplittableRandom random = new SplittableRandom(8);

          @Override
          public int read() {
            return random.nextInt(256);
          }

          @Override
          public int read(byte[] bytes, int offset, int length) {
            for (int i = 0; i < length; i++) {
              bytes[offset + i] = (byte) read();
            }
            return length;
          }
        };
    OutputStream full =
        new OutputStream() {
          private int room = 3;

          @Override
          public void write(int value) throws IOException {
            if (room-- == 0) {
              throw new IOException("No space left on device");
            }
          }
        };
    Cli.runInto(full, endless, "dedup")
        .refused("tamis dedup: standard output: No space left on device...");
  }
}
