package dev.tamis.crawler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.h2.mvstore.WriteBuffer;
import org.junit.jupiter.api.io.TempDir;

/**
 * Any bytes are a journal or a change that writes itself back, or are refused. To fuzz:
 *
 * <pre>{@code
 * mvn -B verify -P fuzz -pl kit
 * }</pre>
 */
class SegmentFuzzTest {

  @TempDir private Path directory;

  @FuzzTest(maxDuration = "2m")
  void anyBytesAreReadOrRefused(byte[] bytes) throws IOException {
    Path file = Files.write(directory.resolve("journal-0000000000000000000.log"), bytes);
    try {
      Segment.End end = new Segment(file, 0).read(true, (number, change) -> {});
      assertThat(end.bytes()).isLessThanOrEqualTo(bytes.length);
    } catch (FileSystemException e) {
      assertThat(e).hasMessageContaining("damaged at byte");
    }
    try {
      Change change = ChangeCodec.read(ByteBuffer.wrap(bytes));
      WriteBuffer written = new WriteBuffer();
      ChangeCodec.write(change, written);
      assertThat(ChangeCodec.read(written.getBuffer().flip())).isEqualTo(change);
    } catch (IllegalArgumentException | CharacterCodingException e) {
      assertThat(e.getMessage()).isNotNull(); // refused
    }
  }
}
