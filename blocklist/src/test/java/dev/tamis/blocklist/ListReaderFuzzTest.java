package dev.tamis.blocklist;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tamis.blocklist.BuildSummary.LineCounts;
import dev.tamis.blocklist.ListReader.Examples;
import dev.tamis.fuzz.InputBudget;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Any bytes are lines, and each line is entries in canonical form, blank, or bad. */
class ListReaderFuzzTest {

  @FuzzTest(maxDuration = "10m")
  void everyLineIsAccountedFor(byte[] bytes) throws IOException {
    InputBudget.check(bytes.length, () -> read(bytes));
  }

  private void read(byte[] bytes) throws IOException {
    Examples bad = new Examples();
    List<ListEntry> entries = new ArrayList<>();
    LineCounts counts =
        ListReader.read(
            "list",
            new ByteArrayInputStream(bytes),
            bad,
            (line, number) -> {
              List<ListEntry> found = ListLine.parse(line);
              entries.addAll(found);
              return !found.isEmpty();
            });
    long newlines = 0;
    for (byte b : bytes) {
      newlines += b == '\n' ? 1 : 0;
    }
    boolean open = bytes.length > 0 && bytes[bytes.length - 1] != '\n';
    assertThat(counts.lines()).isEqualTo(newlines + (open ? 1 : 0));
    assertThat(counts.blank()).isNotNegative();
    assertThat(counts.bad()).isEqualTo(bad.count());
    for (ListEntry entry : entries) {
      assertThat(ListEntry.parse(entry.text())).isEqualTo(entry);
    }
  }
}
