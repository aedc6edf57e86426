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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@SuppressWarnings("try") // a lock is held, not used
class DedupStateTest {

  @TempDir Path directory;
  private Path state;

  @BeforeEach
  void nameTheState() {
    state = directory.resolve("seen.tamis");
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
  void severalRunsAreLikeOneAndEachHasItsSummary() {
    Cli.runOn("a\nb\na\n", "dedup -s", state).prints("a\nb\n");
    Cli.runOn("b\nc\n", "dedup -s", state).prints("c\n").sums("lines=2 unique=1 duplicates=1");
    Cli.runOn("c\nd\na", "dedup -s", state).prints("d\n");
  }

  @Test
  void aStateGrowsFarPastItsFirstRun() {
    Cli.runOn("a\n", "dedup -s", state);
    Cli.runOn(Lines.numbers(0, 1_200_000), "dedup -q -s", state);
    Cli.runOn(Lines.numbers(0, 1_200_000), "dedup -s", state).sums("unique=0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-n 1000 -p 0.01 | -n 2000 | expected keys differs: the file has 1000, -n requests 2000;"
            + " leave -n out",
        "-n 1000 -p 0.01 | -p 0.1 | fpp differs: the file has 0.01, -p requests 0.1; leave -p out",
        "-n 1000 -p 0.01 | -m 1MiB | memory in bytes differs: the file has 1280, -m requests"
            + " 1048576; leave -m out",
        "-p 1e-6 | -n 10 | type differs: the file has a filter that grows, -n and -m request one of"
            + " fixed size; leave them out",
        "-p 1e-6 | -p 0.1 | fpp differs: the file has 1e-6, -p requests 0.1; leave -p out",
      })
  void optionsThatContradictTheFileAreRefusedByName(String made, String options, String why)
      throws IOException {
    Cli.runOn("a\n", "dedup " + made, "-s", state);
    byte[] before = Files.readAllBytes(state);
    Cli.runOn("b\n", "dedup " + options, "-s", state)
        .refused("tamis dedup: %s: %s to continue with the file", state, why);
    assertThat(state).hasBinaryContent(before);
    Cli.runOn("a\n", "dedup " + made, "-s", state).ok();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-k 1 -t ,             | --no-decompress      | -k",
        "--no-decompress       | -k 1 -t ,            | -k",
        "-k 1 -t ,             | -k 1,3 -t ,          | -k",
        "-k 1 -t ,             | -k 1                 | -t",
        "-k 1 -t :             | -k 1 -t \\0           | -t",
        "-k 1 -t ,             | --csv -k 1           | --csv",
        "--csv                 | --csv -t ;           | -t",
        "-i                    | --no-decompress      | -i",
        "-k 1-2,4- -t , -i -z  | -k 1-2,4- -t , -i    | -z",
        "-n 1000 -k 2,1 -t ,   | -n 1000              | -k",
      })
  void linesComparedInAnotherWayAreRefusedByName(String made, String options, String name)
      throws IOException {
    Cli.runOn("a,b,c\n", "dedup " + made.strip(), "-s", state).ok();
    byte[] before = Files.readAllBytes(state);
    Cli.runOn("d\n", "dedup " + options.strip(), "-s", state)
        .refused(
            "tamis dedup: %s: %s differs: it was filled by ... give the same ...", state, name);
    assertThat(state).hasBinaryContent(before);
    Cli.runOn("a,b,c\n", "dedup -q " + made.strip(), "-s", state).ok().prints("");
  }

  @Test
  void whatReadsAStateKnowsHowItsKeysWereMade() throws IOException {
    Path lines = directory.resolve("lines");
    Path both = directory.resolve("both");
    Cli.runOn("1,b\n", "dedup -q -n 10 -k 2 -t , -s", state).ok();
    Cli.runOn("b\n", "dedup -q -n 10 -s", lines).ok();
    assertThat(Cli.run("info", state).out()).containsPattern("rule +-k 2 -t ,\n");
    assertThat(Cli.run("info", lines).out()).doesNotContain("rule");
    Cli.runOn("b\n", "check", state)
        .prints("b\n")
        .says(
            "tamis check: warning: %s: was filled by -k 2 -t , and this run looks up by whole...",
            state);
    Cli.runOn("b\n", "check", lines).prints("b\n").says("");
    String differ = "...keys differ: the first was filled by -k 2 -t , and the second by whole...";
    Cli.run("merge -o", both, state, lines).refused(differ);
    Cli.run("count", state, lines).refused(differ);
    Cli.run("merge -q -o", both, state, state).ok();
    Cli.runOn("2,b\n3,c\n", "dedup -q -k 2 -t , -s", both).prints("3,c\n");
  }

  @Test
  void aFilterOfLinesIsAStateForLines() {
    Cli.runOn("a\n", "build -q -n 10 -o", state).ok();
    Cli.runOn("a\nb\n", "dedup -q -s", state).prints("b\n");
    Cli.runOn("a\n", "dedup -q -k 1 -s", state).refused("...-k differs...");
    Cli.runOn("a\0", "build -q -z -n 10 -o", state).ok();
    Cli.runOn("a\0b\0", "dedup -q -z -s", state).prints("b\0");
    Cli.runOn("a\n", "dedup -q -s", state).refused("...-z differs...");
    Cli.runOn(
            "a\n",
            "dedup -k",
            "1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31,33,35,37,39",
            "-s",
            state)
        .refused("...-k: a filter has room for 60 characters...");
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

  @ParameterizedTest
  @CsvSource({
    "No space left on device, 2, tamis dedup: standard output: No space left on device; free so...",
    "Broken pipe, 141, ''"
  })
  void anOutputThatFailsKeepsTheOldState(String failure, int exit, String message)
      throws IOException {
    Cli.runOn("a\n", "dedup -s", state);
    byte[] before = Files.readAllBytes(state);
    InputStream in = new ByteArrayInputStream(Lines.numbers(0, 3));
    Cli.runInto(Faults.output(failure), in, "dedup -s", state).exits(exit).says(message);
    assertThat(state).hasBinaryContent(before);
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
