package dev.tamis.format;

import static dev.tamis.format.ReferenceFrame.set;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.filter.Filters;
import dev.tamis.hash.KeyHasher;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Headers of kinds 3, 5 and 6 that claim the most that docs/format.md allows and are refused for
 * what does not follow, and those that claim one step more and are refused for that.
 */
class LargestClaimsTest {

  private static final int KINDS_NUMBERS_AT = 24;

  @ParameterizedTest
  @CsvSource({
    "1099511627776, 16, true",
    "1099511627777, 16, false",
    "8796093022208, 2, true",
    "8796093022209, 2, false"
  })
  void countersInWords(long m, int w, boolean allowed) {
    int c = 64 / w;
    byte[] header = header(3, (m + c - 1) / c, 0.01);
    set(header, 26, 2, 1);
    set(header, 28, 4, 1);
    set(header, 32, 8, m);
    set(header, 48, 8, 1);
    set(header, 64, 2, w);
    assertClaim(header, allowed);
  }

  @ParameterizedTest
  @CsvSource({"8796093022208, true", "8796093022272, false"})
  void bitsOfTwoSlices(long m, boolean allowed) {
    byte[] header = header(5, 2 * m / 64, 0.01);
    set(header, 26, 2, 1);
    set(header, 28, 4, 1);
    set(header, 32, 8, m);
    set(header, 48, 8, 1);
    assertClaim(header, allowed);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 262144, 8189, true",
    "1, 1, 262144, 8190, false",
    "32, 65536, 1, 8388606, true",
    "32, 65536, 1, 8388607, false",
    "1, 1048576, 1, 1, true",
    "1, 2097152, 1, 1, false",
    "1, 1, 1, 4294967295, false",
  })
  void slotsOfAShardAndOfAll(int f, long shards, long l, long c, boolean allowed) {
    long bits = shards * (c + 2) * l * f;
    byte[] header = header(6, (shards + 7) / 8 + (bits + 63) / 64, Math.scalb(1.0, -f));
    set(header, 26, 2, 3);
    set(header, 28, 4, f);
    set(header, 32, 8, shards);
    set(header, 64, 4, l);
    set(header, 68, 4, c);
    assertClaim(header, allowed);
  }

  private static byte[] header(int kind, long words, double fpp) {
    byte[] header = Arrays.copyOf(BothReaders.file(kind, fpp, new byte[0]), 128);
    set(header, 16, 8, 8 * words);
    return header;
  }

  private static void assertClaim(byte[] header, boolean allowed) {
    FormatException refusal =
        Refusals.of(
            Bytes.repaired(header), in -> Filters.readFrom(in, KeyHasher.text(), Long.MAX_VALUE));
    boolean blamed = refusal.offset() >= KINDS_NUMBERS_AT && refusal.offset() < 124;
    assertThat(blamed).as(refusal.getMessage()).isEqualTo(!allowed);
  }
}
