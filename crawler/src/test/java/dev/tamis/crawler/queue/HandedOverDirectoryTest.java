package dev.tamis.crawler.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A directory that somebody else has made: its links are not followed, and looking writes nothing.
 */
@EnabledOnOs(value = {OS.LINUX, OS.MAC}, disabledReason = "symbolic links need a privilege on Windows")
class HandedOverDirectoryTest {

  private static final String NEXT_NUMBER = "0000000000000000050";

  @TempDir private Path home;
  private Path directory;
  private Path outside;

  @BeforeEach
  void makeAQueue() throws IOException {
    directory = home.resolve("q");
    outside = home.resolve("outside");
    VisitQueue queue =
        VisitQueue.builder()
            .expectedKeys(1_000)
            .fpp(0.1)
            .random(Queues.fixedRandom())
            .checkpointBytes(100)
            .open(directory);
    for (int i = 0; i < 50; i++) {
      queue.push("http://h/" + i);
    }
    queue.abandon();
  }

  @Test
  void noFileMayBeALink() throws IOException {
    for (Path file : Queues.files(directory, "")) {
      Path copy = Queues.copy(directory, home.resolve("linked-" + file.getFileName()));
      Path link = copy.resolve(file.getFileName());
      Files.deleteIfExists(outside);
      Files.move(link, outside);
      byte[] before = Files.readAllBytes(outside);
      Files.createSymbolicLink(link, outside);
      refuses(copy, link);
      assertThat(outside).hasBinaryContent(before);
    }
  }

  /** What is not there yet would be created where the link points. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "lock",
        "hash.key",
        "queue.properties",
        "urls.mv",
        "wal-" + NEXT_NUMBER + ".log",
        "wal-0000000000000000000.log.torn-20",
        "seen-" + NEXT_NUMBER + ".tamis",
        ".tamis-1-0.tmp"
      })
  void aLinkToNothingIsNotFilled(String name) throws IOException {
    Path link = directory.resolve(name);
    Files.deleteIfExists(link);
    Files.createSymbolicLink(link, outside);
    refuses(directory, link);
    Path fresh = Files.createDirectory(home.resolve("fresh"));
    Files.createSymbolicLink(fresh.resolve(name), outside);
    refuses(fresh, fresh.resolve(name));
    assertThat(outside).doesNotExist();
  }

  private static void refuses(Path directory, Path link) throws IOException {
    VisitQueueBuilder builder = VisitQueue.builder().expectedKeys(1_000).fpp(0.1);
    String message = link + ": must be a regular file, got a symbolic link; remove it";
    assertThatThrownBy(() -> builder.open(directory))
        .isInstanceOf(FileSystemException.class)
        .hasMessage(message);
    assertThatThrownBy(() -> builder.openExisting(directory)).hasMessage(message);
    assertThatThrownBy(() -> builder.view(directory)).hasMessage(message);
  }

  @Test
  void aPipeIsNotWaitedFor() throws IOException, InterruptedException {
    Path pipe = directory.resolve("wal-" + NEXT_NUMBER + ".log");
    Files.deleteIfExists(pipe);
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertThatThrownBy(() -> VisitQueue.open(directory))
        .hasMessage(pipe + ": must be a regular file, got a pipe or a device; remove it");
  }

  @ParameterizedTest
  @ValueSource(strings = {"wal-9999999999999999999.log", "seen-9999999999999999999.tamis"})
  void aNumberThatIsTooLargeIsNoNumber(String name) throws IOException {
    Files.writeString(directory.resolve(name), "x");
    try (VisitQueue queue = VisitQueue.open(directory)) {
      assertThat(queue.stats().pending()).isEqualTo(50);
    }
  }

  @Test
  void lookingChangesNothing() throws IOException {
    for (boolean isTorn : List.of(false, true)) {
      for (boolean hasLock : List.of(true, false)) {
        Path copy = Queues.copy(directory, home.resolve("look-" + isTorn + hasLock));
        Files.deleteIfExists(copy.resolve(hasLock ? "none" : "lock"));
        List<Path> segments = Queues.files(copy, "wal-");
        if (isTorn) {
          Path active = segments.get(segments.size() - 1);
          byte[] whole = Files.readAllBytes(active);
          Files.write(active, Arrays.copyOf(whole, whole.length - 3));
        }
        Map<String, String> before = snapshot(copy);
        for (int i = 0; i < 2; i++) {
          try (QueueView view = VisitQueue.view(copy)) {
            assertThat(view.stats().pending()).isPositive();
            assertThat(view.stats().tornBytes() > 0).isEqualTo(isTorn);
            assertThat(view.peek()).contains("http://h/0");
          }
        }
        assertThat(snapshot(copy)).isEqualTo(before);
      }
    }
  }

  /** Returns names, lengths, contents and times of change. */
  private static Map<String, String> snapshot(Path directory) throws IOException {
    Map<String, String> files = new TreeMap<>();
    for (Path file : Queues.files(directory, "")) {
      FileTime time = Files.getLastModifiedTime(file);
      files.put(
          file.getFileName().toString(), time + " " + Arrays.hashCode(Files.readAllBytes(file)));
    }
    return files;
  }

  @Test
  void whatIsSeenIsWhatTheNextOpeningHas() throws IOException {
    QueueStats seen;
    try (QueueView view = VisitQueue.view(directory)) {
      seen = view.stats();
    }
    try (VisitQueue queue = VisitQueue.open(directory)) {
      assertThat(queue.stats()).isEqualTo(seen);
    }
  }

  @Test
  void aQueueInUseCannotBeLookedAtNorTheOtherWayRound() throws IOException {
    try (VisitQueue queue = VisitQueue.open(directory)) {
      assertThat(queue.stats().pending()).isEqualTo(50);
      assertThatThrownBy(() -> VisitQueue.view(directory)).hasMessageContaining("in use");
    }
    try (QueueView view = VisitQueue.view(directory)) {
      assertThat(view.stats().pending()).isEqualTo(50);
      assertThatThrownBy(() -> VisitQueue.open(directory)).hasMessageContaining("in use");
    }
  }

  @Test
  void aQueueWhoseCreationWasInterruptedCanBeLookedAt() throws IOException {
    Files.delete(directory.resolve("urls.mv"));
    for (String prefix : List.of("wal", "seen")) {
      for (Path file : Queues.files(directory, prefix)) {
        Files.delete(file);
      }
    }
    try (QueueView view = VisitQueue.view(directory)) {
      assertThat(view.stats().pending()).isZero();
      assertThat(view.peek()).isEmpty();
    }
  }
}
