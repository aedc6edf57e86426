package dev.tamis.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
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

  /** The same page: 1024 blocks filled with 26,214 keys. */
  @Test
  void parquetsExampleHasItsFpp() {
    assertThat(SplitBlocks.fpp(8, 32, 26_214, 1024 * 256 / 26_214.0))
        .isCloseTo(0.0126, within(0.5e-4));
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

  /** boostorg/bloom, doc/bloom/benchmarks.adoc: {@code block<u64>}. */
  @ParameterizedTest
  @CsvSource({"8, 4, 3.3467", "12, 5, 1.0300", "16, 6, 0.4034", "20, 7, 0.1887"})
  void boostMeasuresTheFppOfBlocksOf64(int bitsPerKey, int hashes, double percent) {
    double fpp = BlockLoad.mean(KEYS, 64.0 / bitsPerKey / KEYS, Occupancy.of(64, hashes)::hit);
    assertThat(fpp).isCloseTo(percent / 100, within(boostNoise(fpp)));
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

  /** D. Lemire's talk; one digit, cut or rounded as it came: one unit of it either way. */
  @ParameterizedTest
  @CsvSource({
    "9, 6, 1.3, 0.1", "10, 7, 0.8, 0.1", "12, 8, 0.3, 0.1",
    "13, 9, 0.2, 0.1", "15, 10, 0.07, 0.01", "16, 11, 0.04, 0.01",
  })
  void lemireShowsTheFppOfTheClassicFilter(
      int bitsPerKey, int hashes, double percent, double unit) {
    double fpp = new Shape(Layout.CLASSIC, bitsPerKey * KEYS, hashes).fpp(KEYS);
    assertThat(100 * fpp).isCloseTo(percent, within(unit));
  }

  @ParameterizedTest
  @CsvSource({
    "2.09, 2",
    "3.59, 3",
    "5.11, 4",
    "6.68, 5",
    "8.32, 6",
    "10.06, 7",
    "11.93, 8",
    "13.94, 9",
    "16.13, 10",
    "18.53, 11",
    "21.19, 12",
  })
  void bestHashesOfALineSwitchHere(double bitsPerKey, int hashes) {
    // the first hundredth of a bit from which on the larger number is the better one
    assertThat(bestLine(bitsPerKey - 0.01).hashes()).isEqualTo(hashes - 1);
    assertThat(bestLine(bitsPerKey).hashes()).isEqualTo(hashes);
  }

  /**
   * facebook/rocksdb, util/bloom_impl.h, {@code ChooseNumProbes}: found by trying. Where it
   * switches, the two choices differ by next to nothing: by 1.2 % at 22 bits per key, by less
   * elsewhere.
   */
  @ParameterizedTest
  @CsvSource({
    "2.080, 2",
    "3.580, 3",
    "5.100, 4",
    "6.640, 5",
    "8.300, 6",
    "10.070, 7",
    "11.720, 8",
    "14.001, 9",
    "16.050, 10",
    "18.300, 11",
    "22.001, 12",
  })
  void rocksDbSwitchesWhereTheHashesAreAlike(double bitsPerKey, int hashes) {
    double fewer = line(bitsPerKey, hashes - 1).fpp(KEYS);
    assertThat(line(bitsPerKey, hashes).fpp(KEYS)).isCloseTo(fewer, within(0.013 * fewer));
  }

  /** Half a unit of the last digit printed, and four standard deviations of the measurement. */
  private static double boostNoise(double fpp) {
    return 0.5e-6 + 4 * Math.sqrt(fpp / BOOST_QUERIES);
  }

  private static Shape bestLine(double bitsPerKey) {
    return Sizing.builder()
        .layout(Layout.LINE)
        .bits((long) (bitsPerKey * KEYS))
        .expectedKeys(KEYS)
        .solve()
        .shape();
  }

  private static Shape line(double bitsPerKey, int hashes) {
    long lines = Math.round(bitsPerKey * KEYS / Layout.LINE_BITS);
    return new Shape(Layout.LINE, lines * Layout.LINE_BITS, hashes);
  }
}
