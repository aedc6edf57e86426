package dev.tamis.cli.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import dev.tamis.cli.Faults;
import dev.tamis.cli.Lines;
import dev.tamis.file.WriteLock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("try") // a lock is held, not used
class DedupStateTest {

  @TempDir Path directory;
  private Path state;

  @BeforeEach
  void nameTheState() {
    state = directory.resolve("seen.tamis");
  }

  @Test
  void severalRunsAreLikeOne() {
    String out =
        Cli.runOn("a\nb\na\n", "dedup -s", state).out()
            + Cli.runOn("b\nc\n", "dedup -s", state).out()
            + Cli.runOn("c\nd\na", "dedup -s", state).out();
    assertThat(out).isEqualTo("a\nb\nc\nd\n");
  }

  @Test
  void severalRunsOfFixedSizeLeaveTheSameFileAsOne() throws IOException {
    Path other = directory.resolve("other.tamis");
    byte[] all = Lines.numbers(0, 3000);
    Cli.runOn(all, "dedup -n 5000 -p 0.01 -s", other);
    Cli.runOn(Lines.numbers(0, 1000), "dedup -n 5000 -p 0.01 -s", state);
    Cli.runOn(Lines.numbers(1000, 3000), "dedup -s", state);
    assertThat(Files.readAllBytes(state)).isEqualTo(Files.readAllBytes(other));
  }

  @Test
  void theSummaryIsThatOfTheRun() {
    Cli.runOn("a\nb\n", "dedup -s", state);
    Cli.runOn("b\nc\n", "dedup -s", state).sums("lines=2 unique=1 duplicates=1");
  }

  @Test
  void aStateGrowsFarPastItsFirstRun() {
    Cli.runOn("a\n", "dedup -s", state);
    Cli.runOn(Lines.numbers(0, 1_200_000), "dedup -q -s", state);
    Cli.runOn(Lines.numbers(0, 1_200_000), "dedup -s", state).sums("unique=0");
  }

  @Test
  void optionsThatAgreeWithTheFileAreFine() {
    Cli.runOn("a\n", "dedup -s", state, "-n", "1000", "-p", "0.01");
    Cli.runOn("a\n", "dedup -s", state, "-n", "1000", "-p", "0.01").ok();
    Path fixed = directory.resolve("fixed.tamis");
    Cli.runOn("a\n", "dedup -s", fixed, "-n", "1000", "-m", "10000");
    Cli.runOn("a\n", "dedup -s", fixed, "-n", "1000", "-m", "10000").ok();
  }

  @Test
  void optionsThatContradictTheFileAreRefusedByName() throws IOException {
    Cli.runOn("a\n", "dedup -s", state, "-n", "1000", "-p", "0.01");
    byte[] before = Files.readAllBytes(state);
    assertRefused(
        Cli.runOn("b\n", "dedup -s", state, "-n", "2000"),
        "expected keys differs: the file has 1000, -n requests 2000; leave -n out to continue with"
            + " the file");
    assertRefused(
        Cli.runOn("b\n", "dedup -s", state, "-p", "0.1"),
        "fpp differs: the file has 0.01, -p requests 0.1; leave -p out to continue with the file");
    assertRefused(
        Cli.runOn("b\n", "dedup -s", state, "-m", "1MiB"),
        "memory in bytes differs: the file has 1280, -m requests 1048576; leave -m out to continue"
            + " with the file");
    assertThat(Files.readAllBytes(state)).isEqualTo(before);
  }

  @Test
  void aStateThatGrowsTakesNoSize() {
    Cli.runOn("a\n", "dedup -s", state);
    assertRefused(
        Cli.runOn("b\n", "dedup -s", state, "-n", "10"),
        "type differs: the file has a filter that grows, -n and -m request one of fixed size; leave"
            + " them out to continue with the file");
    assertRefused(
        Cli.runOn("b\n", "dedup -s", state, "-p", "0.1"),
        "fpp differs: the file has 1e-6, -p requests 0.1; leave -p out to continue with the file");
  }

  @Test
  void aDamagedStateIsRefusedWithTheOffsetAndUntouched() throws IOException {
    Cli.runOn("a\n", "dedup -s", state);
    byte[] damaged = Files.readAllBytes(state);
    damaged[1000] ^= 4;
    Files.write(state, damaged);
    Result result = Cli.runOn("b\n", "dedup -s", state).refused();
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .matches(
            "tamis dedup: \\Q"
                + state
                + "\\E: not a valid filter: checksum at byte [0-9]+: expected [0-9a-f]+, got"
                + " [0-9a-f]+; the file is damaged, or of another kind\n");
    assertThat(Files.readAllBytes(state)).isEqualTo(damaged);
  }

  @Test
  void aFileThatIsNoStateIsNeverOverwritten() throws IOException {
    Files.writeString(state, "my only list of lines\n".repeat(10));
    Cli.runOn("b\n", "dedup -s", state).refused("...not a valid filter: magic at byte 0...");
    assertThat(state).hasContent("my only list of lines\n".repeat(10));
  }

  @Test
  void aFullDiskKeepsTheOldState() throws IOException {
    Cli.runOn("a\n", "dedup -s", state);
    byte[] before = Files.readAllBytes(state);
    Cli.runInto(Faults.output("No space left on device"), stream("b\n"), "dedup -s", state)
        .refused(
            "tamis dedup: standard output: No space left on device; free some space, or write"
                + " elsewhere\n");
    assertThat(Files.readAllBytes(state)).isEqualTo(before);
  }

  @Test
  void aClosedPipeKeepsTheOldStateWithoutAWord() throws IOException {
    Cli.runOn("a\n", "dedup -s", state);
    byte[] before = Files.readAllBytes(state);
    Cli.runInto(Faults.output("Broken pipe"), stream("b\n"), "dedup -s", state).exits(141).says("");
    assertThat(Files.readAllBytes(state)).isEqualTo(before);
  }

  @Test
  void anInputThatFailsKeepsTheOldStateAndTheOldOutput() throws IOException {
    Cli.runOn("a\n", "dedup -s", state);
    byte[] before = Files.readAllBytes(state);
    Path output = Files.writeString(directory.resolve("out"), "old");
    InputStream failing = Faults.input(new IOException("Input/output error"));
    Cli.runInto(OutputStream.nullOutputStream(), failing, "dedup -s", state, "-o", output)
        .refused("tamis dedup: standard input: Input/output error\n");
    assertThat(Files.readAllBytes(state)).isEqualTo(before);
    assertThat(output).hasContent("old");
    assertThat(directory).isDirectoryNotContaining("glob:**.tmp");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aFullDiskUnderTheOutputFileKeepsTheOldState() throws IOException {
    Cli.runOn("a\n", "dedup -s", state);
    byte[] before = Files.readAllBytes(state);
    Cli.runOn("b\n", "dedup -s", state, "-o", "/dev/full")
        .refused(
            "tamis dedup: /dev/full: No space left on device; free some space, or write"
                + " elsewhere\n");
    assertThat(Files.readAllBytes(state)).isEqualTo(before);
  }

  @Test
  void aStateThatCannotBeSavedIsAnErrorBeforeAnythingIsWritten() {
    Path nowhere = directory.resolve("no").resolve("seen.tamis");
    Cli.runOn("b\n", "dedup -s", nowhere)
        .refused("tamis dedup: " + nowhere + ": its directory does not exist\n");
  }

  @Test
  void theStateMayBeNoOtherFileOfTheCommand() throws IOException {
    Path input = Files.writeString(directory.resolve("in"), "a\n");
    Path link = Files.createSymbolicLink(directory.resolve("link"), input);
    Cli.run("dedup -s", input, input)
        .refused("tamis dedup: " + input + ": is both the state and an input; give two files\n");
    Cli.run("dedup -s", link, input).refused("...is both the state and an input...");
    Cli.run("dedup -s", state, "-o", state, input)
        .refused("tamis dedup: " + state + ": is both the state and the output; give two files\n");
    assertThat(input).hasContent("a\n");
  }

  private void assertRefused(Result result, String why) {
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).isEqualTo("tamis dedup: " + state + ": " + why + "\n");
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  @Test
  void aStateThatAnotherRunWritesIsRefused() throws IOException {
    try (WriteLock lock = WriteLock.take(state)) {
      Cli.runOn("a\n", "dedup -s", state)
          .refused(
              "tamis dedup: %s: another run is writing it; repeat when that has ended, or give"
                  + " --wait\n",
              state);
    }
    Cli.runOn("a\n", "dedup -s", state).prints("a\n");
  }

  @Test
  void buildAndMergeAskForTheFileTheyReplaceToo() throws IOException {
    Cli.runOn("a\n", "build -n 10 -o", state).ok();
    try (WriteLock lock = WriteLock.take(state)) {
      Cli.runOn("a\n", "build -n 10 -o", state).refused("...another run is writing it...");
      Cli.run("merge -o", state, state, state).refused("...another run is writing it...");
    }
    Cli.run("merge -o", state, state, state).ok();
  }

  /** Of two runs at once, neither loses what the other has added. */
  @Test
  void runsThatWaitForEachOtherPrintEachLineOnce() {
    List<String> printed = Collections.synchronizedList(new ArrayList<>());
    List<CompletableFuture<Void>> runs = new ArrayList<>();
    for (int run = 0; run < 6; run++) {
      byte[] lines = Lines.numbers(1_000 * run, 1_000 * run + 2_000);
      runs.add(
          CompletableFuture.runAsync(
              () -> {
                Result result = Cli.runOn(lines, "dedup --wait -s", state).ok();
                printed.addAll(result.out().lines().toList());
              }));
    }
    runs.forEach(CompletableFuture::join);
    assertThat(printed).hasSize(7_000).doesNotHaveDuplicates();
  }
}
