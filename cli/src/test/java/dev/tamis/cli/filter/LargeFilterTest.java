package dev.tamis.cli.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tamis.cli.Cli;
import dev.tamis.cli.Lines;
import dev.tamis.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Filters of more bits than an array of longs holds, through processes with the memory for them.
 */
@Tag("thorough")
@EnabledOnOs(value = OS.LINUX, disabledReason = "reads /proc/meminfo")
class LargeFilterTest {

  /** An array of longs holds 17.18 GB. */
  private static final long FILTER_BYTES = 17_500_000_000L;

  /** What a process takes beside a filter. */
  private static final long JVM_BYTES = 700_000_000L;

  private static final int KEYS = 200_000;

  @TempDir Path directory;
  private Path lines;
  private Path others;

  @BeforeEach
  void writeLines() throws IOException {
    lines = Files.write(directory.resolve("lines"), Lines.numbers(0, KEYS));
    others = Files.write(directory.resolve("others"), Lines.numbers(KEYS, 2 * KEYS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"blocked", "classic"})
  void isBuiltAndCheckedOnHeapAndMapped(String type) throws Exception {
    assumeRoomFor(1, 1);
    Path filter = directory.resolve("filter");
    build(filter, type, lines);
    assertThat(Files.size(filter)).isBetween(FILTER_BYTES, FILTER_BYTES + 1_000);
    for (String[] options : new String[][] {{"-c"}, {"-c", "--map"}}) {
      assertThat(run(FILTER_BYTES, "check", options, filter, lines)).isEqualTo(KEYS + "\n");
      assertThat(run(FILTER_BYTES, "check", options, filter, others)).isEqualTo("0\n");
    }
  }

  /** One of the filters is in memory for it. */
  @Test
  void isMerged() throws Exception {
    assumeRoomFor(1, 3);
    Path first = directory.resolve("first");
    Path second = directory.resolve("second");
    Path both = directory.resolve("both");
    build(first, "blocked", lines);
    build(second, "blocked", others);
    String nothing =
        run(FILTER_BYTES, "merge", new String[] {"-q", "-o", "" + both}, first, second);
    assertThat(nothing).isEmpty();
    for (Path in : new Path[] {lines, others}) {
      String[] mapped = {"-c", "--map"};
      assertThat(run(FILTER_BYTES, "check", mapped, both, in)).isEqualTo(KEYS + "\n");
    }
  }

  private void assumeRoomFor(int filtersInMemory, int filtersOnDisk) throws IOException {
    assumeThat(availableBytes())
        .as("free memory")
        .isGreaterThan(filtersInMemory * FILTER_BYTES + 2 * JVM_BYTES);
    assumeThat(Files.getFileStore(directory).getUsableSpace())
        .as("free space for files")
        .isGreaterThan((filtersOnDisk + 1) * FILTER_BYTES);
  }

  /** Returns the memory that processes can have, which includes the caches of files. */
  private static long availableBytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/meminfo")).stream()
        .filter(line -> line.startsWith("MemAvailable:"))
        .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }

  private void build(Path filter, String type, Path in) throws Exception {
    String[] options = {"-q", "-t", type, "-m", "" + FILTER_BYTES, "-n", "1e9", "-o", "" + filter};
    assertThat(run(FILTER_BYTES, "build", options, in)).isEmpty();
  }

  /** Runs a command with room for so many bytes of filters; returns what it prints. */
  private String run(long filterBytes, String command, String[] options, Path... files)
      throws Exception {
    List<String> words =
        Cli.java(
            List.of("-Xmx" + (filterBytes + JVM_BYTES), "-XX:MaxNewSize=64m"), Main.class, command);
    words.addAll(List.of(options));
    Stream.of(files).map(Path::toString).forEach(words::add);
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    int exit =
        new ProcessBuilder(words)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start()
            .waitFor();
    assertThat(Files.readString(err)).isEmpty();
    String printed = Files.readString(out);
    assertThat(exit).isEqualTo(printed.equals("0\n") ? 1 : 0);
    return printed;
  }
}
