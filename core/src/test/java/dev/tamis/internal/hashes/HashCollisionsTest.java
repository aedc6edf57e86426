package dev.tamis.internal.hashes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.MutableFilter;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.filter.CuckooFilter;
import dev.tamis.filter.FuseFilter;
import dev.tamis.filter.RibbonFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class HashCollisionsTest {

  private static final int KEYS = 1000;

  /** n / 2^64. */
  private static final double FLOOR = 1000 / 0x1p64;

  @Test
  void areTheSharesOfAllHashesThatAreTaken() {
    assertThat(HashCollisions.fpp(0)).isZero();
    assertThat(HashCollisions.fpp(0x1p30)).isCloseTo(0x1p-34, within(1e-19));
    assertThat(HashCollisions.addedTo(0, KEYS)).isCloseTo(FLOOR, within(1e-25));
    assertThat(HashCollisions.addedTo(1, 0x1p60)).isEqualTo(1);
    assertThat(HashCollisions.addedTo(0.5, 0x1p64)).isCloseTo(0.816, within(1e-3));
  }

  @ParameterizedTest
  @EnumSource
  void noLayoutGoesBelow(Layout layout) {
    // many times the bits that the keys need: without the floor it would be far lower
    assertAtFloor(
        BloomFilter.<Long>builder(KeyHasher.longs())
            .layout(layout)
            .expectedKeys(1 << 20)
            .fpp(1e-9)
            .build());
  }

  static Stream<MutableFilter<Long>> filters() {
    return Stream.of(
        CountingBloomFilter.<Long>builder(KeyHasher.longs())
            .expectedKeys(1 << 20)
            .fpp(1e-9)
            .build(),
        ScalableBloomFilter.<Long>create(KeyHasher.longs(), 1 << 20, 1e-9),
        WindowedBloomFilter.<Long>builder(KeyHasher.longs()).window(1 << 20).fpp(1e-9).build());
  }

  @ParameterizedTest
  @MethodSource("filters")
  void noFilterThatTakesKeysGoesBelow(MutableFilter<Long> filter) {
    assertAtFloor(filter);
  }

  private static void assertAtFloor(MutableFilter<Long> filter) {
    LongStream.range(0, KEYS)
        .forEach(
            key -> {
              boolean unused = filter.put(key);
            });
    assertThat(filter.expectedFpp()).isBetween(0.9 * FLOOR, 1e-9);
  }

  @Test
  void staticFiltersAndFingerprintsAreAboveIt() {
    FuseFilter<Long> fuse =
        FuseFilter.<Long>builder(KeyHasher.longs())
            .fpp(1e-9)
            .putAll(LongStream.range(0, KEYS).boxed().toList())
            .build();
    RibbonFilter<Long> ribbon =
        RibbonFilter.<Long>builder(KeyHasher.longs())
            .fpp(1e-9)
            .putAll(LongStream.range(0, KEYS).boxed().toList())
            .build();
    CuckooFilter<Long> cuckoo = CuckooFilter.create(KeyHasher.longs(), KEYS, 1e-8);
    assertThat(cuckoo.put(1L)).isTrue();
    assertThat(fuse.expectedFpp()).isGreaterThan(FLOOR);
    assertThat(ribbon.expectedFpp()).isGreaterThan(FLOOR);
    assertThat(cuckoo.expectedFpp()).isGreaterThan(0x1p-64);
  }
}
