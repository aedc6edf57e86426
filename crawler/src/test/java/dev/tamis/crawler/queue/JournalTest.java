package dev.tamis.crawler.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

class JournalTest {

  private static final Journal.Expected ANYTHING =
      new Journal.Expected(0, 0, Journal.Expected.NO_SEGMENT);

  private static final List<Change> CHANGES =
      List.of(
          new Change.Accepted(new Entry(1, "h", "http://h/\u00e9", 0), "http://h/"),
          new Change.Accepted(new Entry(2, "", "http://g/", 0), "http://g/"),
          new Change.Marked("http://f/"),
          new Change.Delivered("h", 1),
          new Change.Returned("", 2, 3),
          new Change.Claimed(new Claim("h", "http://h/#x", "http://h/")),
          new Change.Settled(Change.Outcome.ACCEPTED),
          new Change.Settled(Change.Outcome.DOUBTFUL),
          new Change.Settled(Change.Outcome.DUPLICATE));

  @TempDir private Path directory;
  private final List<Long> ends = new ArrayList<>();
  private final List<Change> read = new ArrayList<>();
  private Path file;

  @BeforeEach
  void writeAJournal() throws IOException {
    try (Journal journal = open(ANYTHING)) {
      for (Change change : CHANGES) {
        journal.write(change);
        ends.add(journal.fileBytes());
      }
    }
    file = directory.resolve("journal-0000000000000000000.log");
  }

  private Journal open(Journal.Expected expected) throws IOException {
    read.clear();
    return Journal.open(directory, false, expected, (number, change) -> read.add(change));
  }

  @Test
  void readsBackWhatWasWritten() throws IOException {
    try (Journal journal = open(ANYTHING)) {
      assertThat(read).isEqualTo(CHANGES);
      assertThat(journal.next()).isEqualTo(CHANGES.size());
    }
  }

  @Test
  void cutAtAnyByteItKeepsWhatIsWholeAndGoesOnThere() throws IOException {
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length <= whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      int bytes = length;
      int kept = (int) ends.stream().filter(end -> end <= bytes).count();
      try (Journal journal = open(ANYTHING)) {
        assertThat(read).isEqualTo(CHANGES.subList(0, kept));
        journal.write(new Change.Marked("new"));
      }
      open(ANYTHING).close();
      assertThat(read).hasSize(kept + 1).endsWith(new Change.Marked("new"));
    }
  }

  @Test
  void aChangeOfAnyByteIsAnErrorThatSaysWhere() throws IOException {
    byte[] whole = Files.readAllBytes(file);
    for (int at = 0; at < whole.length; at++) {
      byte[] changed = whole.clone();
      changed[at] ^= (byte) (1 << at % Byte.SIZE);
      Files.write(file, changed);
      assertThatThrownBy(() -> open(ANYTHING))
          .as("byte %d", at)
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining(file.toString())
          .hasMessageContaining("damaged at byte ");
    }
  }

  @Test
  void cutInAFileThatIsNotTheLastIsAnError() throws IOException {
    try (Journal journal = open(ANYTHING)) {
      journal.roll();
      journal.write(CHANGES.get(0));
    }
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length < whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> open(ANYTHING))
          .as("cut at %d", length)
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining(directory.toString());
    }
  }

  @Test
  void missesFilesAndChangesThatMustBeThere() throws IOException {
    open(new Journal.Expected(9, 9, 0)).close();
    refuses(new Journal.Expected(0, 10, 0), "ends at change 9, but there were 10");
    refuses(new Journal.Expected(0, 0, 1), "does not go on after change 1");
    try (Journal journal = open(ANYTHING)) {
      journal.roll();
      journal.deleteBefore(8);
      assertThat(file).exists();
      journal.deleteBefore(9);
      assertThat(file).doesNotExist();
    }
    open(new Journal.Expected(9, 9, 9)).close();
    refuses(new Journal.Expected(8, 9, 9), "begins with change 9, but change 8 is needed");
  }

  private void refuses(Journal.Expected expected, String why) {
    assertThatThrownBy(() -> open(expected))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining(why);
  }
}
