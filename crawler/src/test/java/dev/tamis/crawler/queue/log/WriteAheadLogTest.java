package dev.tamis.crawler.queue.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.crawler.queue.log.WriteAheadLog.Checkpoint;
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

class WriteAheadLogTest {

  private static final Checkpoint NONE = new Checkpoint(0, 0, Checkpoint.NO_SEGMENT);

  private static final List<String> RECORDS =
      List.of("first", "\u00e9", "3", "x".repeat(100), "5", "6", "7", "8", "9");

  @TempDir private Path directory;
  private final List<Long> ends = new ArrayList<>();
  private final List<String> replayed = new ArrayList<>();
  private Path file;

  @BeforeEach
  void writeALog() throws IOException {
    try (WriteAheadLog<String> log = open(NONE)) {
      for (String text : RECORDS) {
        log.append(text);
        ends.add(log.activeBytes());
      }
    }
    file = directory.resolve("wal-0000000000000000000.log");
  }

  private WriteAheadLog<String> open(Checkpoint checkpoint) throws IOException {
    replayed.clear();
    TextCodec codec = new TextCodec();
    WriteAheadLog.Replayed read =
        WriteAheadLog.replay(directory, checkpoint, codec, (number, text) -> replayed.add(text));
    return WriteAheadLog.open(directory, false, codec, read);
  }

  @Test
  void readsBackWhatWasWritten() throws IOException {
    try (WriteAheadLog<String> log = open(NONE)) {
      assertThat(replayed).isEqualTo(RECORDS);
      assertThat(log.next()).isEqualTo(RECORDS.size());
    }
  }

  @Test
  void aTornTailOfAnyLengthIsTruncatedAndTheLogGoesOnThere() throws IOException {
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length <= whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      int bytes = length;
      int kept = (int) ends.stream().filter(end -> end <= bytes).count();
      try (WriteAheadLog<String> log = open(NONE)) {
        assertThat(replayed).isEqualTo(RECORDS.subList(0, kept));
        log.append("new");
      }
      open(NONE).close();
      assertThat(replayed).hasSize(kept + 1).endsWith("new");
    }
  }

  @Test
  void damageToAnyByteIsAnErrorThatSaysWhere() throws IOException {
    byte[] whole = Files.readAllBytes(file);
    for (int at = 0; at < whole.length; at++) {
      byte[] changed = whole.clone();
      changed[at] ^= (byte) (1 << at % Byte.SIZE);
      Files.write(file, changed);
      assertThatThrownBy(() -> open(NONE))
          .as("byte %d", at)
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining(file.toString())
          .hasMessageContaining("damaged at byte ");
    }
  }

  @Test
  void aTornTailInASegmentThatIsNotActiveIsAnError() throws IOException {
    try (WriteAheadLog<String> log = open(NONE)) {
      log.rotate();
      log.append(RECORDS.get(0));
    }
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length < whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> open(NONE))
          .as("cut at %d", length)
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining(directory.toString());
    }
  }

  @Test
  void missesSegmentsAndRecordsThatTheCheckpointRequires() throws IOException {
    open(new Checkpoint(9, 9, 0)).close();
    refuses(new Checkpoint(0, 10, 0), "expected at least 10 records, got 9");
    refuses(new Checkpoint(0, 0, 1), "no segment starts at record 1");
    try (WriteAheadLog<String> log = open(NONE)) {
      log.rotate();
      log.deleteBefore(8);
      assertThat(file).exists();
      log.deleteBefore(9);
      assertThat(file).doesNotExist();
    }
    open(new Checkpoint(9, 9, 9)).close();
    refuses(new Checkpoint(8, 9, 9), "first record must be at most 8, got 9");
  }

  @Test
  void aSegmentOfAnotherVersionIsNamed() throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[4] = 2;
    Files.write(file, bytes);
    assertThatThrownBy(() -> open(NONE))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("not a valid write-ahead log: version at byte 4: expected 1, got 2");
  }

  private void refuses(Checkpoint checkpoint, String why) {
    assertThatThrownBy(() -> open(checkpoint))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining(why);
  }
}
