package dev.tamis.file;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.JvmCommand;
import dev.tamis.Race;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("try") // a lock is held, not used
@Timeout(60)
class WriteLockTest {

  @TempDir Path directory;

  @Test
  void oneHoldsItAtATimeAndNothingStays() throws IOException {
    Path target = directory.resolve("state");
    try (WriteLock lock = WriteLock.take(target)) {
      assertThatThrownBy(() -> WriteLock.take(target))
          .isInstanceOf(FileSystemException.class)
          .hasMessage(target + ": another process is about to replace it");
      assertThat(names()).containsExactly(".state.lock");
    }
    assertThat(names()).isEmpty();
    WriteLock.take(target).close();
  }

  @Test
  @EnabledOnOs(value = {OS.LINUX, OS.MAC}, disabledReason = "symbolic links need a privilege on Windows")
  void aLinkAndItsTargetAreOneFile() throws IOException {
    Path target = Files.createFile(directory.resolve("state"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), target);
    try (WriteLock lock = WriteLock.take(link)) {
      refuses(FileSystemException.class, () -> WriteLock.take(target));
    }
  }

  @Test
  @EnabledOnOs(value = {OS.LINUX, OS.MAC}, disabledReason = "/dev/null is no file")
  void whatIsNoRegularFileIsNotLocked() throws IOException {
    Path device = Path.of("/dev/null");
    try (WriteLock one = WriteLock.take(device);
        WriteLock other = WriteLock.take(device)) {
      assertThat(one).isNotSameAs(other);
    }
  }

  @Test
  void aLockLeftBehindIsTaken() throws IOException {
    Files.writeString(directory.resolve(".state.lock"), "left behind");
    WriteLock.take(directory.resolve("state")).close();
    assertThat(names()).isEmpty();
  }

  @Test
  @EnabledOnOs(value = {OS.LINUX, OS.MAC}, disabledReason = "symbolic links need a privilege on Windows")
  void aLinkInPlaceOfTheLockIsNotFollowed() throws IOException {
    Path precious = Files.writeString(directory.resolve("precious"), "kept");
    Files.createSymbolicLink(directory.resolve(".state.lock"), precious);
    refuses(
        FileSystemException.class,
        () -> WriteLock.take(directory.resolve("state")),
        ".state.lock is a link");
    assertThat(precious).hasContent("kept");
  }

  @Test
  void aDirectoryThatIsMissingIsAnError() {
    refuses(
        FileSystemException.class,
        () -> WriteLock.take(directory.resolve("missing/state")),
        "missing/state: its directory");
  }

  @Test
  void whoWaitsGetsIt() throws Exception {
    Path target = directory.resolve("state");
    CompletableFuture<WriteLock> waiting;
    try (WriteLock lock = WriteLock.take(target)) {
      waiting = CompletableFuture.supplyAsync(() -> await(target));
      assertThat(waiting).isNotCompleted();
    }
    waiting.get(30, TimeUnit.SECONDS).close();
  }

  /** Each reads a number and writes it back with one added; without the lock some are lost. */
  @Test
  void nothingIsLostBetweenThreads() throws IOException {
    Path target = Files.writeString(directory.resolve("number"), "0");
    Race.run(
        8,
        thread -> {
          for (int i = 0; i < 25; i++) {
            add(target);
          }
        });
    assertThat(target).hasContent("200");
    assertThat(names()).containsExactly("number");
  }

  @Test
  void norBetweenProcesses() throws Exception {
    Path target = Files.writeString(directory.resolve("number"), "0");
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      processes.add(
          new ProcessBuilder(JvmCommand.of(List.of(), Adder.class, target)).inheritIO().start());
    }
    for (Process process : processes) {
      assertThat(process.waitFor()).isZero();
    }
    assertThat(target).hasContent("150");
    assertThat(names()).containsExactly("number");
  }

  static final class Adder {

    private Adder() {}

    public static void main(String[] args) throws Exception {
      for (int i = 0; i < 50; i++) {
        add(Path.of(args[0]));
      }
    }
  }

  private static void add(Path target) throws IOException, InterruptedException {
    try (WriteLock lock = WriteLock.await(target);
        AtomicFile file = AtomicFile.create(target)) {
      int number = Integer.parseInt(Files.readString(target));
      file.out()
          .write(Integer.toString(number + 1).getBytes(java.nio.charset.StandardCharsets.US_ASCII));
      file.commit();
    }
  }

  private static WriteLock await(Path target) {
    try {
      return WriteLock.await(target);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<String> names() throws IOException {
    try (Stream<Path> paths = Files.list(directory)) {
      return paths.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }
}
