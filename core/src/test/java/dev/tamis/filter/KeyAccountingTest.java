package dev.tamis.filter;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.DropAware;
import dev.tamis.FilterFullException;
import dev.tamis.HashedMutableFilter;
import dev.tamis.Keys;
import dev.tamis.Mergeable;
import dev.tamis.Race;
import dev.tamis.Thorough;
import dev.tamis.hash.KeyHasher;
import dev.tamis.interop.DcsoBloomFilter;
import dev.tamis.interop.ParquetBloomFilter;
import dev.tamis.sizing.Layout;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What filters say of the keys they took and turned down stays right, however many those are. */
class KeyAccountingTest {

  private static final int KEYS = 1_000;

  @ParameterizedTest
  @EnumSource
  void keysThatComeAndGoDoNotMakeTheCountDrift(Layout layout) {
    CountingBloomFilter<Long> filter = counting(layout, 0.1).build();
    long[] hashes = Keys.hashes(1, Thorough.or(500_000, 3_000_000)).toArray();
    for (int i = 0; i < hashes.length; i++) {
      filter.putHash(hashes[i]);
      if (i >= KEYS) {
        filter.removeHash(hashes[i - KEYS]);
        if (i % 100_000 == 0) {
          assertThat((double) filter.acceptedKeys()).isBetween(0.9 * KEYS, 1.1 * KEYS);
        }
      }
    }
    for (int i = hashes.length - KEYS; i < hashes.length; i++) {
      filter.removeHash(hashes[i]);
    }
    assertThat(filter.acceptedKeys()).isZero();
  }

  @Test
  void norDoSixteenThreads() {
    CountingBloomFilter<Long> filter = counting(Layout.CLASSIC, 0.1).build();
    int window = KEYS / 16;
    Race.run(
        16,
        thread -> {
          long[] hashes = Keys.hashes(thread, 200_000).toArray();
          for (int i = 0; i < hashes.length; i++) {
            filter.putHash(hashes[i]);
            if (i >= window) {
              filter.removeHash(hashes[i - window]);
            }
          }
        });
    assertThat((double) filter.acceptedKeys()).isBetween(0.9 * KEYS, 1.1 * KEYS);
    assertThat(filter.acceptedKeys()).isEqualTo(filter.approximateElementCount().rounded());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLimitIsKeptHoweverManyKeysHaveComeAndGone(boolean threadSafe) {
    var builder = counting(Layout.CLASSIC, 0.01).refuseWhenFull();
    CountingBloomFilter<Long> filter = (threadSafe ? builder : builder.singleThreaded()).build();
    long[] hashes = Keys.hashes(2, 1_000_000).toArray();
    for (int i = 0; i < hashes.length; i++) {
      filter.putHash(hashes[i]);
      if (i >= 800) {
        filter.removeHash(hashes[i - 800]);
      }
    }
    LongStream more = Keys.hashes(3, 2 * KEYS);
    AtomicInteger taken = new AtomicInteger();
    refuses(
        FilterFullException.class,
        () ->
            more.forEach(
                hash -> {
                  filter.putHash(hash);
                  taken.incrementAndGet();
                }));
    assertThat(800 + taken.get()).isBetween(950, 1_050);
    assertThat(filter.expectedFpp()).isLessThan(0.015);
  }

  @Test
  void mergedAndReadFiltersGoOnCounting() {
    CountingBloomFilter<Long> filter = counting(Layout.SPLIT, 0.01).build();
    CountingBloomFilter<Long> other = counting(Layout.SPLIT, 0.01).build();
    Keys.hashes(1, 500).forEach(filter::putHash);
    Keys.hashes(2, 300).forEach(other::putHash);
    filter.putAll(other);
    CountingBloomFilter<Long> copy = filter.copy();
    for (CountingBloomFilter<Long> each : Arrays.asList(filter, copy)) {
      Keys.hashes(1, 500).forEach(each::removeHash);
      assertThat((double) each.acceptedKeys()).isBetween(290.0, 310.0);
      Keys.hashes(2, 300).forEach(each::removeHash);
      assertThat(each.acceptedKeys()).isZero();
    }
  }

  static Stream<HashedMutableFilter<Long>> filtersOfAllKinds() {
    return Stream.concat(
        BloomSpec.all().map(spec -> spec.create(KEYS, 0.01)),
        Arrays.stream(Layout.values()).map(layout -> counting(layout, 0.01).build()));
  }

  @ParameterizedTest
  @MethodSource("filtersOfAllKinds")
  void wrongDropsAreRightHoweverFarPastCapacity(HashedMutableFilter<Long> filter) {
    long[] hashes = Keys.hashes(4, 30 * KEYS).toArray();
    long lost = 0;
    for (int i = 0; i < hashes.length; i++) {
      lost += filter.putHash(hashes[i]) ? 0 : 1;
      if ((i + 1) % KEYS == 0 && i >= 2 * KEYS) {
        double expected = ((DropAware) filter).expectedWrongDrops();
        assertThat(expected).as("%d keys", i + 1).isBetween(0.8 * lost - 40, 1.2 * lost + 40);
      }
    }
    assertThat(((DropAware) filter).expectedWrongDrops()).isEqualTo((double) lost);
    assertThat(lost).isGreaterThan(20 * KEYS);
  }

  @ParameterizedTest
  @MethodSource("filtersOfAllKinds")
  void repeatedKeysAreNotTakenForWrongDrops(HashedMutableFilter<Long> filter) {
    for (int round = 0; round < 100; round++) {
      Keys.hashes(5, KEYS).forEach(filter::putHash);
    }
    assertThat(((DropAware) filter).expectedWrongDrops()).isLessThan(0.01 * KEYS);
  }

  /**
   * Ten times past capacity hardly a key is accepted, and most that are turned down came before.
   */
  @ParameterizedTest
  @CsvSource({"0.5, 10", "0.01, 10", "0.01, 5", "0.5, 1", "0.5, 2"})
  void norInAnOverfullFilter(double fpp, int times) {
    for (Layout layout : Layout.values()) {
      assertDropsAreNotRepeats(new BloomSpec(layout, false).create(10 * KEYS, fpp), times);
      assertDropsAreNotRepeats(new BloomSpec(layout, true).create(10 * KEYS, fpp), times);
      assertDropsAreNotRepeats(counting(layout, fpp).expectedKeys(10 * KEYS).build(), times);
    }
    assertDropsAreNotRepeats(ParquetBloomFilter.create(KeyHasher.longs(), 10 * KEYS, fpp), times);
    assertDropsAreNotRepeats(DcsoBloomFilter.create(KeyHasher.longs(), 10 * KEYS, fpp), times);
    assertDropsAreNotRepeats(ScalableBloomFilter.create(KeyHasher.longs(), KEYS, fpp), times);
  }

  private static <F extends HashedMutableFilter<Long> & DropAware> void assertDropsAreNotRepeats(
      F filter, int times) {
    long[] hashes = Keys.hashes(6, 10L * KEYS * times).toArray();
    double lost = LongStream.of(hashes).filter(hash -> !filter.putHash(hash)).count();
    for (int repeat = 0; repeat < 2; repeat++) {
      LongStream.of(hashes).forEach(filter::putHash);
    }
    if (filter.approximateElementCount().isBounded()) { // or all bits are set
      assertThat(filter.expectedWrongDrops())
          .as("%s", filter)
          .isCloseTo(lost, within(0.25 * lost + 5 * Math.sqrt(lost)));
    }
  }

  /** Merges and puts race for the last places. */
  @ParameterizedTest
  @EnumSource
  void noMergePassesALimitBesidePuts(Layout layout) {
    assertLimitIsKept(
        () ->
            new BloomSpec(layout, true)
                .builder()
                .expectedKeys(20 * KEYS)
                .fpp(0.01)
                .refuseWhenFull()
                .build());
    assertLimitIsKept(
        () -> counting(layout, 0.01).expectedKeys(20 * KEYS).refuseWhenFull().build());
  }

  private static <F extends HashedMutableFilter<Long> & Mergeable<F>> void assertLimitIsKept(
      Supplier<F> like) {
    F filter = like.get();
    List<F> others = Stream.generate(like).limit(8).toList();
    for (int i = 0; i < others.size(); i++) {
      Keys.hashes(10 + i, KEYS).forEach(others.get(i)::putHash);
    }
    LongAdder taken = new LongAdder();
    Race.run(
        4,
        thread -> {
          try {
            for (int i = 0; thread == 0 && i < others.size(); i++) {
              filter.putAll(others.get(i));
              taken.add(KEYS);
            }
            Keys.hashes(thread, 20 * KEYS).forEach(hash -> taken.add(filter.putHash(hash) ? 1 : 0));
          } catch (FilterFullException e) {
            // that is the limit
          }
        });
    assertThat(filter.acceptedKeys()).isBetween(19L * KEYS, 20L * KEYS);
    assertThat((double) taken.sum()).isCloseTo((double) filter.acceptedKeys(), within(400.0));
  }

  @Test
  void mergingTellsTheListener() {
    AtomicInteger told = new AtomicInteger();
    BloomFilter<Long> bloom =
        BloomFilter.<Long>builder(KeyHasher.longs())
            .expectedKeys(KEYS)
            .fpp(0.01)
            .whenKeysReach(1_500, told::incrementAndGet)
            .build();
    CountingBloomFilter<Long> counting =
        counting(Layout.CLASSIC, 0.01).whenKeysReach(1_500, told::incrementAndGet).build();
    Keys.hashes(1, KEYS).forEach(bloom::putHash);
    Keys.hashes(1, KEYS).forEach(counting::putHash);
    BloomFilter<Long> moreBloom = BloomFilter.create(KeyHasher.longs(), KEYS, 0.01);
    CountingBloomFilter<Long> moreCounting = counting(Layout.CLASSIC, 0.01).build();
    Keys.hashes(2, KEYS).forEach(moreBloom::putHash);
    Keys.hashes(2, KEYS).forEach(moreCounting::putHash);

    bloom.putAll(moreBloom);
    assertThat(told).hasValue(1);
    counting.putAll(moreCounting);
    assertThat(told).hasValue(2);
  }

  @Test
  void mergingIsRefusedPastTheLimitAndChangesNothing() {
    BloomFilter<Long> bloom =
        BloomFilter.<Long>builder(KeyHasher.longs())
            .expectedKeys(KEYS)
            .fpp(0.01)
            .refuseWhenFull()
            .build();
    CountingBloomFilter<Long> counting = counting(Layout.CLASSIC, 0.01).refuseWhenFull().build();
    Keys.hashes(1, 900).forEach(bloom::putHash);
    Keys.hashes(1, 900).forEach(counting::putHash);
    BloomFilter<Long> bloomBefore = bloom.copy();
    CountingBloomFilter<Long> countingBefore = counting.copy();
    BloomFilter<Long> moreBloom = BloomFilter.create(KeyHasher.longs(), KEYS, 0.01);
    CountingBloomFilter<Long> moreCounting = counting(Layout.CLASSIC, 0.01).build();
    Keys.hashes(2, 900).forEach(moreBloom::putHash);
    Keys.hashes(2, 900).forEach(moreCounting::putHash);

    refuses(
        FilterFullException.class,
        () -> bloom.putAll(moreBloom),
        "filter is full: limit is 1000 keys");
    refuses(FilterFullException.class, () -> counting.putAll(moreCounting));
    assertThat(bloom).isEqualTo(bloomBefore);
    assertThat(counting).isEqualTo(countingBefore);
    assertThat(bloom.acceptedKeys()).isEqualTo(bloomBefore.acceptedKeys());

    moreBloom.clear();
    Keys.hashes(2, 50).forEach(moreBloom::putHash);
    bloom.putAll(moreBloom);
    assertThat((double) bloom.acceptedKeys()).isBetween(930.0, 970.0);
  }

  private static CountingBloomFilterBuilder<Long> counting(Layout layout, double fpp) {
    return CountingBloomFilter.<Long>builder(KeyHasher.longs())
        .expectedKeys(KEYS)
        .fpp(fpp)
        .layout(layout);
  }
}
