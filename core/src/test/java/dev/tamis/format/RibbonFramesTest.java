package dev.tamis.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.filter.RibbonFilter;
import dev.tamis.filter.RibbonFilterBuilder;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames of kind 7 with right checksums and wrong numbers. */
class RibbonFramesTest {

  private static final byte[] FILE = file(3_000, 0.01);

  @ParameterizedTest
  @CsvSource({
    "26, 2, 0, 'columns at byte 26: expected 1 to 32, got 0'",
    "26, 2, 33, 'columns at byte 26: expected 1 to 32, got 33'",
    "26, 2, 65535, 'columns at byte 26: expected 1 to 32, got 65535'",
    "28, 4, 0, 'layers at byte 28: expected 1 to 64, got 0'",
    "28, 4, 65, 'layers at byte 28: expected 1 to 64, got 65'",
    "28, 4, 4294967295, 'layers at byte 28: expected 1 to 64, got 4294967295'",
    "32, 8, 1, 'reserved byte at byte 32: expected 0, got 1'",
    "39, 1, 9, 'reserved byte at byte 39: expected 0, got 9'",
    "48, 8, 0, 'layers at byte 28: expected 0, got'",
    "48, 8, -1, 'keys must be 0 to 2199023255552, got -1'",
    "48, 8, 2199023255553, 'keys must be 0 to 2199023255552, got 2199023255553'",
    "56, 8, 0, 'fpp must be in (0, 1), got 0'",
    "56, 8, 4607182418800017408, 'fpp must be in (0, 1), got 1'",
    "56, 8, -1, 'fpp must be in (0, 1), got NaN'",
    "56, 8, 4467570830351532031, 'fpp must be at least 2^-31, got 4.65'",
    "64, 1, 1, 'reserved byte at byte 64: expected 0, got 1'",
    "123, 1, 1, 'reserved byte at byte 123: expected 0, got 1'",
    "128, 8, 1, 'blocks must be 2 to 274877906944, got 1'",
    "128, 8, 274877906944, 'a layer must end by word'",
    "128, 8, 274877906945, 'blocks must be 2 to 274877906944, got 274877906945'",
    "128, 8, -9223372036854775808, 'blocks must be 2 to 274877906944, got'",
    "136, 8, -1, 'narrow blocks must be 0 to'",
    "136, 8, 1000, 'narrow blocks must be 0 to'",
  })
  void numbersOutOfRangeAreRefused(int at, int length, long value, String message) {
    assertThat(Refusals.of(Bytes.repaired(Bytes.with(FILE, at, length, value))))
        .hasMessageContaining(message);
  }

  @Test
  void numbersAtTheirLimitsAreTaken() throws IOException {
    check(Bytes.with(FILE, 48, 8, 1));
    check(Bytes.with(FILE, 48, 8, 1L << 41));
    check(Bytes.with(FILE, 56, 8, Double.doubleToRawLongBits(0x1p-31)));
    check(Bytes.with(FILE, 56, 8, Double.doubleToRawLongBits(Math.nextDown(1.0))));
  }

  @ParameterizedTest
  @ValueSource(ints = {-8, -4, -1, 1, 4, 7, 8, 16, 800})
  void payloadsOfAnotherLengthAreRefused(int more) {
    byte[] file = Arrays.copyOf(FILE, FILE.length + more);
    ReferenceFrame.set(file, 16, 8, file.length - 132);
    assertThat(Refusals.of(Bytes.repaired(file)).offset()).isIn(16L, 128L);
  }

  @Test
  void anEmptyFilterHasNoPayload() throws IOException {
    byte[] file = file(0, 0.01);
    assertThat(file).hasSize(132);
    check(file);
    byte[] longer = Arrays.copyOf(file, file.length + 8);
    ReferenceFrame.set(longer, 16, 8, 8);
    Refusals.of(Bytes.repaired(longer));
    Refusals.of(Bytes.repaired(Bytes.with(file, 28, 4, 1)));
    Refusals.of(Bytes.repaired(Bytes.with(file, 48, 8, 1)));
  }

  @Test
  void everyBitOfThePayloadIsTakenOrRefusedButNothingElse() throws IOException {
    for (byte[] file : new byte[][] {file(100, 0.2), file(500, 0.01)}) {
      int refused = 0;
      for (int bit = 8 * 128; bit < 8 * (file.length - 4); bit++) {
        byte[] changed = file.clone();
        changed[bit / 8] ^= (byte) (1 << (bit % 8));
        changed = Bytes.repaired(changed);
        refused += isRefused(changed) ? 1 : 0;
      }
      assertThat(refused).isBetween(3 * 64, file.length);
    }
  }

  /** Returns whether the bytes are refused; if not, the filter must work and be what was read. */
  private static boolean isRefused(byte[] file) throws IOException {
    RibbonFilter<CharSequence> filter;
    try {
      filter = (RibbonFilter<CharSequence>) Bytes.read(file);
    } catch (FormatException e) {
      return true;
    }
    assertThat(Bytes.of(filter)).isEqualTo(file);
    assertThat(filter.expectedFpp()).isBetween(0.0, 1.0);
    for (int i = 0; i < 50; i++) {
      filter.mightContain(GoldenFiles.key(i));
    }
    return false;
  }

  private static void check(byte[] file) throws IOException {
    byte[] repaired = Bytes.repaired(file);
    assertThat(Bytes.of(Bytes.read(repaired))).isEqualTo(repaired);
  }

  private static byte[] file(int keys, double fpp) {
    RibbonFilterBuilder<CharSequence> builder =
        RibbonFilter.<CharSequence>builder(KeyHasher.text()).fpp(fpp);
    for (int i = 0; i < keys; i++) {
      builder.put(GoldenFiles.key(i));
    }
    return builder.build().toByteArray();
  }
}
