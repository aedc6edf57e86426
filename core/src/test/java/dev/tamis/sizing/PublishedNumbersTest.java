package dev.tamis.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What other libraries measured and published, with their own hashes and code, comes out here. */
class PublishedNumbersTest {

  /** Large enough for the limit of many keys, and a multiple of 512. */
  private static final long KEYS = 512 * 200_000;

  /** Boost queries ten million keys that are not in the filter. */
  private static final double BOOST_QUERIES = 1e7;

  /** apache/parquet-format, BloomFilter.md: bits to a tenth, not all rounded to the nearest. */
  @ParameterizedTest
  @CsvSource({"6.0, 0.1", "10.5, 0.01", "16.9, 0.001", "26.4, 0.0001", "41, 0.00001"})
  void parquetNeedsTheseBitsForAnFpp(double bitsPerKey, double fpp) {
    assertThat(SplitBlocks.fpp(8, 32, KEYS, bitsPerKey - 0.1)).isGreaterThan(fpp);
    assertThat(SplitBlocks.fpp(8, 32, KEYS, bitsPerKey + 0.1)).isLessThan(fpp);
  }

  /**
   * facebook/rocksdb, util/bloom_impl.h and PR 6092. Its probes within a line nearly always differ,
   * where ours may coincide; that is worth up to 1.2 % of the fpp at ten bits per key (0.955 % if
   * they always differ, 0.9665 % if they are independent) and less where the fill is lower.
   */
  @ParameterizedTest
  @CsvSource({"10, 6, 0.957, 0.012", "16, 9, 0.0843, 0.004", "16, 11, 0.0884, 0.004"})
  void rocksDbMeasuresTheFppOfLines(int bitsPerKey, int hashes, double percent, double share) {
    assertThat(100 * line(bitsPerKey, hashes).fpp(KEYS))
        .isCloseTo(percent, within(share * percent));
  }

  /** The same: {@code block<u64[8]>}. */
  @ParameterizedTest
  @CsvSource({"8, 5, 2.3292", "12, 7, 0.4140", "16, 9, 0.0852", "20, 12, 0.0196"})
  void boostMeasuresTheFppOfLines(int bitsPerKey, int hashes, double percent) {
    double fpp = line(bitsPerKey, hashes).fpp(KEYS);
    assertThat(fpp).isCloseTo(percent / 100, within(boostNoise(fpp)));
  }

  /**
   * The same: {@code multiblock<u64>}, {@code fast_multiblock32} and {@code multiblock<u64[8]>},
   * which put one bit in each of k words, of 64, 32 and 512 bits.
   */
  @ParameterizedTest
  @CsvSource({
    "64, 8, 5, 2.4510", "64, 12, 8, 0.4207", "64, 16, 11, 0.0764", "64, 20, 13, 0.0150",
    "32, 8, 5, 2.7361", "32, 12, 8, 0.5415", "32, 16, 11, 0.1179", "32, 20, 13, 0.0275",
    "512, 8, 7, 2.3389", "512, 12, 10, 0.3468", "512, 16, 11, 0.0493", "512, 20, 15, 0.0076",
  })
  void boostMeasuresTheFppOfSplitBlocks(int wordBits, int bitsPerKey, int hashes, double percent) {
    double fpp = SplitBlocks.fpp(hashes, wordBits, KEYS, bitsPerKey);
    assertThat(fpp).isCloseTo(percent / 100, within(boostNoise(fpp)));
  }

  /** The same: the classic filter. */
  @ParameterizedTest
  @CsvSource({"8, 6, 2.1519", "12, 9, 0.3180", "16, 11, 0.0469", "20, 14, 0.0065"})
  void boostMeasuresTheFppOfTheClassicFilter(int bitsPerKey, int hashes, double percent) {
    double fpp = new Shape(Layout.CLASSIC, bitsPerKey * KEYS, hashes).fpp(KEYS);
    assertThat(fpp).isCloseTo(percent / 100, within(boostNoise(fpp)));
  }

  /**
   * redis.io, BF.RESERVE. Its bits are those of a broken number of hashes, ours of a whole one,
   * which is never less and at most 0.2 % more; it rounds 13.3 hashes up.
   */
  @ParameterizedTest
  @CsvSource({"0.01, 7, 7, 9.585", "0.001, 10, 10, 14.378", "0.0001, 13, 14, 19.170"})
  void redisNeedsTheseBitsForAnFpp(double fpp, int hashes, int redisHashes, double bitsPerKey) {
    Sizing.Builder builder = Sizing.builder().layout(Layout.CLASSIC).expectedKeys(KEYS).fpp(fpp);
    assertThat(builder.solve().shape().hashes()).isEqualTo(hashes);
    assertThat(builder.solve().bitsPerKey()).isBetween(bitsPerKey - 0.0005, 1.002 * bitsPerKey);
    assertThat(builder.hashes(redisHashes).solve().bitsPerKey())
        .isBetween(bitsPerKey - 0.0005, 1.003 * bitsPerKey);
  }

  /** Half a unit of the last digit printed, and four standard deviations of the measurement. */
  private static double boostNoise(double fpp) {
    return 0.5e-6 + 4 * Math.sqrt(fpp / BOOST_QUERIES);
  }

  private static Shape line(double bitsPerKey, int hashes) {
    long lines = Math.round(bitsPerKey * KEYS / Layout.LINE_BITS);
    return new Shape(Layout.LINE, lines * Layout.LINE_BITS, hashes);
  }
}
