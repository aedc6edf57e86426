package dev.tamis.crawler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tamis.fuzz.InputBudget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * A queue's directory with any changes in its files is a queue, or refused by name.
 *
 * <p>An input is a list of changes: the number of a file, what is done to it, and where.
 */
class QueueDirectoryFuzzTest {

  private static final int URLS = 20;
  private static final int CHANGE_BYTES = 5;
  private static final int CHECKPOINT_BYTES = 300;

  @TempDir private Path home;
  private final Map<String, byte[]> files = new TreeMap<>();
  private int inputs;

  @FuzzTest(maxDuration = "10m")
  void aDirectoryWithAnyChangesIsAQueueOrRefused(byte[] changes) throws IOException {
    if (files.isEmpty()) {
      makeAQueue();
    }
    Map<String, byte[]> changed = changed(changes);
    int length = changed.values().stream().mapToInt(bytes -> bytes.length).sum();
    InputBudget.check(length, () -> check(changed));
  }

  /** Makes one with a checkpoint, and changes since; the files are the same each time. */
  private void makeAQueue() throws IOException {
    Path directory = home.resolve("made");
    VisitQueue queue =
        VisitQueue.builder()
            .expectedKeys(100)
            .fpp(0.1)
            .exactConfirmation()
            .random(Queues.fixedRandom())
            .checkpointBytes(CHECKPOINT_BYTES)
            .open(directory);
    for (int i = 0; i < URLS; i++) {
      queue.push("http://h/" + i);
    }
    queue.poll();
    queue.abandon();
    for (Path file : Queues.files(directory, "")) {
      files.put(file.getFileName().toString(), Files.readAllBytes(file));
    }
  }

  private Map<String, byte[]> changed(byte[] changes) {
    Map<String, byte[]> changed = new TreeMap<>(files);
    String[] names = files.keySet().toArray(String[]::new);
    for (int at = 0; at + CHANGE_BYTES <= changes.length; at += CHANGE_BYTES) {
      String name = names[(changes[at] & 0xff) % names.length];
      byte[] bytes = changed.get(name);
      if (bytes != null) {
        int place = (changes[at + 2] & 0xff) << 8 | (changes[at + 3] & 0xff);
        apply(changed, name, bytes.clone(), changes[at + 1], place, changes[at + 4]);
      }
    }
    return changed;
  }

  private static void apply(
      Map<String, byte[]> files, String name, byte[] bytes, byte how, int place, byte value) {
    int at = bytes.length == 0 ? 0 : place % bytes.length;
    switch (how & 7) {
      case 0 -> files.remove(name);
      case 1 -> files.put(name, Arrays.copyOf(bytes, at)); // cut
      case 2 -> files.put(name, Arrays.copyOf(bytes, bytes.length + place));
      case 3 -> files.put(value + name, bytes); // under another name too
      default -> {
        if (bytes.length > 0) {
          bytes[at] = value;
        }
        files.put(name, bytes);
      }
    }
  }

  private void check(Map<String, byte[]> changed) throws IOException {
    Path directory = Files.createDirectory(home.resolve("input" + inputs++));
    try {
      for (Map.Entry<String, byte[]> file : changed.entrySet()) {
        Files.write(directory.resolve(file.getKey()), file.getValue());
      }
      checkDirectory(directory, changed);
    } finally {
      delete(directory);
    }
  }

  private static void checkDirectory(Path directory, Map<String, byte[]> changed)
      throws IOException {
    try (QueueView view = VisitQueue.view(directory)) {
      assertThat(view.stats().pending()).isNotNegative();
      assertThat(view.peek()).isNotNull();
    } catch (FileSystemException e) {
      assertThat(e).hasMessageContaining(directory.toString());
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageStartingWith("queue: "); // settings that differ from those given
    }
    for (Map.Entry<String, byte[]> file : changed.entrySet()) { // looking writes nothing
      assertThat(directory.resolve(file.getKey())).hasBinaryContent(file.getValue());
    }
    try (VisitQueue queue = VisitQueue.open(directory)) {
      int polled = Queues.drain(queue).size();
      assertThat(polled).isLessThanOrEqualTo(2 * URLS);
      queue.push("http://new/");
    } catch (FileSystemException e) {
      assertThat(e).hasMessageContaining(directory.toString());
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageStartingWith("queue: ");
    } catch (UncheckedIOException e) {
      assertThat(e.getCause()).hasMessageContaining(directory.toString());
    }
  }

  private static void delete(Path directory) throws IOException {
    for (Path file : Queues.files(directory, "")) {
      Files.delete(file);
    }
    Files.delete(directory);
  }

  @AfterEach
  void forget() {
    files.clear();
  }
}
