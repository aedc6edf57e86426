package dev.tamis.filter;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.Keys;
import dev.tamis.RoundTripConformance;
import dev.tamis.StaticFilterConformance;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.RibbonSizing;
import java.io.IOException;
import java.io.InputStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RibbonFilterTest extends StaticFilterConformance<RibbonFilter<Long>> {

  /** How much more than log2(1/p) bits per key it takes at most, all included. */
  private static final double PROMISE = 1.05;

  @Override
  protected RibbonFilterBuilder<Long> builder() {
    return RibbonFilter.builder(KeyHasher.longs());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.25, 0.1, 0.05, 0.03, 0.01, 0.005, 1e-3, 1e-4, 1e-6})
  void aMillionKeysTakeLittleMoreThanTheFewestBits(double fpp) {
    assertKeepsItsPromises(1_000_000, fpp, 1_000_000);
  }

  @Tag("thorough")
  @ParameterizedTest
  @ValueSource(doubles = {0.25, 0.1, 0.05, 0.03, 0.01, 0.005, 1e-3, 1e-4, 1e-6})
  void tenMillionKeysTakeLittleMoreThanTheFewestBits(double fpp) {
    assertKeepsItsPromises(10_000_000, fpp, 20_000_000);
  }

  @ParameterizedTest
  @CsvSource({"0.9, 1.5", "0.75, 1.3", "0.5, 1.02", "0.35, 1.07", "0.3, 1.05"})
  void wholeColumnsMixBadlyForAHighFpp(double fpp, double most) {
    RibbonFilter<Long> filter = build(Keys.hashes(1, 1_000_000), fpp);
    assertThat(filter.bitSize() / 1e6).isLessThan(most * bound(fpp));
    assertThat(filter.expectedFpp()).isBetween(0.999 * fpp, fpp);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10, 100, 1_000, 10_000})
  void fewKeysTakeAFewWordsMore(int keys) {
    RibbonFilter<Long> filter = build(Keys.hashes(1, keys), 0.01);
    assertThat((double) filter.bitSize()).isLessThan(1.02 * bound(0.01) * (keys + 330));
    assertThat(filter.expectedFpp()).isBetween(0.0, 0.01);
  }

  @Test
  void noKeysTakeNoBits() {
    RibbonFilter<Long> filter = build(LongStream.empty(), 0.01);
    assertThat(filter.bitSize()).isZero();
    assertThat(filter.layers()).isZero();
  }

  @Test
  void theLeastFppIsChecked() {
    RibbonFilterBuilder<Long> builder = builder();
    refuses(
        () -> builder.fpp(Math.nextDown(RibbonSizing.MIN_FPP)),
        "fpp must be at least 2^-31, got 4.65");
    RibbonFilter<Long> filter = builder.fpp(RibbonSizing.MIN_FPP).putHash(7).build();
    assertThat(filter.expectedFpp()).isLessThanOrEqualTo(RibbonSizing.MIN_FPP);
    assertThat(filter.fpp()).isEqualTo(RibbonSizing.MIN_FPP);
  }

  @Test
  void printsItsSizeAndHash() {
    assertThat(build(Keys.hashes(1, 10), 0.01))
        .hasToString(
            "RibbonFilter(bits=1088, columns=7, layers=1, keys=10, requested fpp=0.01, hash=xxh3"
                + " with seed 0)");
  }

  private void assertKeepsItsPromises(int keys, double fpp, long queries) {
    RibbonFilter<Long> filter = build(Keys.hashes(1, keys), fpp);

    assertThat((double) filter.bitSize() / keys).isBetween(bound(fpp), PROMISE * bound(fpp));
    assertThat(filter.bitSize() / RibbonSizing.bits(keys, fpp)).isCloseTo(1, within(0.005));
    assertThat(filter.expectedFpp()).isBetween(0.999 * fpp, fpp);
    assertThat(Keys.hashes(1, keys).allMatch(filter::mightContainHash)).isTrue();
    long found = Keys.hashes(2, queries).filter(filter::mightContainHash).count();
    double expected = fpp * queries;
    assertThat((double) found).isCloseTo(expected, within(5 * Math.sqrt(expected) + 5));
  }

  private static double bound(double fpp) {
    return -Math.log(fpp) / Math.log(2);
  }

  @Nested
  class RoundTrip extends RoundTripConformance<RibbonFilter<Long>> {
    @Override
    protected RibbonFilter<Long> filled(long expectedKeys, int keys) {
      return RibbonFilterTest.this.build(Keys.hashes(1, keys), 0.01);
    }

    @Override
    protected RibbonFilter<Long> read(InputStream in, long maxBytes) throws IOException {
      return RibbonFilter.readFrom(in, KeyHasher.longs(), maxBytes);
    }
  }
}
