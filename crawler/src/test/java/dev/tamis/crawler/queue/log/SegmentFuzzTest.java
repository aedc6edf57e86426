package dev.tamis.crawler.queue.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tamis.fuzz.InputBudget;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Any bytes are a segment that is replayed up to its last complete record, or rejected. */
class SegmentFuzzTest {

  @TempDir private Path directory;

  @FuzzTest(maxDuration = "10m")
  void anyBytesAreReplayedOrRejected(byte[] bytes) throws IOException {
    InputBudget.check(bytes.length, () -> read(bytes));
  }

  private void read(byte[] bytes) throws IOException {
    Path file = Files.write(Segment.in(directory, 0).path(), bytes);
    try {
      Segment.End end = new Segment(file, 0).read(true, new TextCodec(), (number, text) -> {});
      assertThat(end.bytes()).isLessThanOrEqualTo(bytes.length);
    } catch (FileSystemException e) {
      assertThat(e).hasMessageContaining("damaged at byte");
    }
  }
}
