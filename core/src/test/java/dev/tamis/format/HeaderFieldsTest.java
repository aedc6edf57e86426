package dev.tamis.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Thorough;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Headers with right checksums and wrong numbers: taken exactly if the reference takes them, which
 * was written from docs/format.md, and then written back as they were.
 */
class HeaderFieldsTest {

  /** Offset and length of every field of every kind. */
  private static final int[][] FIELDS = {
    {0, 8}, {8, 2}, {10, 2}, {12, 4}, {16, 8}, {24, 2}, {24, 4}, {26, 2}, {28, 4}, {32, 8}, {40, 8},
    {48, 8}, {56, 8}, {64, 2}, {64, 4}, {64, 8}, {66, 2}, {68, 4}, {72, 8}, {80, 4}, {116, 8},
  };

  private static final double[] NUMBERS = {
    -0.0,
    Double.MIN_VALUE,
    0.005,
    Math.nextDown(0.01),
    0.01,
    0.02,
    Math.nextDown(1.0),
    1,
    Math.nextUp(1.0),
    2,
    -0.01,
    Double.MAX_VALUE,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.NaN,
  };

  @ParameterizedTest
  @MethodSource("dev.tamis.format.GoldenFiles#names")
  void everyFieldAtEveryEdge(String name) throws IOException {
    byte[] file = GoldenFiles.read(name);
    for (int start : frames(file)) {
      for (int[] field : FIELDS) {
        int at = start + field[0];
        long was = ReferenceFrame.get(file, at, field[1]);
        for (long value : edges(was)) {
          check(Bytes.repaired(Bytes.with(file, at, field[1], value)));
        }
      }
      for (double value : NUMBERS) {
        long bits = Double.doubleToRawLongBits(value);
        check(Bytes.repaired(Bytes.with(file, start + 32, 8, bits)));
        check(Bytes.repaired(Bytes.with(file, start + 56, 8, bits)));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.tamis.format.GoldenFiles#names")
  void everyByteOfAHeader(String name) throws IOException {
    byte[] file = GoldenFiles.read(name);
    // divisors of 255; a compound file has many frames
    int step = frames(file).size() == 1 ? Thorough.or(15, 3) : Thorough.or(51, 15);
    for (int start : frames(file)) {
      for (int at = start; at < start + 124; at++) {
        for (int value = 0; value < 256; value += step) {
          check(Bytes.repaired(Bytes.with(file, at, 1, value)));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.tamis.format.GoldenFiles#names")
  void everyBitOfThePayload(String name) throws IOException {
    byte[] file = GoldenFiles.read(name);
    for (int bit = 8 * 128; bit < 8 * file.length; bit += Thorough.or(5, 1)) {
      byte[] changed = file.clone();
      changed[bit / 8] ^= (byte) (1 << (bit % 8));
      check(Bytes.repaired(changed));
    }
  }

  @ParameterizedTest
  @MethodSource("dev.tamis.format.GoldenFiles#names")
  void lengthsLieInBothDirections(String name) throws IOException {
    byte[] file = GoldenFiles.read(name);
    for (int start : frames(file)) {
      long payload = ReferenceFrame.get(file, start + 16, 8);
      for (long lie = -payload - 9; lie <= 2_000; lie++) {
        check(Bytes.repaired(Bytes.with(file, start + 16, 8, payload + lie)));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1-classic", "v1-split-pair"})
  void layoutsHashesAndBitsTogether(String name) throws IOException {
    byte[] file = GoldenFiles.read(name);
    long bits = ReferenceFrame.get(file, 32, 8);
    for (int layout = 0; layout <= 6; layout++) {
      for (int hashes = 0; hashes <= 34; hashes++) {
        for (long m = bits - 70; m <= bits + 70; m += Thorough.or(7, 1)) {
          byte[] changed = Bytes.with(file, 26, 2, layout);
          ReferenceFrame.set(changed, 28, 4, hashes);
          ReferenceFrame.set(changed, 32, 8, m);
          check(Bytes.repaired(changed));
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "8, 2, 2, 'version at byte 8: expected 1, got 2'",
    "10, 2, 0, 'kind at byte 10: expected 1 to 10, got 0'",
    "10, 2, 11, 'kind at byte 10: expected 1 to 10, got 11'",
    "12, 4, 129, 'header length at byte 12: expected 128, got 129'",
    "24, 2, 2, 'hash at byte 24: expected one without a key, as the hasher has none, got"
        + " siphash-2-4 with key id 000000000000002a'",
    "123, 1, 7, 'reserved byte at byte 123: expected 0, got 7'",
  })
  void messageSaysWhatIsWrong(int at, int length, long value, String message) {
    byte[] changed = Bytes.repaired(Bytes.with(GoldenFiles.read("v1-line"), at, length, value));
    assertThat(Refusals.of(changed)).hasMessage("not a valid filter: " + message);
  }

  @Test
  void messageSaysHowLongThePayloadIs() {
    byte[] file = GoldenFiles.read("v1-line");
    long payload = ReferenceFrame.get(file, 16, 8);
    assertThat(Refusals.of(Bytes.repaired(Bytes.with(file, 16, 8, payload + 8))))
        .hasMessage(
            "not a valid filter: payload length at byte 16: expected "
                + payload
                + " for "
                + (8 * payload)
                + " bits, got "
                + (payload + 8));
    assertThat(Refusals.of(Bytes.repaired(Bytes.with(file, 16, 8, -1))))
        .hasMessage(
            "not a valid filter: payload length at byte 16: expected at most 1048576 bytes, got"
                + " 18446744073709551615");
  }

  /** Each parameter of a filter is blamed by its own name, at its own place. */
  @ParameterizedTest
  @CsvSource({
    "v1-line, 26, 2, 9, layout",
    "v1-line, 28, 4, 99, hashes",
    "v1-line, 28, 4, 4294967295, hashes",
    "v1-line, 32, 8, 513, bits",
    "v1-line, 48, 8, 0, expectedKeys",
    "v1-line, 56, 8, 0, fpp",
    "v1-counting, 26, 2, 0, layout",
    "v1-counting, 28, 4, 33, hashes",
    "v1-counting, 32, 8, -1, bits",
    "v1-counting, 48, 8, 0, keys",
    "v1-counting, 56, 8, 0, fpp",
    "v1-counting, 64, 2, 17, counter bits",
    "v1-counting, 66, 1, 1, reserved byte",
    "v1-cuckoo, 26, 2, 33, fingerprint bits",
    "v1-cuckoo, 28, 4, 1, reserved byte",
    "v1-cuckoo, 32, 8, 37, buckets",
    "v1-cuckoo, 48, 8, 153, expected keys",
    "v1-cuckoo, 56, 8, 0, fpp",
    "v1-windowed, 26, 2, 5, blocks of a key",
    "v1-windowed, 28, 4, 8, lane",
    "v1-windowed, 32, 8, 0, blocks of a section",
    "v1-windowed, 48, 8, 0, keys of a generation",
    "v1-windowed, 56, 8, -1, fpp",
    "v1-windowed, 64, 8, -1, nanoseconds of a generation",
    "v1-windowed, 72, 8, 15, puts",
    "v1-windowed, 80, 1, 1, reserved byte",
  })
  void parameterIsNamedWithItsOffset(String name, int at, int length, long value, String field) {
    FormatException refusal =
        Refusals.of(Bytes.repaired(Bytes.with(GoldenFiles.read(name), at, length, value)));
    assertThat(refusal).hasMessageContaining(field);
    assertThat(refusal.offset()).isEqualTo(at);
  }

  @ParameterizedTest
  @CsvSource({
    "26, 2, 33, 'columns at byte 26: expected 1 to 32, got 33'",
    "28, 4, 65, 'layers at byte 28: expected 1 to 64, got 65'",
    "32, 8, 1, 'reserved byte at byte 32: expected 0, got 1'",
    "48, 8, 0, 'layers at byte 28: expected 0, got'",
    "48, 8, 2199023255553, 'keys must be 0 to 2199023255552, got 2199023255553'",
    "56, 8, 0, 'fpp must be in (0, 1), got 0'",
    "56, 8, -1, 'fpp must be in (0, 1), got NaN'",
    "56, 8, 4467570830351532031, 'fpp must be at least 2^-31, got 4.65'",
    "128, 8, 1, 'blocks must be 2 to 274877906944, got 1'",
    "128, 8, 274877906944, 'a layer must end by word'",
    "128, 8, 274877906945, 'blocks must be 2 to 274877906944, got 274877906945'",
    "136, 8, -1, 'narrow blocks must be 0 to'",
    "136, 8, 1000, 'narrow blocks must be 0 to'",
  })
  void numbersOfARibbonFilterHaveLimits(int at, int length, long value, String message) {
    byte[] changed = Bytes.with(GoldenFiles.read("v1-ribbon"), at, length, value);
    assertThat(Refusals.of(Bytes.repaired(changed))).hasMessageContaining(message);
  }

  /** Returns where the frames of a file begin, the outermost first. */
  private static List<Integer> frames(byte[] file) {
    List<Integer> starts = new ArrayList<>(List.of(0));
    if (ReferenceFrame.get(file, 10, 2) == 2) {
      int at = ReferenceFrame.HEADER;
      while (at < file.length - ReferenceFrame.TRAILER) {
        starts.add(at);
        at += ReferenceFrame.HEADER + (int) ReferenceFrame.get(file, at + 16, 8);
        at += ReferenceFrame.TRAILER;
      }
    }
    return starts;
  }

  private static long[] edges(long was) {
    return new long[] {
      0,
      1,
      2,
      was - 1,
      was + 1,
      was / 2,
      2 * was,
      0x7F,
      0xFF,
      0x7FFF,
      0xFFFF,
      0x7FFF_FFFFL,
      0xFFFF_FFFFL,
      Long.MAX_VALUE,
      Long.MIN_VALUE,
      -1,
      -2,
      -was,
    };
  }

  private static void check(byte[] file) throws IOException {
    try {
      ReferenceFilter.read(file, Instant.EPOCH);
    } catch (ReferenceFrame.Refused e) {
      Refusals.of(file, in -> Bytes.read(file, Instant.EPOCH));
      return;
    }
    assertThat(Bytes.of(Bytes.read(file, Instant.EPOCH))).isEqualTo(file);
  }
}
