package dev.tamis.crawler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tamis.fuzz.InputBudget;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Any bytes are a change that encodes to the same change, or rejected. */
class ChangeCodecFuzzTest {

  private final ChangeCodec codec = new ChangeCodec();

  @FuzzTest(maxDuration = "10m")
  void anyBytesAreAChangeOrRejected(byte[] bytes) {
    InputBudget.check(bytes.length, () -> read(bytes));
  }

  private void read(byte[] bytes) {
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
