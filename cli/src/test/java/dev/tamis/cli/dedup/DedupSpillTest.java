package dev.tamis.cli.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import dev.tamis.cli.Lines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Exact de-duplication with more repeated lines than fit in the memory for them. */
class DedupSpillTest {

  private static final byte NEWLINE = '\n';

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 1e-6})
  void isExactWhenItSpills(double fpp) throws IOException {
    byte[] all = lines();
    Path file = Files.write(directory.resolve("in"), all);
    Result result = spilled("-p", fpp, file);
    assertThat(result.bytes()).isEqualTo(Lines.firsts(all, NEWLINE));
    assertThat(result.summary().get("temporary")).endsWith("MB");
    assertThat(spilled("-d", file).bytes()).isEqualTo(Lines.repeats(all, NEWLINE));
    assertThat(directory).isDirectoryNotContaining("glob:**.tmp");
  }

  @Test
  void longLinesAndAllBytesSpill() throws IOException {
    byte[] all = Lines.hard(5, 3000, NEWLINE);
    Path file = Files.write(directory.resolve("in"), all);
    assertThat(spilled(file).bytes()).isEqualTo(Lines.firsts(all, NEWLINE));
  }

  @Test
  void keysSpill() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 100_000; i++) {
      lines.append(i).append(",a long key that is the same twice: ").append(i / 2).append('\n');
    }
    Path file = Files.writeString(directory.resolve("in"), lines);
    Result result = spilled("-t", ",", "-k", "2", file);
    assertThat(Lines.split(result.bytes(), NEWLINE))
        .hasSize(50_000)
        .allMatch(line -> Integer.parseInt(line.split(",", -1)[0]) % 2 == 0);
    assertThat(result.summary().get("temporary")).endsWith("MB");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1M", "1G"})
  void countsAreExactInMemoryAndInFiles(String memory) throws IOException {
    byte[] all = lines();
    Path file = Files.write(directory.resolve("in"), all);
    for (double fpp : new double[] {0.9, 1e-6}) {
      Result result = Cli.run("dedup -x -c -S", memory, "-T", directory, "-p", fpp, file);
      assertThat(result.bytes()).isEqualTo(counted(all));
    }
  }

  private static byte[] counted(byte[] all) {
    Map<String, Long> counts = new LinkedHashMap<>();
    Lines.split(all, NEWLINE).forEach(line -> counts.merge(line, 1L, Long::sum));
    StringBuilder text = new StringBuilder();
    counts.forEach(
        (line, count) -> text.append(String.format(Locale.ROOT, "%7d %s\n", count, line)));
    return text.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Of 60,000 lines of 60 bytes, 20,000 come once, 15,000 twice and 1,000 ten times. */
  private static byte[] lines() {
    List<String> lines = new ArrayList<>();
    String padding = "x".repeat(50);
    for (int i = 0; i < 20_000; i++) {
      lines.add(padding + i);
    }
    for (int i = 0; i < 30_000; i++) {
      lines.add("y" + padding + i % 15_000);
    }
    for (int i = 0; i < 10_000; i++) {
      lines.add(lines.size() / 2, "z" + padding + i % 1_000);
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    lines.forEach(line -> all.writeBytes((line + "\n").getBytes(StandardCharsets.US_ASCII)));
    return all.toByteArray();
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "reads /proc/self/fd")
  void theFileIsItsOwnersAndGoneAtOnce() throws IOException {
    if (!Files.isDirectory(Path.of("/proc/self/fd"))) {
      return;
    }
    try (SpillFile file = SpillFile.create(directory)) {
      assertThat(file.append(new byte[] {1}, 1)).isZero();
      assertThat(directory).isEmptyDirectory();
      try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
        List<Path> spilled =
            open.filter(each -> name(each).startsWith(directory.resolve("tamis-").toString()))
                .toList();
        assertThat(spilled).hasSize(1);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(spilled.get(0))))
            .isEqualTo("rw-------");
      }
    }
  }

  private static String name(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      return "";
    }
  }

  /** A limit on the size of a file stands for a disk that fills up. */
  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "limits a process by ulimit")
  void aFullDiskIsAnErrorAndLeavesNothing() throws Exception {
    Path file = Files.write(directory.resolve("in"), lines());
    Path temporary = Files.createDirectory(directory.resolve("temporary"));
    Path output = directory.resolve("out");
    Path errors = directory.resolve("errors");
    List<String> command =
        new ArrayList<>(List.of("bash", "-c", "ulimit -f 500; exec \"$@\"", "bash"));
    command.addAll(Cli.command("dedup -x -S 1M -T", temporary, "-o", output, file));
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    assertThat(process.waitFor()).isEqualTo(2);
    assertThat(Files.readString(errors))
        .contains(temporary + "/tamis-")
        .contains(
            "File too large, after 512000 bytes of a temporary file; free some space, or name"
                + " another directory with -T");
    assertThat(output).doesNotExist();
    assertThat(temporary).isEmptyDirectory();
  }

  private Result spilled(Object... args) {
    List<Object> words = new ArrayList<>(List.of("dedup", "-x", "-S", "1M", "-T", directory));
    words.addAll(List.of(args));
    return Cli.run(words.toArray());
  }
}
