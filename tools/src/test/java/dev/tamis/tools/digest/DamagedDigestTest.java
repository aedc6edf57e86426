package dev.tamis.tools.digest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.format.FormatException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bytes that are no digest: each is refused by the name of the field that is wrong. */
class DamagedDigestTest {

  @Test
  void everyTruncationIsRefused() throws IOException {
    byte[] bytes = Files.readAllBytes(Digests.golden());
    for (int length = 0; length < bytes.length; length++) {
      byte[] part = Arrays.copyOf(bytes, length);
      String field = length < 128 ? "header" : "mask";
      assertThatThrownBy(() -> Digests.read(part))
          .isInstanceOf(FormatException.class)
          .hasMessageStartingWith("not a valid cache digest: " + field + " at byte " + length);
    }
  }

  @Test
  void anythingAfterTheBitsIsRefused() throws IOException {
    byte[] bytes = Files.readAllBytes(Digests.golden());
    assertThatThrownBy(() -> Digests.read(Arrays.copyOf(bytes, bytes.length + 1)))
        .hasMessage("not a valid cache digest: end at byte 348: expected no more bytes, got more");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | 2 | 2 | version at byte 0: expected at least 3, got 2",
        "0 | 2 | -1 | version at byte 0: expected at least 3, got -1",
        "2 | 2 | 6 | required version at byte 2: expected 0 to 5, got 6",
        "2 | 2 | -1 | required version at byte 2: expected 0 to 5, got -1",
        "4 | 4 | 0 | capacity at byte 4: expected 1 to 429496727 with 5 bits per entry, got" + " 0",
        "4 | 4 | -352 | capacity at byte 4: expected 1 to 429496727 with 5 bits per entry,"
            + " got -352",
        "4 | 4 | 429496728 | capacity at byte 4: expected 1 to 429496727 with 5 bits per entry,"
            + " got 429496728",
        "4 | 4 | 353 | mask_size at byte 16: expected 221 bytes for 353 entries of 5 bits, got"
            + " 220",
        "8 | 4 | -1 | count at byte 8: expected at least 0, got -1",
        "12 | 4 | -1 | del_count at byte 12: expected at least 0, got -1",
        "16 | 4 | 0 | mask_size at byte 16: expected 220 bytes for 352 entries of 5 bits, got 0",
        "16 | 4 | -1 | mask_size at byte 16: expected 220 bytes for 352 entries of 5 bits, got"
            + " -1",
        "16 | 4 | 219 | mask_size at byte 16: expected 220 bytes for 352 entries of 5 bits, got"
            + " 219",
        "16 | 4 | 2147483647 | mask_size at byte 16: expected 220 bytes for 352 entries of 5 bits,"
            + " got 2147483647",
        "20 | 1 | 0 | bits_per_entry at byte 20: expected at least 1, got 0",
        "20 | 1 | 255 | mask_size at byte 16: expected 11220 bytes for 352 entries of 255 bits,"
            + " got 220",
        "21 | 1 | 0 | hash_func_count at byte 21: expected 4, got 0",
        "21 | 1 | 5 | hash_func_count at byte 21: expected 4, got 5",
        "22 | 1 | 1 | reserved byte at byte 22: expected 0, got 1",
        "127 | 1 | 255 | reserved byte at byte 127: expected 0, got 255",
      })
  void aFieldThatLiesIsNamed(int at, int width, int value, String expected) throws IOException {
    byte[] bytes = Files.readAllBytes(Digests.golden());
    set(bytes, at, width, value);
    assertThatThrownBy(() -> Digests.read(bytes))
        .isInstanceOf(FormatException.class)
        .hasMessage("not a valid cache digest: " + expected);
  }

  @ParameterizedTest
  @CsvSource({"0, 3", "0, 6", "0, 32767", "2, 0", "2, 5"})
  void versionsThatSquidReadsAreReadAndKept(int at, int value) throws IOException {
    byte[] bytes = Files.readAllBytes(Digests.golden());
    set(bytes, at, 2, value);
    assertThat(Digests.bytes(Digests.read(bytes))).isEqualTo(bytes);
  }

  private static void set(byte[] bytes, int at, int width, int value) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    switch (width) {
      case 1 -> buffer.put(at, (byte) value);
      case 2 -> buffer.putShort(at, (short) value);
      default -> buffer.putInt(at, value);
    }
  }

  @Test
  void moreThanTheMemoryGivenIsRefused() throws IOException {
    byte[] bytes = Files.readAllBytes(Digests.golden());
    for (int maxBytes : new int[] {220, 221}) {
      InputStream in = new ByteArrayInputStream(bytes);
      assertThat(CacheDigest.readFrom(in, maxBytes).serializedSize()).isEqualTo(348);
    }
    assertThatThrownBy(() -> CacheDigest.readFrom(new ByteArrayInputStream(bytes), 219))
        .hasMessage(
            "not a valid cache digest: mask at byte 128: expected at most 219 bytes, got 220");
  }

  @Test
  void aHeaderThatPromisesMuchCostsNothingBeforeItComes() throws IOException {
    byte[] bytes = Arrays.copyOf(Files.readAllBytes(Digests.golden()), 128);
    DigestSize large = DigestSize.ofEntries(429_496_727);
    ByteBuffer.wrap(bytes).putInt(4, large.capacity()).putInt(16, large.maskBytes());
    Runtime.getRuntime().gc();
    for (int i = 0; i < 1000; i++) { // 250 GiB, if they were allocated
      assertThatThrownBy(
              () -> CacheDigest.readFrom(new ByteArrayInputStream(bytes), Long.MAX_VALUE))
          .hasMessage("not a valid cache digest: mask at byte 128: unexpected end of input");
    }
  }
}
