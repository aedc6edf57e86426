package dev.tamis.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.HashedFilter;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Frames of kind 3 compared with docs/format.md. */
class CountingFramesTest {

  private static final byte[] FILE = GoldenFiles.read("v1-counting");

  @ParameterizedTest
  @CsvSource({
    "24, 2, 3, hash at byte 24",
    "26, 2, 7, layout at byte 26",
    "26, 2, 0, layout at byte 26",
    "28, 4, 33, hashes at byte 28",
    "32, 8, 511, bits at byte 32",
    "32, 8, -1, bits at byte 32",
    "32, 8, 2048, payload length at byte 16",
    "48, 8, 0, keys at byte 48",
    "56, 8, 0, fpp at byte 56",
    "64, 2, 0, counter bits at byte 64",
    "64, 2, 1, counter bits at byte 64",
    "64, 2, 4, payload length at byte 16",
    "64, 2, 17, counter bits at byte 64",
    "66, 1, 1, reserved byte at byte 66",
    "123, 1, 1, reserved byte at byte 123",
  })
  void aFieldThatLiesIsNamed(int at, int length, long value, String message) {
    byte[] lying = Bytes.repaired(Bytes.with(FILE, at, length, value));
    assertThat(Refusals.of(lying)).hasMessageContaining(message);
  }

  @Test
  void bitsThatBelongToNoCounterAreZero() {
    for (int word = 0; word < (FILE.length - 132) / 8; word++) {
      byte[] lying = FILE.clone();
      lying[128 + 8 * word + 7] |= (byte) 0x80; // twelve counters of five bits leave four
      assertThat(Refusals.of(Bytes.repaired(lying))).hasMessageContaining("counters at byte 128");
    }
  }

  @Test
  void anyCountersAreTaken() throws IOException {
    byte[] changed = FILE.clone();
    for (int at = 128; at < FILE.length - 4; at++) {
      changed[at] = (byte) ((at & 7) == 7 ? 0x0F : 0xFF);
    }
    System.arraycopy(FILE, FILE.length - 12, changed, FILE.length - 12, 8); // not a full word
    HashedFilter<CharSequence> full = Bytes.read(Bytes.repaired(changed));
    assertThat(full.expectedFpp()).isGreaterThan(0.9);
    assertThat(full.approximateElementCount().value()).isGreaterThan(100);
  }
}
