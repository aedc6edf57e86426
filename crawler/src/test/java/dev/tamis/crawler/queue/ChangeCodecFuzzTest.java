package dev.tamis.crawler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Any bytes are a change that encodes to the same change, or rejected. To fuzz:
 *
 * <pre>{@code
 * mvn -B verify -P fuzz -pl crawler
 * }</pre>
 */
class ChangeCodecFuzzTest {

  private final ChangeCodec codec = new ChangeCodec();

  @FuzzTest(maxDuration = "2m")
  void anyBytesAreAChangeOrRejected(byte[] bytes) {
    try {
      Change change = decode(bytes);
      assertThat(decode(codec.encode(change))).isEqualTo(change);
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).isNotNull(); // rejected
    }
  }

  private Change decode(byte[] bytes) {
    return codec.decode(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
  }
}
