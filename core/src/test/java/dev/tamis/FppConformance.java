package dev.tamis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tamis.hash.KeyHasher;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The contract on the fpp: a filter has at most the requested one, and reports it correctly.
 *
 * <p>Measured counts may be off by five standard deviations. Two things spread: the count, which is
 * binomial, and the fpp itself, which differs from one filter to the next because the bits that are
 * set are a matter of luck. Small filters are therefore measured many at a time.
 */
public abstract class FppConformance {

  private static final long[] SIZES = {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000};
  private static final double[] FPPS = {0.3, 0.03, 0.01, 1e-3, 1e-4, 1e-6};
  private static final double SIGMAS = 5;
  private static final long MAX_QUERIES = Thorough.or(500_000, 2_000_000);
  private static final int KEYS_IN_ALL = Thorough.or(40_000, 100_000);
  private static final int MAX_FILTERS = Thorough.or(400, 1_000);
  private static final long SMALL = 1_000;

  /** Returns an empty filter that hashes its keys by {@link KeyHasher#longs}. */
  protected abstract HashedMutableFilter<Long> create(long expectedKeys, double fpp);

  /** Returns the least fpp that a large filter at capacity may have: less is wasted memory. */
  protected double leastFppWhenFull(double fpp) {
    return 0.9 * fpp;
  }

  /** Returns how far past its expected keys a filter can be filled, as a share of them. */
  protected double mostLoad() {
    return Double.POSITIVE_INFINITY;
  }

  /** Every size with a third of the fpps and every fpp with a third of the sizes. */
  static Stream<Arguments> someSizesAndFpps() {
    return sizesAndFpps(cell -> cell % 3 == 0);
  }

  static Stream<Arguments> otherSizesAndFpps() {
    return sizesAndFpps(cell -> cell % 3 != 0);
  }

  private static Stream<Arguments> sizesAndFpps(IntPredicate diagonal) {
    return IntStream.range(0, SIZES.length * FPPS.length)
        .filter(cell -> diagonal.test(cell / FPPS.length + cell % FPPS.length))
        .mapToObj(cell -> Arguments.of(SIZES[cell / FPPS.length], FPPS[cell % FPPS.length]));
  }

  static DoubleStream fpps() {
    return DoubleStream.of(FPPS);
  }

  @ParameterizedTest
  @Tag("thorough")
  @MethodSource("dev.tamis.FppConformance#otherSizesAndFpps")
  void staysWithinTheFppAskedForAtOtherSizesToo(long keys, double fpp) {
    staysWithinTheFppAskedFor(keys, fpp);
  }

  @ParameterizedTest
  @MethodSource("dev.tamis.FppConformance#someSizesAndFpps")
  void staysWithinTheFppAskedFor(long keys, double fpp) {
    Measurement full = measure(filtersFor(keys), keys, keys, fpp, queriesFor(fpp));

    double spread = spread(keys, fpp, full);
    assertThat((double) full.wrong).isLessThanOrEqualTo(full.most(fpp, spread));
    assertThat(full.fpp).isLessThanOrEqualTo(fpp * (1 + SIGMAS * spread));
  }

  @ParameterizedTest
  @MethodSource("dev.tamis.FppConformance#fpps")
  void wastesNoMemory(double fpp) {
    Measurement full = measure(1, 100_000, 100_000, fpp, 0);

    assertThat(full.fpp).isGreaterThan(leastFppWhenFull(fpp));
  }

  @ParameterizedTest
  @MethodSource("dev.tamis.FppConformance#fpps")
  void isWrongAsOftenAsItSays(double fpp) {
    for (long keys : new long[] {1, 100, 50_000}) {
      assertKnowsItsFpp(measure(filtersFor(keys), keys, keys, fpp, MAX_QUERIES / 2));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "20, 0.1",
    "20, 0.5",
    "20, 2",
    "20, 10",
    "20000, 0.1",
    "20000, 0.5",
    "20000, 2",
    "20000, 10"
  })
  void isWrongAsOftenAsItSaysAtAnyLoad(long expectedKeys, double load) {
    assumeThat(load).isLessThanOrEqualTo(mostLoad());
    long keys = Math.round(expectedKeys * load);
    for (double fpp : new double[] {0.1, 0.01, 1e-4}) {
      assertKnowsItsFpp(
          measure(filtersFor(expectedKeys), expectedKeys, keys, fpp, MAX_QUERIES / 4));
    }
  }

  @ParameterizedTest
  @EnumSource
  void keepsItsFppHoweverAlikeTheKeysAre(Keys.Kind kind) {
    int keys = 50_000;
    int queries = 500_000;
    double fpp = 0.01;
    HashedMutableFilter<Long> filter = create(keys, fpp);
    kind.hashes(filter, 0, keys).forEach(filter::putHash);

    long wrong = kind.hashes(filter, keys, keys + queries).filter(filter::mightContainHash).count();

    Measurement full = new Measurement(wrong, queries, filter.expectedFpp(), 0);
    assertKnowsItsFpp(full);
    assertThat((double) full.wrong).isLessThanOrEqualTo(full.most(fpp, spread(keys, fpp, full)));
  }

  @ParameterizedTest
  @CsvSource({"0.1, 0.5", "0.1, 1", "0.1, 2", "0.01, 1", "0.01, 2", "0.01, 4"})
  void expectsTheWrongDropsThereAre(double fpp, double load) {
    assumeThat(load).isLessThanOrEqualTo(mostLoad());
    int filters = 20;
    long expectedKeys = 10_000;
    long dropped = 0;
    double expected = 0;
    for (int i = 0; i < filters; i++) {
      HashedMutableFilter<Long> filter = create(expectedKeys, fpp);
      long keys = Math.round(load * expectedKeys);
      dropped += Keys.hashes(i, keys).filter(hash -> !filter.putHash(hash)).count();
      expected += ((DropAware) filter).expectedWrongDrops();
    }
    // the filters differ from each other by less than a tenth
    double spread = 0.1 * expected / Math.sqrt(filters);
    assertThat((double) dropped)
        .isCloseTo(expected, within(SIGMAS * Math.hypot(Math.sqrt(expected), spread)));
  }

  private static void assertKnowsItsFpp(Measurement measurement) {
    double expected = measurement.fpp * measurement.queries;
    assertThat((double) measurement.wrong)
        .isCloseTo(expected, within(SIGMAS * Math.sqrt(expected) + 1));
  }

  /**
   * Fills filters with random keys and runs {@code queries} queries for others, over all of them.
   */
  private Measurement measure(int filters, long expectedKeys, long keys, double fpp, long queries) {
    double[] fpps = new double[filters];
    long wrong = 0;
    for (int i = 0; i < filters; i++) {
      HashedMutableFilter<Long> filter = create(expectedKeys, fpp);
      SplittableRandom random = new SplittableRandom(1_000 * expectedKeys + i);
      for (long key = 0; key < keys; key++) {
        filter.putHash(random.nextLong());
      }
      for (long query = 0; query < queries / filters; query++) {
        wrong += filter.mightContainHash(random.nextLong()) ? 1 : 0;
      }
      fpps[i] = filter.expectedFpp();
    }
    double mean = Arrays.stream(fpps).average().orElseThrow();
    double variance = Arrays.stream(fpps).map(x -> (x - mean) * (x - mean)).average().orElseThrow();
    return new Measurement(wrong, queries / filters * filters, mean, Math.sqrt(variance));
  }

  /**
   * Returns the standard deviation of the mean fpp of {@link #filtersFor} full filters, as a share
   * of the fpp. For large filters it is found on small ones: a large one is many small ones.
   */
  private double spread(long keys, double fpp, Measurement full) {
    long few = Math.min(SMALL, keys);
    Measurement small = few == keys ? full : measure(filtersFor(few), few, few, fpp, 0);
    return small.deviation / fpp * Math.sqrt((double) few / keys / filtersFor(keys));
  }

  private static int filtersFor(long keys) {
    return (int) Math.max(1, Math.min(MAX_FILTERS, KEYS_IN_ALL / keys));
  }

  private static long queriesFor(double fpp) {
    return Math.min(MAX_QUERIES, Math.max(KEYS_IN_ALL, (long) (400 / fpp)));
  }

  /**
   * What some filters answered wrongly, and what they say of themselves.
   *
   * @param wrong keys never put that were reported present
   * @param queries keys never put that were queried
   * @param fpp the filters' expectedFpp, in the mean
   * @param deviation the standard deviation of expectedFpp from one filter to the next
   */
  private record Measurement(long wrong, long queries, double fpp, double deviation) {

    /** Returns the most wrong answers there may be at {@code fpp}, which spreads by a share. */
    double most(double fpp, double spread) {
      double expected = fpp * queries;
      return expected + SIGMAS * Math.hypot(Math.sqrt(expected), expected * spread);
    }
  }
}
