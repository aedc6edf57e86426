package dev.tamis.cli.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.Cli;
import dev.tamis.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a block list in use when its replacement fails, in processes of their own. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "limits a process by ulimit")
class BlockProcessTest {

  private static final int ENTRIES = 30_000;

  @TempDir Path directory;
  private Path file;
  private Path oldList;
  private Path newList;
  private byte[] oldBytes;

  @BeforeEach
  void buildTheOldOne() throws IOException {
    file = directory.resolve("file.block");
    oldList = Files.write(directory.resolve("list"), addresses("old"));
    newList =
        Files.write(
            Files.createDirectory(directory.resolve("new")).resolve("list"), addresses("new"));
    Cli.run("block build -q -x -o", file, oldList).ok();
    oldBytes = Files.readAllBytes(file);
  }

  @Test
  void aDiskThatIsFullHalfwayLeavesTheOldOneWhole() throws Exception {
    List<String> limited =
        new ArrayList<>(List.of("bash", "-c", "ulimit -f 100; exec \"$@\"", "-"));
    limited.addAll(build());
    assertThat(oldBytes.length).isGreaterThan(100 << 10);
    Process process = start(limited);
    assertThat(process.waitFor()).isEqualTo(2);
    assertThat(directory.resolve("err"))
        .content()
        .startsWith("tamis block build: " + file + ": File too large");
    assertThat(file).hasBinaryContent(oldBytes);
    assertThat(leftOver()).isEmpty();
  }

  @Test
  void aKilledBuildLeavesTheOldOneOrTheNewOneWhole() throws Exception {
    killManyTimes(4);
  }

  @Test
  @Tag("thorough")
  void aBuildKilledAtHundredsOfPointsLeavesTheOldOneOrTheNewOneWhole() throws Exception {
    killManyTimes(300);
  }

  private void killManyTimes(int times) throws Exception {
    long start = System.nanoTime();
    assertThat(start(build()).waitFor()).isZero();
    assertThat(directory.resolve("err")).isEmptyFile(); // libraries are quiet too
    long nanos = System.nanoTime() - start;
    byte[] newBytes = Files.readAllBytes(file);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < times; i++) {
      Files.write(file, oldBytes);
      Process process = start(build());
      // later than that it would mostly be done, and earlier it has not begun
      TimeUnit.NANOSECONDS.sleep(nanos / 3 + random.nextLong(nanos * 2 / 3));
      process.destroyForcibly().waitFor();
      byte[] found = Files.readAllBytes(file);
      assertThat(found).isIn(oldBytes, newBytes);
      Cli.run("block explain", file, "nobody@mail.example").exits(1);
      for (Path left : leftOver()) {
        Files.delete(left); // what nobody can clear away who is killed
      }
    }
  }

  private List<Path> leftOver() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(path -> path.toString().endsWith(".tmp")).toList();
    }
  }

  private List<String> build() {
    return Cli.java(
        List.of("-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"),
        Main.class,
        "block",
        "build",
        "-q",
        "-x",
        "-o",
        file,
        newList);
  }

  private Process start(List<String> command) throws IOException {
    return new ProcessBuilder(command).redirectError(directory.resolve("err").toFile()).start();
  }

  private static List<String> addresses(String name) {
    return IntStream.rangeClosed(0, ENTRIES)
        .mapToObj(i -> i < ENTRIES ? name + i + "@mail.example" : "." + name + ".example")
        .toList();
  }
}
