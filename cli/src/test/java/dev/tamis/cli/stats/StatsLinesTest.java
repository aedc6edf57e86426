package dev.tamis.cli.stats;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import dev.tamis.cli.Lines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code tamis stats lines} beside exact counts. */
class StatsLinesTest {

  private static final int LINES = 60_000;

  @TempDir Path directory;

  @Test
  void fewLinesAreCountedExactly() {
    Cli.runOn("b\na\nb\n\nb\nc", "stats lines -k 2")
        .prints(
            """
            lines               6
            distinct            4 (3 to 5)
            confidence          0.95
            max overcount       0.0006
            max unlisted count  1

            count  at least   share  line
                3         3    50 %  b
                1         1  16.7 % \s
            """);
  }

  @Test
  void noLinesAreNothing() {
    Cli.runOn("", "stats lines")
        .prints(
            """
            lines               0
            distinct            0 (0 to 0)
            confidence          0.95
            max overcount       0
            max unlisted count  0
            """);
    assertThat(json("", "stats", "lines", "--json").getAsJsonArray("leaders")).isEmpty();
  }

  /** Few counters and few kept lines, so that counts are wrong and their bounds needed. */
  @ParameterizedTest
  @CsvSource({"1, 1e-4", "10, 1e-4", "10, 0.01", "300, 0.5", "2000, 1e-3"})
  void countsHoldBetweenTheirEndsAndNothingIsMissing(int top, String error) {
    List<String> lines = zipf(7);
    Map<String, Long> truth = lines.stream().collect(groupingBy(Function.identity(), counting()));
    JsonObject stats = json(text(lines), "stats", "lines", "--json", "-k", top, "--error", error);
    assertThat(stats.get("lines").getAsLong()).isEqualTo(LINES);
    assertThat(stats.get("max_overcount").getAsDouble())
        .isBetween(0.9 * LINES * Double.parseDouble(error), LINES * Double.parseDouble(error));
    JsonObject distinct = stats.getAsJsonObject("distinct");
    assertThat((double) truth.size())
        .isBetween(
            0.97 * distinct.get("low").getAsDouble(), 1.03 * distinct.get("high").getAsDouble());
    JsonArray leaders = stats.getAsJsonArray("leaders");
    assertThat(leaders).hasSize(top);
    long before = Long.MAX_VALUE;
    for (JsonElement element : leaders) {
      JsonObject leader = element.getAsJsonObject();
      long count = leader.get("count").getAsLong();
      long exact = requireNonNull(truth.remove(leader.get("line").getAsString()));
      assertThat(exact).isBetween(leader.get("at_least").getAsLong(), count);
      assertThat(leader.get("share").getAsDouble()).isEqualTo((double) count / LINES);
      assertThat(count).isLessThanOrEqualTo(before);
      before = count;
    }
    assertThat(Collections.max(truth.values()))
        .isLessThanOrEqualTo(stats.get("max_unlisted_count").getAsLong());
  }

  @Test
  void theListIsTheSameForTheSameInputAndKeyAndTiesGoByTheBytes() {
    assertThat(rows(Cli.runOn("d\nb\nc\na\nb\nd\n", "stats lines")))
        .containsExactly("b", "d", "a", "c");
    assertThat(rows(Cli.runOn("a\nb\nb\nc\nd\nd\n", "stats lines")))
        .containsExactly("b", "d", "a", "c");
    byte[] lines = text(zipf(3)).getBytes(StandardCharsets.UTF_8);
    Path key = directory.resolve("key");
    Cli.run("key new", key).ok();
    Cli.runOn(lines, "stats lines --key-file", key)
        .prints(Cli.runOn(lines, "stats lines --key-file", key).out());
  }

  @ParameterizedTest
  @ValueSource(ints = {4095, 4096, 4097, 5_000_000})
  void ofALongLineTheBeginningIsShown(int length) {
    String line = "x".repeat(length);
    String shown = "x".repeat(Math.min(length, 4096));
    boolean cut = length > 4096;
    assertThat(Cli.runOn(line + "\n" + line + "\na\n", "stats lines").out())
        .contains("  " + shown + (cut ? "...\n" : "\n"));
    JsonObject leader =
        json(line, "stats", "lines", "--json").getAsJsonArray("leaders").get(0).getAsJsonObject();
    assertThat(leader.get("line").getAsString()).isEqualTo(shown);
    assertThat(leader.has("cut")).isEqualTo(cut);
  }

  @Test
  void longLinesThatBeginAlikeAreTwo() {
    String start = "x".repeat(10_000);
    JsonObject stats = json(start + "a\n" + start + "b\n", "stats", "lines", "--json");
    assertThat(stats.getAsJsonArray("leaders")).hasSize(2);
    assertThat(stats.getAsJsonObject("distinct").get("value").getAsDouble()).isBetween(1.9, 2.1);
  }

  @Test
  void anyBytesComeOutAsTheyWent() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int value = 0; value < 256; value++) {
      if (value != '\n') {
        all.write(value);
      }
    }
    byte[] line = all.toByteArray();
    Result result = Cli.runOn(line, "stats lines");
    String out = new String(result.bytes(), StandardCharsets.ISO_8859_1);
    assertThat(out).endsWith("  " + new String(line, StandardCharsets.ISO_8859_1) + "\n");
    JsonObject leader =
        Cli.runOn(line, "stats lines --json")
            .json()
            .getAsJsonArray("leaders")
            .get(0)
            .getAsJsonObject();
    assertThat(Base64.getDecoder().decode(leader.get("line_base64").getAsString())).isEqualTo(line);
  }

  @Test
  void nulCanEndALine() {
    String out = Cli.runOn("a\nb\0a\nb\0c", "stats lines -z").out();
    assertThat(out)
        .contains("lines               3\n")
        .endsWith("  a\nb\0    1         1  33.3 %  c\0");
  }

  @Test
  void whatIsSavedCanBeCounted() throws IOException {
    Path first = Files.write(directory.resolve("1"), Lines.numbers(0, 6_000));
    Path second = Files.write(directory.resolve("2"), Lines.numbers(4_000, 10_000));
    Path one = directory.resolve("1.distinct");
    Path other = directory.resolve("2.distinct");
    Path counts = directory.resolve("counts");
    Cli.run("stats lines --save-distinct", one, "--save-counts", counts, first, first);
    Cli.run("stats lines --save-distinct", other, second);
    Cli.run("count", counts).prints("puts  12000\n");
    JsonObject shared = Cli.run("count --json", one, other).json();
    assertThat(shared.getAsJsonObject("union").get("value").getAsDouble())
        .isBetween(9_700.0, 10_300.0);
    assertThat(shared.getAsJsonObject("jaccard").get("value").getAsDouble()).isBetween(0.17, 0.23);
    assertThat(Cli.run("info", counts).out()).contains("update         conservative\n");
  }

  @Test
  void aSecretKeyGoesIntoWhatIsSaved() throws IOException {
    Path key = Files.writeString(directory.resolve("key"), "00112233445566778899aabbccddeeff");
    Path saved = directory.resolve("distinct");
    Cli.runOn("a\nb\n", "stats lines --key-file", key, "--save-distinct", saved).ok();
    assertThat(Cli.run("count --key-file", key, saved).out()).startsWith("keys        2 (");
    assertThat(Cli.run("count", saved).err()).contains("secret key: must have id", "--key-file");
  }

  @ParameterizedTest
  @CsvSource({
    "--top, 0",
    "--top, 1000001",
    "--top, many",
    "--error, 0",
    "--error, 1",
    "--confidence, 1",
    "--error, 1e-12",
    "--top, 99999999999999999999",
  })
  void whatCannotBeIsRefused(String option, String value) {
    Result result = Cli.runOn("a\n", "stats lines", option, value).refused();
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).startsWith("tamis stats lines: ").contains(option).hasLineCount(1);
  }

  @Test
  void theTwoFilesMustNotBeOne() {
    Path file = directory.resolve("x");
    Cli.runOn("a\n", "stats lines --save-distinct", file, "--save-counts", file)
        .refused(
            "..."
                + file
                + ": is named by both --save-distinct and --save-counts; name two files...");
    assertThat(file).doesNotExist();
  }

  /** Returns lines: the r-th of twenty thousand distinct ones comes 1/r as often as the first. */
  private static List<String> zipf(long seed) {
    double[] upTo = new double[20_000];
    double sum = 0;
    for (int i = 0; i < upTo.length; i++) {
      sum += 1.0 / (i + 1);
      upTo[i] = sum;
    }
    SplittableRandom random = new SplittableRandom(seed);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < LINES; i++) {
      int rank = Math.abs(Arrays.binarySearch(upTo, random.nextDouble() * sum) + 1);
      lines.add("line " + rank);
    }
    return lines;
  }

  private static String text(List<String> lines) {
    return String.join("\n", lines) + "\n";
  }

  private static List<String> rows(Result result) {
    return result
        .out()
        .lines()
        .skip(7)
        .map(row -> row.substring(row.lastIndexOf(' ') + 1))
        .toList();
  }

  private static JsonObject json(String input, Object... args) {
    return Cli.runOn(input, args).json();
  }
}
