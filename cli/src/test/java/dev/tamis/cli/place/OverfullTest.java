package dev.tamis.cli.place;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import dev.tamis.cli.Lines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No command loses data to a full filter without saying so, whatever the options. */
class OverfullTest {

  private static final int LINES = 300_000;
  private static final String WARNING =
      "warning: filter is over capacity: sized for 1000 keys, at least ";
  private static final String REFUSAL = "filter is overfull: its fpp is 1, requested 1e-6; ";

  @TempDir Path directory;
  private Path lines;
  private Path output;

  @BeforeEach
  void writeLines() throws IOException {
    lines = Files.write(directory.resolve("lines"), Lines.numbers(0, LINES));
    output = directory.resolve("output");
  }

  @Test
  void quietDedupWarnsWhenItHappensAndFails() {
    Result result = Cli.run("dedup -q -n 1000", lines).refused();
    List<String> messages = result.err().lines().toList();
    assertThat(messages).hasSize(2);
    assertThat(messages.get(0)).startsWith("tamis dedup: " + WARNING);
    int atKeys = Integer.parseInt(messages.get(0).replaceAll(".*at least (\\d+) inserted.*", "$1"));
    assertThat(atKeys).isBetween(1001, 20_000); // within the first lines that are read together
    assertThat(messages.get(1))
        .isEqualTo(
            "tamis dedup: %smost new lines were dropped as repeats; rerun with a larger -n or -m,"
                + " or with --allow-overfull",
            REFUSAL);
  }

  @Test
  void jsonSaysItAndCountsTheLinesLost() {
    Result result = Cli.run("dedup --json -n 1000", lines).refused();
    JsonObject summary =
        JsonParser.parseString(
                result.err().lines().filter(line -> line.startsWith("{")).findAny().orElseThrow())
            .getAsJsonObject();
    assertThat(summary.get("overfull").getAsBoolean()).isTrue();
    long lost = LINES - summary.get("unique").getAsLong();
    assertThat(lost).isGreaterThan(LINES / 2);
    assertThat(summary.get("expected_wrong_drops").getAsDouble())
        .isCloseTo((double) lost, within(0.01 * LINES));
  }

  @Test
  void noFileIsWrittenFromAnOverfullFilterUnlessAllowed() throws IOException {
    Files.writeString(output, "precious");
    Path state = Files.writeString(directory.resolve("untouched"), "");
    Files.delete(state);
    Cli.run("dedup -q -n 1000 -o", output, "-s", state, lines)
        .refused()
        .says("..., so no file was written; ...");
    assertThat(output).hasContent("precious");
    assertThat(state).doesNotExist();

    Result allowed = Cli.run("dedup -n 1000 --allow-overfull -o", output, "-s", state, lines).ok();
    assertThat(allowed.err()).contains(WARNING, " overfull=true ").doesNotContain(REFUSAL);
    assertThat(Files.readString(output)).startsWith("0\n1\n2\n");
    assertThat(state).exists();
  }

  @Test
  void buildAndMergeDoTheSame() throws IOException {
    Cli.run("build -q -n 1000 -o", output, lines)
        .refused()
        .says("tamis build: " + WARNING + "...tamis build: " + REFUSAL + "it was not written; ...");
    assertThat(output).doesNotExist();

    Cli.run("build -q -n 1000 --allow-overfull -o", output, lines).ok();
    Path union = directory.resolve("union");
    Cli.run("merge -q -o", union, output, output)
        .refused()
        .says("...tamis merge: " + REFUSAL + "it was not written; ...");
    assertThat(union).doesNotExist();
    Cli.run("merge -q --allow-overfull -o", union, output, output).ok();
    assertThat(union).exists();
  }

  @Test
  void aFilterOfAnotherProgramIsNoException() {
    Result built = Cli.run("build -q -t guava -n 1000 -o", output, lines).refused();
    assertThat(built.err()).contains(WARNING, "is overfull");
  }

  @Test
  void aQueueThatRefusesOrDropsUrlsFails() throws IOException {
    Path urls = urls(30);
    Path full = directory.resolve("full");
    Result refused =
        Cli.run("queue", full, "push", "-q", "-n", 10, "--on-full", "reject", urls).refused();
    assertThat(refused.err())
        .isEqualTo("tamis queue push: the queue is full: 20 new lines were not added\n");
    Cli.run("queue", full, "push", "-q", "--allow-overfull", urls).ok();

    Path many = urls(20_000);
    Path dropping = directory.resolve("dropping");
    Result dropped =
        Cli.run("queue", dropping, "push", "--json", "-n", 10, "--on-full", "warn", many).refused();
    assertThat(dropped.err())
        .contains(
            "more than the 10 of -n", "the queue is overfull: its fpp is 1,", "\"overfull\":true");
  }

  private Path urls(int count) throws IOException {
    return Files.writeString(
        directory.resolve("urls" + count),
        IntStream.range(0, count).mapToObj(i -> "http://h/" + i + "\n").collect(joining()));
  }
}
