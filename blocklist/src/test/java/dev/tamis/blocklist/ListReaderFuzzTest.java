package dev.tamis.blocklist;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Any bytes are lines, each of which is entries in canonical form, blank, or bad. */
class ListReaderFuzzTest {

  @FuzzTest(maxDuration = "5m")
  void everyLineIsAccountedFor(byte[] bytes) throws IOException {
    Examples bad = new Examples();
    List<Entry> entries = new ArrayList<>();
    LineCounts counts =
        ListReader.read(
            "list",
            new ByteArrayInputStream(bytes),
            bad,
            (line, number) -> {
              List<Entry> found = ListLine.parse(line);
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
    for (Entry entry : entries) {
      assertThat(Entry.parse(entry.text())).isEqualTo(entry);
    }
  }
}
