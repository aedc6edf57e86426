package dev.tamis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What only a process of its own can show. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "needs bash, signals and /dev/full")
@Timeout(600)
class ProcessTest {

  @TempDir Path directory;

  @Test
  void aClosedPipeIsQuietAndSavesNoState() throws Exception {
    Path lines = Files.write(directory.resolve("in"), Lines.numbers(0, 200_000));
    Path state = directory.resolve("state");
    Path script =
        Files.writeString(
            directory.resolve("script"), "\"$@\" | head -1 >head; echo ${PIPESTATUS[0]} >status\n");
    List<String> command = new ArrayList<>(List.of("bash", script.toString()));
    command.addAll(Cli.command("dedup -s", state, lines));
    Process process = start(command);
    assertThat(process.waitFor()).isZero();
    assertThat(directory.resolve("head")).hasContent("0");
    assertThat(directory.resolve("status")).hasContent("141");
    assertThat(errors()).isEmpty();
    assertThat(state).doesNotExist();
  }

  @Test
  void aFullDiskBehindStandardOutputIsAnError() throws Exception {
    Path lines = Files.writeString(directory.resolve("in"), "a\n");
    ProcessBuilder builder = builder(Cli.command("dedup", lines));
    builder.redirectOutput(Path.of("/dev/full").toFile());
    assertThat(builder.start().waitFor()).isEqualTo(2);
    assertThat(errors())
        .isEqualTo(
            "tamis dedup: standard output: No space left on device; free some space, or write"
                + " elsewhere\n");
  }

  @Test
  void aLineLongerThanTheHeapIsNamedWithWhatHelps() throws Exception {
    Path zeros = directory.resolve("in");
    try (RandomAccessFile sparse = new RandomAccessFile(zeros.toFile(), "rw")) {
      sparse.setLength(1 << 30);
    }
    List<String> command = Cli.java(List.of("-Xmx64m"), Main.class, "dedup -n 10", zeros);
    assertThat(builder(command).start().waitFor()).isEqualTo(2);
    assertThat(errors())
        .matches(
            "tamis dedup: .*/in: line 1 has \\d+ bytes or more, for which the heap has no room;"
                + " check that it has line ends, or give the JVM more with"
                + " TAMIS_JAVA_OPTS=-Xmx8g\n");
  }

  @Test
  void anOutputThatFailsIsNotHeldUpByAnInputThatSaysNothing() throws Exception {
    ProcessBuilder builder = builder(Cli.command("dedup"));
    builder.redirectOutput(Path.of("/dev/full").toFile());
    Process process = builder.start();
    OutputStream in = process.getOutputStream();
    in.write("a\n".getBytes(StandardCharsets.UTF_8));
    in.flush();
    assertThat(process.waitFor()).isEqualTo(2);
    assertThat(errors()).contains("No space left on device");
    in.close();
  }

  @Test
  void anInterruptLeavesNoTemporaryFileAndChangesNothing() throws Exception {
    Path output = Files.writeString(directory.resolve("out"), "old");
    Path state = directory.resolve("state");
    Cli.runOn("a\n", "dedup -q -s", state);
    byte[] before = Files.readAllBytes(state);

    Process process = start(Cli.command("dedup -o", output, "-s", state));
    OutputStream in = process.getOutputStream();
    in.write("b\n".getBytes(StandardCharsets.UTF_8));
    in.flush();
    awaitTemporaryFile(process);
    new ProcessBuilder("kill", "-INT", String.valueOf(process.pid())).start().waitFor();

    assertThat(process.waitFor()).isEqualTo(130);
    assertThat(errors()).isEmpty();
    assertThat(output).hasContent("old");
    assertThat(Files.readAllBytes(state)).isEqualTo(before);
    assertThat(temporaryFiles()).isEmpty();
  }

  @RepeatedTest(3)
  void anInterruptThatEndsTheInputTooChangesNothing() throws Exception {
    Path output = Files.writeString(directory.resolve("out"), "old");
    Process process = start(Cli.command("dedup -o", output));
    OutputStream in = process.getOutputStream();
    in.write("b\n".getBytes(StandardCharsets.UTF_8));
    in.flush();
    awaitTemporaryFile(process);

    in.close(); // as when Ctrl-C ends what writes into the pipe
    process.destroy();

    assertThat(process.waitFor()).isEqualTo(143);
    assertThat(output).hasContent("old");
    assertThat(temporaryFiles()).isEmpty();
  }

  @Test
  void linesReachTheNextCommandBeforeTheInputEnds() throws Exception {
    Process process = start(Cli.command("dedup -q"));
    OutputStream in = process.getOutputStream();
    in.write("a\nb\na\n".getBytes(StandardCharsets.UTF_8));
    in.flush();
    assertThat(process.getInputStream().readNBytes(4)).asString().isEqualTo("a\nb\n");
    in.write("c\n".getBytes(StandardCharsets.UTF_8));
    in.close();
    assertThat(process.getInputStream().readAllBytes()).asString().isEqualTo("c\n");
    assertThat(process.waitFor()).isZero();
  }

  private void awaitTemporaryFile(Process process) throws Exception {
    while (temporaryFiles().isEmpty()) {
      assertThat(process.isAlive()).isTrue();
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private List<Path> temporaryFiles() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".tmp")).toList();
    }
  }

  /** What was printed before a kill is printed again for one URL at most. */
  @Test
  void aKilledPollRepeatsOneUrlAtMost() throws Exception {
    Path queue = directory.resolve("queue");
    Path urls =
        Files.write(
            directory.resolve("urls"),
            IntStream.range(0, 20_000).mapToObj(i -> "http://h/" + i).toList());
    Cli.run("queue", queue, "push", urls).ok();
    Path printed = directory.resolve("printed");
    Process poll =
        builder(Cli.command("queue", queue, "poll", "--count", "20000"))
            .redirectOutput(printed.toFile())
            .start();
    while (Files.size(printed) < 50_000) {
      assertThat(poll.isAlive()).isTrue();
      Thread.sleep(1);
    }
    poll.destroyForcibly().waitFor();
    List<String> first = Files.readAllLines(printed);
    List<String> second =
        Cli.run("queue", queue, "poll", "--count", "20000").out().lines().toList();
    Set<String> repeated = new HashSet<>(first);
    repeated.retainAll(new HashSet<>(second));
    assertThat(repeated).hasSizeLessThanOrEqualTo(1);
    repeated.clear();
    repeated.addAll(first);
    repeated.addAll(second);
    assertThat(repeated).hasSize(20_000);
  }

  private Process start(List<String> command) throws IOException {
    return builder(command).start();
  }

  private ProcessBuilder builder(List<String> command) {
    return new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectError(directory.resolve("err").toFile());
  }

  private String errors() throws IOException {
    return Files.readString(directory.resolve("err"));
  }
}
