package dev.tamis.interop;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.HashedFilter;
import dev.tamis.filter.Filters;
import dev.tamis.format.FormatException;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What cannot be a filter is refused, with the place and what was found there. */
class HostileForeignBytesTest {

  private static final long LIMIT = 1 << 10;
  private static final String WORD = "0123456789abcdef";

  @ParameterizedTest
  @CsvSource({
    "GUAVA, '', 'strategy at byte 0: unexpected end of input'",
    "GUAVA, 02050000000100, 'strategy at byte 0: expected 1, got 2'",
    "GUAVA, ff050000000100, 'strategy at byte 0: expected 1, got 255'",
    "GUAVA, 010000000001, 'number of hashes at byte 1: expected 1 to 255, got 0'",
    "GUAVA, 010500000000, 'number of words at byte 2: expected 1 to 2147483647, got 0'",
    "GUAVA, 0105ffffffff, 'number of words at byte 2: expected 1 to 2147483647, got -1'",
    "GUAVA, 01057fffffff, 'number of words at byte 2: expected at most 128 within"
        + " 1024 bytes, got 2147483647'",
    "GUAVA, 010500000081, 'number of words at byte 2: expected at most 128'",
    "SPARK, 00000000, 'version at byte 0: expected 1 to 2, got 0'",
    "SPARK, 00000003, 'version at byte 0: expected 1 to 2, got 3'",
    "SPARK, 80000001, 'version at byte 0: expected 1 to 2, got -2147483647'",
    "SPARK, 0000000100000000, 'number of hashes at byte 4: expected 1 to 1075, got 0'",
    "SPARK, 00000001ffffffff, 'number of hashes at byte 4: expected 1 to 1075, got -1'",
    "SPARK, 0000000200000434, 'number of hashes at byte 4: expected 1 to 1075, got 1076'",
    "SPARK, 000000010000000500000000, 'number of words at byte 8: expected 1 to 2147483647, got"
        + " 0'",
    "SPARK, 0000000100000005ffffffff, 'number of words at byte 8'",
    "SPARK, 000000010000000500000081, 'number of words at byte 8: expected at most 128'",
    "SPARK, 00000002000000050000000700000000, 'number of words at byte 12'",
    "SPARK, 0000000200000005000000077fffffff, 'number of words at byte 12: expected at most 128'",
    "PARQUET, '', 'end at byte 0: expected one block of 32 bytes or more, all of them whole'",
    "PARQUET, 0123456789abcdef, 'end at byte 8: expected one block'",
  })
  void aHeaderThatCannotBeIsRefused(ForeignFormat format, String hex, String message) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    refuses(FormatException.class, () -> read(format, bytes, LIMIT), message);
  }

  /** The least and the most that is taken, each next to what is not. */
  @ParameterizedTest
  @CsvSource({
    "GUAVA, 0101 00000001, 8",
    "GUAVA, 01ff 00000001, 8",
    "SPARK, 00000001 00000001 00000001, 8",
    "SPARK, 00000002 00000433 80000000 00000001, 8",
    "GUAVA, 0101 00000080, 1024",
    "PARQUET, '', 32",
    "PARQUET, '', 96",
    "PARQUET, '', 1024",
  })
  void theLimitsThemselvesAreTaken(ForeignFormat format, String header, int bitBytes)
      throws IOException {
    byte[] bytes =
        HexFormat.of().parseHex(header.replace(" ", "") + WORD.repeat(bitBytes / Long.BYTES));
    ForeignFilter<CharSequence> filter = read(format, bytes, LIMIT);
    assertThat(filter.toForeignBytes()).isEqualTo(bytes);
    assertThat(filter.bitSize()).isEqualTo(bitBytes * 8L);
    refuses(FormatException.class, () -> read(format, bytes, bitBytes - 1), "at most");
  }

  @Test
  void moreWordsThanTheHeapHoldsAreRefusedWhateverTheLimit() {
    byte[] bytes = HexFormat.of().parseHex("01057fffffff");
    refuses(
        FormatException.class,
        () -> read(ForeignFormat.GUAVA, bytes, Long.MAX_VALUE),
        "number of words at byte 2: does not fit into the heap (the filter needs 17179869176");
  }

  @Test
  void parquetPastTheLimitIsRefusedUnread() {
    ByteArrayInputStream in = new ByteArrayInputStream(new byte[4_096]);
    refuses(
        FormatException.class,
        () -> ForeignFilters.readForeign(ForeignFormat.PARQUET, in, KeyHasher.text(), LIMIT),
        "end at byte 1024: expected at most 1024 bytes");
    assertThat(in.available()).isEqualTo(4_096 - 1_025);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsCutOffIsRefusedAtEveryLength(ForeignGolden golden) throws IOException {
    byte[] bytes = golden.read(false);
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      if (golden.format() == ForeignFormat.PARQUET && length > 0 && length % 32 == 0) {
        assertThat(read(golden.format(), cut, LIMIT).bitSize()).isEqualTo(length * 8L);
      } else {
        refuses(FormatException.class, () -> read(golden.format(), cut, LIMIT));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = "PARQUET", mode = EnumSource.Mode.EXCLUDE)
  void nothingIsReadPastTheEnd(ForeignGolden golden) throws IOException {
    byte[] bytes = golden.read(false);
    ByteArrayInputStream in = new ByteArrayInputStream(Arrays.copyOf(bytes, bytes.length + 5));
    ForeignFilters.readForeign(golden.format(), in, KeyHasher.text(), LIMIT);
    assertThat(in.available()).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource({
    "16, 'length field at byte 0: expected 15, got 16'",
    "1500, 'length at byte 1: expected a multiple of 32 up to 134217728, got 0'",
    "153e, 'length at byte 1: expected a multiple of 32 up to 134217728, got 31'",
    "153f, 'got -32'",
    "15c080808001, 'got 134217760'",
    "1580808080808001, 'length at byte 1: expected a number of at most 5 bytes'",
    "15401c1c00001c1c00001c2c000000, 'algorithm, hash and compression at byte 2'",
    "15401c1c00001c1c00001c1c000000, 'bits at byte 15: unexpected end of input'",
    "158080808001, 'algorithm, hash and compression at byte 6'",
  })
  void aHeaderOfAParquetFileThatCannotBeIsRefused(String hex, String message) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    refuses(
        FormatException.class,
        () ->
            ParquetBloomFilter.readWithHeaderFrom(
                new ByteArrayInputStream(bytes), KeyHasher.text(), LIMIT),
        message);
  }

  @Test
  void aFilterWithoutAHashOf64BitsIsAFilterToo() throws IOException {
    byte[] frame = ForeignGolden.GUAVA.read(true);
    assertThat(
            Filters.<CharSequence>readFrom(
                new ByteArrayInputStream(frame), KeyHasher.text(), LIMIT))
        .isInstanceOf(GuavaBloomFilter.class)
        .isNotInstanceOf(HashedFilter.class);
  }

  @Test
  void aSecretKeyIsRefused() {
    KeyHasher<CharSequence> keyed = KeyHasher.text().keyedBy(HashKey.of(new byte[HashKey.BYTES]));
    byte[] frame = ForeignGolden.SPARK_1.read(true);
    refuses(
        FormatException.class,
        () -> ForeignFilters.readFrom(new ByteArrayInputStream(frame), keyed, LIMIT),
        "hash at byte 24: expected one with a secret key");
    refuses(() -> SparkBloomFilter.create(keyed, 10, 0.1), "has no hash key");
  }

  private static ForeignFilter<CharSequence> read(ForeignFormat format, byte[] bytes, long limit)
      throws IOException {
    return ForeignFilters.readForeign(
        format, new ByteArrayInputStream(bytes), KeyHasher.text(), limit);
  }
}
