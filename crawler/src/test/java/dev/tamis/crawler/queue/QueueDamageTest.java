package dev.tamis.crawler.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that were cut, changed, or taken away. */
class QueueDamageTest {

  private static final int URLS = 3;

  @TempDir private Path home;
  private Path directory;
  private final List<Long> ends = new ArrayList<>();

  @BeforeEach
  void makeAQueue() throws IOException {
    directory = home.resolve("q");
    VisitQueue queue =
        VisitQueue.builder().expectedKeys(1_000).fpp(0.1).exactConfirmation().open(directory);
    ends.add(Files.size(activeSegment()));
    for (int i = 0; i < URLS; i++) {
      queue.push("http://h/" + i);
      ends.add(Files.size(activeSegment()));
    }
    queue.abandon();
  }

  private Path activeSegment() throws IOException {
    return Queues.files(directory, "wal").get(0);
  }

  @Test
  void aWriteThatWasCutLosesNoOtherChange() throws IOException {
    byte[] whole = Files.readAllBytes(activeSegment());
    for (int length = whole.length; length > 0; length -= 13) { // WriteAheadLogTest has all of them
      int kept = 0;
      for (long end : ends.subList(1, ends.size())) {
        kept += end <= length ? 1 : 0;
      }
      Path copy = Queues.copy(directory, home.resolve("cut-" + length));
      Files.write(Queues.files(copy, "wal").get(0), Arrays.copyOf(whole, length));
      VisitQueue queue = VisitQueue.open(copy);
      assertThat(queue.stats().pending()).as("cut at %d", length).isEqualTo(kept);
      assertThat(queue.push("http://h/new").isAccepted()).isTrue();
      queue.abandon();
      VisitQueue again = VisitQueue.open(copy);
      assertThat(Queues.drain(again)).hasSize(kept + 1).endsWith("http://h/new");
      again.abandon();
    }
  }

  @Test
  void aTailThatIsCutOffIsKeptCountedAndReported() throws IOException {
    byte[] whole = Files.readAllBytes(activeSegment());
    int cut = Math.toIntExact(ends.get(ends.size() - 1)) - 3;
    int complete = Math.toIntExact(ends.get(ends.size() - 2));
    Files.write(activeSegment(), Arrays.copyOf(whole, cut));
    List<Long> told = new ArrayList<>();
    try (VisitQueue queue = VisitQueue.builder().whenTorn(told::add).openExisting(directory)) {
      assertThat(queue.stats().tornBytes()).isEqualTo(cut - complete);
      assertThat(queue.stats().pending()).isEqualTo(URLS - 1);
    }
    assertThat(told).containsExactly((long) cut - complete);
    assertThat(
            Files.readAllBytes(
                Queues.files(directory, "wal-").stream()
                    .filter(file -> file.toString().endsWith(".torn-" + complete))
                    .findFirst()
                    .orElseThrow()))
        .isEqualTo(Arrays.copyOfRange(whole, complete, cut));
    try (VisitQueue again = VisitQueue.builder().whenTorn(told::add).openExisting(directory)) {
      assertThat(again.stats().tornBytes()).as("in all").isEqualTo(cut - complete);
    }
    assertThat(told).hasSize(1);
  }

  @Test
  void zerosThatAPowerFailureLeftAreCutOff() throws IOException {
    byte[] whole = Files.readAllBytes(activeSegment());
    Files.write(activeSegment(), Arrays.copyOf(whole, whole.length + 5_000));
    try (VisitQueue queue = VisitQueue.open(directory)) {
      assertThat(queue.stats().pending()).isEqualTo(URLS);
    }
    assertThat(Files.size(activeSegment())).isEqualTo(whole.length);
  }

  @Test
  void aChangedByteInTheLogIsAnErrorThatSaysWhere() throws IOException {
    byte[] whole = Files.readAllBytes(activeSegment());
    for (int at = 0; at < whole.length; at += 11) {
      byte[] changed = whole.clone();
      changed[at] ^= 0x40;
      Files.write(activeSegment(), changed);
      assertThatThrownBy(() -> VisitQueue.open(directory))
          .as("byte %d", at)
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining(activeSegment().toString())
          .hasMessageContaining("damaged at byte " + placeOf(at));
    }
  }

  private long placeOf(int at) {
    long place = 0;
    for (long end : ends) {
      place = end <= at ? end : place;
    }
    return place;
  }

  @Test
  void aMissingFileIsAnErrorNotAnEmptyQueue() throws IOException {
    VisitQueue queue = VisitQueue.builder().checkpointBytes(100).open(directory);
    for (int i = 0; i < 50; i++) {
      queue.push("http://h/more/" + i);
    }
    queue.abandon();
    for (Path file : Queues.files(directory, "")) {
      String name = file.getFileName().toString();
      if (!name.equals("lock")) {
        Path copy = Queues.copy(directory, home.resolve("without-" + name));
        Files.delete(copy.resolve(name));
        assertThatThrownBy(() -> VisitQueue.open(copy))
            .as(name)
            .isInstanceOf(FileSystemException.class)
            .hasMessageContaining(copy.toString());
      }
    }
  }

  @Test
  void aDamagedFilterIsAnErrorThatNamesIt() throws IOException {
    VisitQueue queue = VisitQueue.builder().checkpointBytes(100).open(directory);
    for (int i = 0; i < 50; i++) {
      queue.push("http://h/more/" + i);
    }
    queue.close();
    Path filter = Queues.files(directory, "seen").get(0);
    byte[] bytes = Files.readAllBytes(filter);
    bytes[bytes.length / 2] ^= 1;
    Files.write(filter, bytes);
    assertThatThrownBy(() -> VisitQueue.open(directory))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining(filter.toString());
  }

  @Test
  void damageToTheStoreIsSeenOrDoesNoHarm() throws IOException {
    VisitQueue queue = VisitQueue.open(directory);
    queue.close();
    Path store = directory.resolve("urls.mv");
    byte[] whole = Files.readAllBytes(store);
    int refused = 0;
    for (int at = 0; at < whole.length; at += 211) {
      Path copy = Queues.copy(directory, home.resolve("store-" + at));
      byte[] changed = whole.clone();
      changed[at] ^= 0x55;
      Files.write(copy.resolve("urls.mv"), changed);
      try (VisitQueue opened = VisitQueue.open(copy)) {
        assertThat(Queues.drain(opened))
            .as("byte %d", at)
            .containsExactly("http://h/0", "http://h/1", "http://h/2");
        opened.abandon();
      } catch (IOException | java.io.UncheckedIOException e) {
        assertThat(e).hasMessageContaining("urls.mv");
        refused++;
      } catch (RuntimeException e) {
        fail("byte " + at, e);
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void aParameterThatIsWrongIsNamed() throws IOException {
    Path file = directory.resolve("queue.properties");
    String text = Files.readString(file);
    for (String line : text.lines().toList()) {
      String name = line.substring(0, line.indexOf('='));
      if (!name.equals("key")) {
        Files.writeString(file, text.replace(line, name + "=-x"));
        assertThatThrownBy(() -> VisitQueue.open(directory))
            .isInstanceOf(FileSystemException.class)
            .hasMessageContaining(name + ": ")
            .hasMessageContaining("got -x");
      }
      Files.writeString(file, text.replace(line + "\n", ""));
      assertThatThrownBy(() -> VisitQueue.open(directory))
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining(name + ": must be set, got nothing");
    }
    Files.writeString(file, text + "colour=blue\n");
    assertThatThrownBy(() -> VisitQueue.open(directory))
        .hasMessageContaining("colour: must be absent, got blue");
    Files.writeString(file, text + "\\uabxy=\n");
    assertThatThrownBy(() -> VisitQueue.open(directory)).isInstanceOf(FileSystemException.class);
  }
}
