package dev.tamis.blocklist;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tamis.format.FormatException;
import dev.tamis.fuzz.InputBudget;
import dev.tamis.hash.HashKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * Any bytes are a block list that writes itself back, or are refused.
 *
 * <p>In the ordinary build this runs over the seeds beside it in the resources.
 */
class BlocklistFuzzTest {

  private static final int HEADER_CHECKSUM_AT = 60;

  /** That of the seed with a key. */
  private static final HashKey KEY =
      HashKey.of(HexFormat.of().parseHex("00112233445566778899aabbccddeeff"));

  /** The checksums are put right, or a fuzzer would hardly get past them. */
  @FuzzTest(maxDuration = "10m")
  void anyBytesAreReadOrRefused(byte[] bytes) throws IOException {
    InputBudget.check(bytes.length, () -> read(bytes));
  }

  private void read(byte[] bytes) throws IOException {
    check(bytes);
    if (bytes.length >= HEADER_CHECKSUM_AT + 2 * Integer.BYTES) {
      ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      file.putLong(16, bytes.length);
      file.putInt(HEADER_CHECKSUM_AT, checksum(bytes, HEADER_CHECKSUM_AT));
      int end = bytes.length - Integer.BYTES;
      file.putInt(end, checksum(bytes, end));
      check(bytes);
    }
  }

  private static void check(byte[] bytes) throws IOException {
    Path file = Files.createTempFile("fuzzed", ".block");
    try {
      Files.write(file, bytes);
      Blocklist blocklist;
      try {
        blocklist =
            Blocklist.hashIdOf(file).algorithm().isKeyed()
                ? Blocklist.load(file, KEY)
                : Blocklist.load(file);
      } catch (FileSystemException e) {
        assertThat(e).hasCauseInstanceOf(FormatException.class);
        return;
      }
      assertThat(blocklist.expectedFpp()).isBetween(0.0, 1.0);
      assertThat(blocklist.check("a+b@c.d.example")).isNotNull();
      assertThat(blocklist.check("http://c.d.example/e/f?g")).isNotNull();
      assertThat(blocklist.check("192.0.2.1")).isNotNull();
      assertThat(blocklist.check("2001:db8::1")).isNotNull();
      blocklist.save(file);
      assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
    } finally {
      Files.delete(file);
    }
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, length);
    return (int) checksum.getValue();
  }
}
