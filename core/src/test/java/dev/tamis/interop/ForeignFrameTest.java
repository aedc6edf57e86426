package dev.tamis.interop;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.format.FormatException;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Frames of kind 10: each field has one right value, and every other is refused by its name. */
class ForeignFrameTest {

  private static final int HEADER = 128;

  @ParameterizedTest
  @EnumSource
  void aFrameIsTheHeaderAndTheForeignBytes(ForeignGolden golden) {
    ByteBuffer frame = ByteBuffer.wrap(golden.read(true)).order(ByteOrder.LITTLE_ENDIAN);
    byte[] foreign = golden.read(false);
    assertThat(frame.getShort(10)).isEqualTo((short) 10);
    assertThat(frame.getLong(16)).isEqualTo(foreign.length);
    assertThat(frame.getShort(26)).isEqualTo((short) golden.format().id());
    assertThat(frame.slice(HEADER, foreign.length)).isEqualTo(ByteBuffer.wrap(foreign));
    assertThat(frame.capacity()).isEqualTo(HEADER + foreign.length + 4);
  }

  @ParameterizedTest
  @CsvSource({
    "SPARK_2, 24, 1, 'hash at byte 24: expected 17, got 1'",
    "SPARK_2, 24, 16, 'hash at byte 24: expected 17, got 16'",
    "SPARK_2, 40, 1, 'seed at byte 40'",
    "GUAVA, 40, 7, 'seed at byte 40: expected 0, got'",
    "GUAVA, 26, 0, 'foreign format at byte 26'",
    "GUAVA, 26, 99, 'foreign format at byte 26'",
    "GUAVA, 26, 2, 'version at byte 128: expected 1 to 2'",
    "GUAVA, 28, 1, 'reserved byte at byte 28: expected 0, got 1'",
    "GUAVA, 39, 1, 'reserved byte at byte 39: expected 0, got 1'",
    "GUAVA, 48, 1, 'reserved byte at byte 48: expected 0, got 1'",
    "GUAVA, 123, 1, 'reserved byte at byte 123: expected 0, got 1'",
    "GUAVA, 128, 3, 'strategy at byte 128: expected 1, got 3'",
    "GUAVA, 133, 1, 'payload length at byte 16: expected 14 for the filter of guava'",
    "GUAVA, 132, 1, 'number of words at byte 130: expected at most'",
    "SPARK_1, 10, 11, 'kind at byte 10'",
  })
  void everyOtherValueIsRefused(ForeignGolden golden, int at, int value, String message) {
    byte[] frame = golden.read(true);
    frame[at] = (byte) value;
    repair(frame);
    refuses(
        FormatException.class,
        () ->
            ForeignFilters.readFrom(
                new ByteArrayInputStream(frame), KeyHasher.text(), frame.length),
        message);
  }

  /** Makes both checksums right, so that what lies behind them is reached. */
  private static void repair(byte[] frame) {
    put(frame, HEADER - Integer.BYTES);
    put(frame, frame.length - Integer.BYTES);
  }

  private static void put(byte[] frame, int end) {
    CRC32C checksum = new CRC32C();
    checksum.update(frame, 0, end);
    ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).putInt(end, (int) checksum.getValue());
  }
}
