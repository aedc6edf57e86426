package dev.tamis.tools.digest;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tamis.format.FormatException;
import dev.tamis.fuzz.InputBudget;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Any bytes are a digest that writes itself back, or are refused. */
class CacheDigestFuzzTest {

  private static final int HEADER_BYTES = 128;
  private static final int MAX_BYTES = 1 << 20;

  /** The size is put right, or a fuzzer would hardly get past it. */
  @FuzzTest(maxDuration = "10m")
  void anyBytesAreReadOrRefused(byte[] bytes) throws IOException {
    InputBudget.check(bytes.length, () -> read(bytes));
  }

  private void read(byte[] bytes) throws IOException {
    check(bytes);
    if (bytes.length > HEADER_BYTES) {
      int maskBytes = bytes.length - HEADER_BYTES;
      ByteBuffer.wrap(bytes)
          .putInt(0, 0x0005_0003)
          .putInt(4, maskBytes)
          .putInt(16, maskBytes)
          .putShort(20, (short) 0x0804);
      check(bytes);
    }
  }

  private static void check(byte[] bytes) throws IOException {
    CacheDigest digest;
    try {
      digest = CacheDigest.readFrom(new ByteArrayInputStream(bytes), MAX_BYTES);
    } catch (FormatException e) {
      assertThat(e).hasMessageStartingWith("not a valid cache digest: ");
      return;
    }
    assertThat(Digests.bytes(digest)).isEqualTo(bytes);
    assertThat(digest.expectedFpp()).isBetween(0.0, 1.0);
    assertThat(digest.approximateElementCount().low()).isNotNegative();
    digest.put(CachedMethod.GET, "http://example.com/");
    assertThat(digest.mightContain(CachedMethod.GET, "http://example.com/")).isTrue();
  }
}
