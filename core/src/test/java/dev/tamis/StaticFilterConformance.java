package dev.tamis;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.filter.StaticFilterBuilder;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.FppText;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The promises of a filter that is built once from all of its keys.
 *
 * <p>Measured counts may be off by five standard deviations.
 *
 * @param <F> the type of filter
 */
public abstract class StaticFilterConformance<F extends HashedFilter<Long> & Storable> {

  private static final double SIGMAS = 5;

  /** Returns a builder that hashes its keys by {@link KeyHasher#longs}. */
  protected abstract StaticFilterBuilder<Long, F, ?> builder();

  /** Returns a filter that holds {@code hashes} at {@code fpp}. */
  protected F build(LongStream hashes, double fpp) {
    StaticFilterBuilder<Long, F, ?> builder = builder();
    builder.fpp(fpp);
    hashes.forEach(builder::putHash);
    return builder.build();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 7, 10, 31, 100, 1_000, 10_000, 100_000, 1_000_000})
  void deniesNoKey(int keys) {
    for (double fpp : new double[] {0.3, 0.01, 1e-6}) {
      F filter = build(Keys.hashes(1, keys), fpp);
      assertThat(Keys.hashes(1, keys).allMatch(filter::mightContainHash)).isTrue();
    }
  }

  @Test
  void bulkLookupsEqualSingleLookups() {
    StaticFilterBuilder<Long, F, ?> builder = builder();
    builder.fpp(0.1);
    LongStream.range(0, 1_000).forEach(builder::put);
    BulkLookUps.check(builder.build(), 500, 2_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1023, 1024, 1025, 100_000})
  void theBuilderGivesEachDistinctHashOnce(int keys) {
    StaticFilterBuilder<Long, F, ?> builder = builder();
    Keys.hashes(1, keys).forEach(builder::putHash);
    Keys.hashes(1, keys).forEach(builder::putHash);
    LongStream.Builder given = LongStream.builder();
    builder.forEachHash(given);
    assertThat(given.build().sorted().toArray()).isEqualTo(Keys.hashes(1, keys).sorted().toArray());
    assertThat(builder.distinctKeys()).isEqualTo(keys);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 10, 50})
  void fewKeysAreHeldWhicheverTheyAre(int keys) {
    for (int stream = 0; stream < 300; stream++) {
      F filter = build(Keys.hashes(stream, keys), 0.01);
      assertThat(Keys.hashes(stream, keys).allMatch(filter::mightContainHash)).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "100000, 0.3",
    "100000, 0.03",
    "100000, 0.01",
    "100000, 1e-3",
    "100000, 1e-4",
    "100000, 1e-6",
    "1000000, 0.01",
    "1000, 0.01"
  })
  void keepsItsFppAndKnowsIt(int keys, double fpp) {
    int queries = fpp < 1e-3 ? 4_000_000 : 1_000_000;
    F filter = build(Keys.hashes(1, keys), fpp);

    long wrong = Keys.hashes(2, queries).filter(filter::mightContainHash).count();

    assertThat(filter.expectedFpp()).isLessThanOrEqualTo(fpp).isGreaterThan(0.49 * fpp);
    assertAsExpected(wrong, queries, filter.expectedFpp());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10, 30, 100})
  void smallFiltersKeepTheirFppOnAverage(int keys) {
    int filters = 500;
    int queries = 2_000;
    double fpp = 0.01;
    long wrong = 0;
    double expected = 0;
    for (int i = 0; i < filters; i++) {
      F filter = build(Keys.hashes(i, keys), fpp);
      wrong += Keys.hashes(-1 - i, queries).filter(filter::mightContainHash).count();
      expected += filter.expectedFpp() / filters;
    }
    assertThat(expected).isLessThanOrEqualTo(fpp);
    // the slots that a key looks at are few, so that queries of one filter depend on each other
    double spread = 3 * Math.sqrt((double) filters * queries * expected);
    assertThat((double) wrong)
        .isBetween(
            filters * queries * expected - SIGMAS * spread,
            filters * queries * expected + SIGMAS * spread);
  }

  @Test
  void noKeysAreAllDenied() {
    F filter = build(LongStream.empty(), 0.3);
    assertThat(Keys.hashes(1, 10_000).anyMatch(filter::mightContainHash)).isFalse();
    assertThat(filter.mightContainHash(0)).isFalse();
    assertThat(filter.expectedFpp()).isZero();
    assertThat(filter.approximateElementCount().value()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void holdsKeysHoweverAlikeTheyAre(Keys.Kind kind) {
    int keys = 50_000;
    int queries = 500_000;
    F hasher = build(LongStream.empty(), 0.01);
    F filter = build(kind.hashes(hasher, 0, keys), 0.01);

    assertThat(kind.hashes(hasher, 0, keys).allMatch(filter::mightContainHash)).isTrue();
    long wrong = kind.hashes(hasher, keys, keys + queries).filter(filter::mightContainHash).count();
    assertAsExpected(wrong, queries, filter.expectedFpp());
  }

  @Test
  void extremesAreKeysLikeOthers() {
    long[] extremes = {0, -1, 1, -2, Long.MIN_VALUE, Long.MAX_VALUE};
    F few = build(Arrays.stream(extremes), 0.01);
    F many = build(LongStream.concat(Keys.hashes(1, 1_000), Arrays.stream(extremes)), 0.01);
    assertThat(Arrays.stream(extremes).allMatch(few::mightContainHash)).isTrue();
    assertThat(Arrays.stream(extremes).allMatch(many::mightContainHash)).isTrue();
    for (long extreme : extremes) {
      F alone = build(LongStream.of(extreme), 1e-6);
      assertThat(alone.mightContainHash(extreme)).isTrue();
      assertThat(Keys.hashes(1, 1_000).anyMatch(alone::mightContainHash)).isFalse();
    }
  }

  @Test
  void keysOfOneHashAreOneKey() {
    F filter = build(LongStream.generate(() -> 42).limit(100_000), 0.01);
    assertThat(filter).isEqualTo(build(LongStream.of(42), 0.01));
    assertThat(filter.approximateElementCount().value()).isEqualTo(1);
    assertThat(filter.mightContainHash(42)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 1_000, 100_000})
  void theSameKeysGiveTheSameBytesInAnyOrderAndHoweverOften(int keys) {
    long[] hashes = Keys.hashes(1, keys).toArray();
    byte[] bytes = build(Arrays.stream(hashes), 0.01).toByteArray();

    LongStream backwards = LongStream.range(0, keys).map(i -> hashes[(int) (keys - 1 - i)]);
    LongStream repeated = LongStream.range(0, 3L * keys).map(i -> hashes[(int) (i * 7 % keys)]);
    LongStream all = LongStream.concat(repeated, Arrays.stream(hashes));
    assertThat(build(backwards, 0.01).toByteArray()).isEqualTo(bytes);
    assertThat(build(all, 0.01).toByteArray()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 70_000})
  void theCountIsExact(int keys) {
    F filter = build(LongStream.concat(Keys.hashes(1, keys), Keys.hashes(1, keys)), 0.01);
    Estimate count = filter.approximateElementCount();
    assertThat(count).isEqualTo(new Estimate(keys, keys, keys));
  }

  @Test
  void everyWayToAddKeysGivesTheSameFilter() {
    List<Long> keys = Keys.hashes(1, 1_000).boxed().toList();
    StaticFilterBuilder<Long, F, ?> builder = builder();
    builder.fpp(0.01);
    F one = builder.putAll(keys).build();

    assertThat(builder().fpp(0.01).putAll(keys.stream()).build()).isEqualTo(one);
    assertThat(builder().fpp(0.01).putAll(keys.parallelStream()).build()).isEqualTo(one);
    StaticFilterBuilder<Long, F, ?> each = builder();
    keys.forEach(each::put);
    assertThat(each.fpp(0.01).build()).isEqualTo(one);
    assertThat(build(keys.stream().mapToLong(one::hashOf), 0.01)).isEqualTo(one);
    assertThat(keys).allMatch(one::mightContain);
  }

  @Test
  void moreKeysCanFollow() {
    StaticFilterBuilder<Long, F, ?> builder = builder();
    builder.fpp(0.01);
    Keys.hashes(1, 1_000).forEach(builder::putHash);
    F first = builder.build();
    assertThat(builder.build()).isEqualTo(first);
    Keys.hashes(2, 1_000).forEach(builder::putHash);
    F second = builder.build();

    assertThat(first).isEqualTo(build(Keys.hashes(1, 1_000), 0.01)).isNotEqualTo(second);
    LongStream all = LongStream.concat(Keys.hashes(1, 1_000), Keys.hashes(2, 1_000));
    assertThat(second).isEqualTo(build(all, 0.01));
  }

  @Test
  void theSeedDecidesTheHash() {
    F zero = builder().fpp(0.01).put(5L).build();
    F seven = builder().fpp(0.01).seed(7).put(5L).build();
    assertThat(seven).isNotEqualTo(zero);
    assertThat(seven.hashId()).isEqualTo(new HashId(HashId.Algorithm.XXH3, 7));
    assertThat(seven.hashOf(5L)).isEqualTo(HashFunction.xxh3(7).hashLong(5));
    assertThat(seven.mightContain(5L)).isTrue();
    StaticFilterBuilder<Long, F, ?> begun = builder();
    begun.putHash(1);
    refuses(IllegalStateException.class, () -> begun.seed(7), "before the first key");
  }

  @Test
  void settingsAreChecked() {
    for (double fpp : new double[] {0, 1, -0.1, 1.5, Double.NaN}) {
      refuses(() -> builder().fpp(fpp), "fpp must be in (0, 1), got " + FppText.exact(fpp));
    }
    refuses(IllegalStateException.class, () -> builder().build(), "fpp");
  }

  @Test
  void nullIsRefused() {
    F filter = build(LongStream.of(1), 0.01);
    refuses(NullPointerException.class, () -> filter.mightContain(null));
    refuses(NullPointerException.class, () -> filter.hashOf(null));
    refuses(NullPointerException.class, () -> builder().put(null));
    List<Long> keys = Collections.singletonList(null);
    refuses(NullPointerException.class, () -> builder().putAll(keys));
    Stream<Long> stream = keys.stream();
    refuses(NullPointerException.class, () -> builder().putAll(stream));
  }

  @Test
  void theBytesHoldTheBits() {
    F filter = build(Keys.hashes(1, 1_000), 0.01);
    assertThat(filter.bitSize()).isPositive();
    assertThat(filter.serializedSize()).isGreaterThanOrEqualTo(filter.bitSize() / Byte.SIZE);
  }

  @Test
  void printsWhatItIs() {
    assertThat(build(Keys.hashes(1, 1_000), 0.01).toString())
        .contains("Filter")
        .contains("keys=1000")
        .doesNotContain("@");
  }

  private static void assertAsExpected(long wrong, long queries, double fpp) {
    double expected = queries * fpp;
    // a filter's own fpp spreads too, by less than the count does
    double slack = SIGMAS * Math.sqrt(expected) + 3;
    assertThat((double) wrong).isBetween(expected - slack, expected + slack);
  }
}
