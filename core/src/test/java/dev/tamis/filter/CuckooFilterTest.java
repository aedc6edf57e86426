package dev.tamis.filter;

import static dev.tamis.Refusal.refuses;
import static dev.tamis.Refusal.refusesSaying;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.Estimate;
import dev.tamis.FilterFullException;
import dev.tamis.Keys;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What fingerprints, fullness and counted copies add to the suites. */
class CuckooFilterTest {

  @ParameterizedTest
  @ValueSource(ints = {2, 100, 10_000})
  void aFullFilterThrowsAndHasLostNothing(int expectedKeys) {
    CuckooFilter<Long> filter = filter(expectedKeys, 0.001);
    List<Long> taken = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(1);
    for (int refused = 0; refused < 50; ) {
      long hash = random.nextLong();
      CuckooFilter<Long> before = refused == 0 ? filter : filter.copy();
      if (putAll(filter, hash, 1)) {
        taken.add(hash);
      } else {
        refused++;
        assertThat(filter).isEqualTo(before);
        assertThat(filter.acceptedKeys()).isEqualTo(before.acceptedKeys());
      }
    }
    assertThat(taken).hasSizeGreaterThanOrEqualTo(expectedKeys).allMatch(filter::mightContainHash);
    assertThat(filter.acceptedKeys()).isLessThanOrEqualTo(taken.size());
    assertThat(taken).allMatch(filter::removeHash);
    assertThat(filter).isEqualTo(filter(expectedKeys, 0.001));
  }

  @Test
  void aFullFilterSaysHowFullAndGoesOnWhenKeysLeave() {
    CuckooFilter<Long> filter = filter(1_000, 0.01);
    long key = 0;
    FilterFullException full = null;
    while (full == null) {
      long next = key++;
      full = catchThrowableOfType(FilterFullException.class, () -> filter.put(next));
    }
    assertThat(full)
        .hasMessageMatching(
            "the filter is full: no room for this key with \\d+ of 1128 slots taken, built for 1000"
                + " keys; remove some or build a larger one");
    assertThat(key).isGreaterThan(1_060);
    for (long gone = 0; gone < 100; gone++) {
      assertThat(filter.remove(gone)).isTrue();
    }
    assertThat(filter.put(key)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 9, 100})
  void eightCopiesStayForGood(int puts) {
    CuckooFilter<Long> filter = putOften(puts);
    CuckooFilter<Long> eight = putOften(8);
    assertThat(filter).isEqualTo(eight);
    for (int i = 0; i < 20; i++) {
      assertThat(filter.remove(42L)).isTrue();
      assertThat(filter.put(42L)).isFalse();
      assertThat(filter.approximateCount(42L)).isEqualTo(8);
    }
    assertThat(filter).isEqualTo(eight);
    assertThat(filter.acceptedKeys()).isEqualTo(1);
    assertThat(filter.approximateElementCount()).isEqualTo(new Estimate(8, 8, 8));
  }

  /** Two keys that were put too often may leave a third no bucket; it is refused, not lost. */
  @Test
  void keysPutTooOftenTakeTheRoomOfOthers() {
    CuckooFilter<Long> filter = filter(20, 1e-4);
    for (long key = 0; key < 4; key++) {
      for (int i = 0; i < 8; i++) {
        try {
          filter.put(key);
        } catch (FilterFullException e) {
          assertThat(filter.approximateCount(key)).isLessThan(8);
        }
      }
    }
    long refused =
        Keys.hashes(1, 1_000)
            .filter(
                hash -> {
                  try {
                    filter.putHash(hash);
                    filter.removeHash(hash);
                    return false;
                  } catch (FilterFullException e) {
                    return !filter.mightContainHash(hash);
                  }
                })
            .count();
    assertThat(refused).isPositive();
    assertThat(List.of(0L, 1L, 2L, 3L)).allMatch(filter::mightContain);
  }

  /** The Javadoc's figures: slots taken when the first put is refused. */
  @ParameterizedTest
  @CsvSource({"1, 0.98", "2, 0.89", "3, 0.705", "4, 0.51", "5, 0.075"})
  void isFullSoonerTheMoreOftenEachKeyIsPut(int copies, double load) {
    double sum = 0;
    for (long seed = 0; seed < 4; seed++) {
      CuckooFilter<Long> filter = filter(100_000, 0.01);
      SplittableRandom random = new SplittableRandom(seed);
      while (putAll(filter, random.nextLong(), copies)) {
        sum += copies;
      }
    }
    double slots = filter(100_000, 0.01).sizing().slots();
    assertThat(sum / 4 / slots).isCloseTo(load, within(0.04));
  }

  @Test
  void countsCopiesExactly() {
    CuckooFilter<Long> filter = filter(1_000, 0.1);
    Keys.hashes(1, 500).forEach(filter::putHash);
    assertThat(filter.approximateElementCount()).isEqualTo(new Estimate(500, 500, 500));
    Keys.hashes(1, 200).forEach(filter::putHash);
    assertThat(filter.approximateElementCount()).isEqualTo(new Estimate(700, 700, 700));
    assertThat(filter.acceptedKeys()).isBetween(470L, 500L);
    Keys.hashes(1, 200).forEach(filter::removeHash);
    assertThat(filter.approximateElementCount()).isEqualTo(new Estimate(500, 500, 500));
  }

  /** The known danger, on the smallest scale. */
  @Test
  void removingAKeyThatOnlyLooksPresentTakesAwayTheOther() {
    CuckooFilter<Long> filter = filter(1_000, 0.1);
    long put = 5;
    filter.putHash(put);
    long alike = Keys.hashes(1, 1_000_000).filter(filter::mightContainHash).findFirst().orElse(put);
    assertThat(alike).isNotEqualTo(put);

    assertThat(filter.removeHash(alike)).isTrue();

    assertThat(filter.mightContainHash(put)).isFalse();
  }

  @Test
  void aCopyGoesItsOwnWay() {
    CuckooFilter<Long> filter = filter(1_000, 0.01);
    Keys.hashes(1, 500).forEach(filter::putHash);
    CuckooFilter<Long> copy = filter.copy();
    assertThat(copy).isEqualTo(filter).hasSameHashCodeAs(filter).hasToString(filter.toString());
    assertThat(copy.acceptedKeys()).isEqualTo(filter.acceptedKeys());
    assertThat(copy.approximateElementCount()).isEqualTo(filter.approximateElementCount());

    assertThat(Keys.hashes(1, 500).allMatch(copy::removeHash)).isTrue();

    assertThat(copy).isNotEqualTo(filter).isEqualTo(filter(1_000, 0.01));
    assertThat(Keys.hashes(1, 500).allMatch(filter::mightContainHash)).isTrue();
  }

  @Test
  void clearingForgetsEverythingEvenWhatWouldStayForGood() {
    CuckooFilter<Long> filter = putOften(9);
    filter.clear();
    assertThat(filter).isEqualTo(filter(1_000, 1e-4));
    assertThat(filter.acceptedKeys()).isZero();
    assertThat(filter.expectedWrongDrops()).isZero();
    assertThat(filter.approximateElementCount()).isEqualTo(new Estimate(0, 0, 0));
    assertThat(filter.put(42L)).isTrue();
  }

  @Test
  void equalIsWhatWritesTheSameBytes() {
    CuckooFilter<Long> filter = filter(1_000, 0.01);
    assertThat(filter).isEqualTo(filter(1_000, 0.01)).isNotEqualTo("a filter").isNotEqualTo(null);
    assertThat(filter).isNotEqualTo(filter(2_000, 0.01)).isNotEqualTo(filter(1_000, 0.001));
    CuckooFilter<Long> seeded =
        CuckooFilter.<Long>builder(KeyHasher.longs()).expectedKeys(1_000).fpp(0.01).seed(1).build();
    assertThat(filter).isNotEqualTo(seeded);
    assertThat(filter.put(1L)).isTrue();
    assertThat(filter).isNotEqualTo(filter(1_000, 0.01));
  }

  @Test
  void tellsItsSize() {
    CuckooFilter<Long> filter = filter(1_000, 0.01);
    assertThat(filter.expectedKeys()).isEqualTo(1_000);
    assertThat(filter.fpp()).isEqualTo(0.01);
    assertThat(filter.bitSize()).isEqualTo(282 * 4 * 10);
    assertThat(filter.serializedSize()).isEqualTo(132 + (11_280 + 63) / 64 * 8);
    assertThat(filter)
        .hasToString(
            "CuckooFilter(bits=11280, fingerprint bits=10, buckets=282, slots=1128, expected"
                + " keys=1000, requested fpp=0.01, hash=xxh3 with seed 0)");
  }

  @Test
  void theBuilderNeedsKeysAndFpp() {
    CuckooFilterBuilder<Long> builder = CuckooFilter.builder(KeyHasher.longs());
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("need both of expectedKeys and fpp");
    refuses(IllegalStateException.class, builder.fpp(0.1)::build);
    refusesSaying("expectedKeys must be at least 1, got 0", () -> builder.expectedKeys(0));
    refusesSaying("fpp must be in (0, 1), got 1.5", () -> builder.fpp(1.5));
    refuses(() -> builder.fpp(1e-10), "fpp must be at least 1.77e-9");
  }

  @Test
  void worksWithAKey() {
    KeyHasher<Long> hasher = KeyHasher.longs().keyedBy(HashKey.of(new byte[16]));
    CuckooFilter<Long> filter = CuckooFilter.create(hasher, 100, 0.01);
    assertThat(filter.put(7L)).isTrue();
    assertThat(filter.hashId().algorithm().isKeyed()).isTrue();
    assertThat(filter.remove(7L)).isTrue();
    refuses(
        IllegalStateException.class,
        () -> CuckooFilter.<Long>builder(hasher).expectedKeys(1).fpp(0.1).seed(3).build());
  }

  private static CuckooFilter<Long> filter(long expectedKeys, double fpp) {
    return CuckooFilter.create(KeyHasher.longs(), expectedKeys, fpp);
  }

  private static CuckooFilter<Long> putOften(int puts) {
    CuckooFilter<Long> filter = filter(1_000, 1e-4);
    for (int i = 0; i < puts; i++) {
      assertThat(filter.put(42L)).isEqualTo(i == 0);
    }
    return filter;
  }

  private static boolean putAll(CuckooFilter<Long> filter, long hash, int copies) {
    try {
      for (int i = 0; i < copies; i++) {
        filter.putHash(hash);
      }
      return true;
    } catch (FilterFullException e) {
      return false;
    }
  }
}
