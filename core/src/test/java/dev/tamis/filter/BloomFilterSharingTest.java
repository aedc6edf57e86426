package dev.tamis.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.Keys;
import dev.tamis.Race;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Collector;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What else threads may do with one filter while others put, and filters made from streams. */
@Timeout(120)
class BloomFilterSharingTest {

  private static final int KEYS = 100_000;
  private static final int BATCH = BloomFilter.BATCH;

  @ParameterizedTest
  @MethodSource("dev.tamis.filter.BloomSpec#allThreadSafe")
  void whatIsWrittenWhileOthersPutHoldsEveryKeyPutBefore(BloomSpec spec) {
    assertHoldsEveryKeyPutBefore(
        spec,
        filter -> {
          ByteArrayOutputStream out = new ByteArrayOutputStream();
          filter.writeTo(out);
          return BloomFilter.readFrom(
              new ByteArrayInputStream(out.toByteArray()), KeyHasher.longs(), Long.MAX_VALUE);
        });
  }

  @ParameterizedTest
  @MethodSource("dev.tamis.filter.BloomSpec#allThreadSafe")
  void aCopyMadeWhileOthersPutHoldsEveryKeyPutBefore(BloomSpec spec) {
    assertHoldsEveryKeyPutBefore(spec, BloomFilter::copy);
  }

  private interface Copying {
    BloomFilter<Long> copy(BloomFilter<Long> filter) throws IOException;
  }

  private static void assertHoldsEveryKeyPutBefore(BloomSpec spec, Copying copying) {
    BloomFilter<Long> filter = spec.create(KEYS, 0.01);
    long[] hashes = Keys.hashes(1, KEYS).toArray();
    AtomicInteger put = new AtomicInteger();
    Race.run(
        2,
        thread -> {
          if (thread == 0) {
            for (long hash : hashes) {
              filter.putHash(hash);
              put.incrementAndGet();
            }
            return;
          }
          int before;
          do {
            before = put.get();
            BloomFilter<Long> copy = copying.copy(filter);
            assertThat(LongStream.of(hashes).limit(before).allMatch(copy::mightContainHash))
                .isTrue();
          } while (before < KEYS);
        });
  }

  /** What is put after the last clearing is all there is, and is counted. */
  @ParameterizedTest
  @MethodSource("dev.tamis.filter.BloomSpec#allThreadSafe")
  void clearingWhileOthersPutLosesNothingPutAfterwards(BloomSpec spec) {
    BloomFilter<Long> filter = spec.create(KEYS, 1e-9);
    AtomicInteger cleared = new AtomicInteger();
    int clearings = 50;
    Race.run(
        3,
        thread -> {
          if (thread == 0) {
            for (int i = 0; i < clearings; i++) {
              filter.clear();
              cleared.incrementAndGet();
            }
            return;
          }
          for (long seed = thread; cleared.get() < clearings; seed += 2) {
            Keys.hashes(seed, 100).forEach(filter::putHash);
          }
          long count = Keys.hashes(100_000L + thread, 1_000).filter(filter::putHash).count();
          assertThat(count).isEqualTo(1_000);
        });
    for (int thread = 1; thread <= 2; thread++) {
      assertThat(Keys.hashes(100_000L + thread, 1_000).allMatch(filter::mightContainHash)).isTrue();
    }
    assertThat((double) filter.acceptedKeys())
        .isCloseTo(filter.approximateElementCount().value(), within(0.1 * filter.acceptedKeys()));
  }

  /** Puts wait for a merge of filters that grow, and none is lost. */
  @ParameterizedTest
  @EnumSource
  void mergingFiltersThatGrowWhileOthersPutLosesNothing(Layout layout) {
    ScalableBloomFilter<Long> filter = growing(layout);
    AtomicInteger wins = new AtomicInteger();
    Race.run(
        4,
        thread -> {
          if (thread == 0) {
            for (int i = 0; i < 20; i++) {
              ScalableBloomFilter<Long> other = growing(layout);
              Keys.hashes(100 + i, 500).forEach(other::putHash);
              filter.putAll(other);
            }
          } else {
            wins.addAndGet((int) Keys.hashes(thread % 2, 20_000).filter(filter::putHash).count());
          }
        });
    assertThat(wins).hasValue(40_000); // two threads had the same keys
    IntStream.range(0, 2).forEach(seed -> assertThat(allThere(filter, seed, 20_000)).isTrue());
    IntStream.range(100, 120).forEach(seed -> assertThat(allThere(filter, seed, 500)).isTrue());
  }

  private static boolean allThere(ScalableBloomFilter<Long> filter, long seed, long keys) {
    return Keys.hashes(seed, keys).allMatch(filter::mightContainHash);
  }

  private static ScalableBloomFilter<Long> growing(Layout layout) {
    return ScalableBloomFilter.<Long>builder(KeyHasher.longs())
        .initialKeys(100)
        .fpp(1e-9)
        .layout(layout)
        .build();
  }

  @RepeatedTest(20)
  void theActionRunsOnceAmongRacingThreads() {
    AtomicIntegerArray runs = new AtomicIntegerArray(2); // how often, and with how many keys
    BloomFilter<?>[] itself = new BloomFilter<?>[1];
    BloomFilter<Long> filter =
        BloomFilter.<Long>builder(KeyHasher.longs())
            .expectedKeys(10_000)
            .fpp(0.01)
            .whenKeysReach(
                5_000,
                () -> {
                  runs.incrementAndGet(0);
                  runs.set(1, (int) itself[0].acceptedKeys());
                })
            .build();
    itself[0] = filter;
    Race.run(4, thread -> Keys.hashes(thread, 2_500).forEach(filter::putHash));
    assertThat(runs.get(0)).isEqualTo(1);
    assertThat(runs.get(1)).isGreaterThanOrEqualTo(5_000);
  }

  @RepeatedTest(20)
  void theActionRunsOnceHoweverManyThreadsReachTheNumber() {
    AtomicInteger runs = new AtomicInteger();
    BloomFilter<Long> filter =
        BloomFilter.<Long>builder(KeyHasher.longs())
            .expectedKeys(100_000)
            .fpp(1e-9)
            .whenKeysReach(3_900, runs::incrementAndGet)
            .build();
    Race.run(4, thread -> Keys.hashes(thread, 1_000).forEach(filter::putHash));
    assertThat(filter.acceptedKeys()).isEqualTo(4_000);
    assertThat(runs).hasValue(1);
  }

  @Test
  void collectsAStream() {
    BloomFilter<Long> expected = filledByOneThread();
    BloomFilter<Long> collected =
        keys().collect(BloomFilter.toBloomFilter(KeyHasher.longs(), KEYS, 0.01));
    assertThat(collected).isEqualTo(expected);
    assertThat(collected.acceptedKeys()).isEqualTo(expected.acceptedKeys());
    assertThat(collected.expectedKeys()).isEqualTo(KEYS);
    assertThat(collected.isThreadSafe()).isTrue();
  }

  @Test
  void collectsAStreamWithManyThreads() {
    BloomFilter<Long> expected = filledByOneThread();
    for (int round = 0; round < 10; round++) {
      BloomFilter<Long> collected =
          keys().parallel().collect(BloomFilter.toBloomFilter(KeyHasher.longs(), KEYS, 0.01));
      assertThat(collected).isEqualTo(expected);
    }
  }

  @Test
  void collectsPartsAndMergesThem() {
    var collector = BloomFilter.<Long>toBloomFilter(KeyHasher.longs(), KEYS, 0.01);
    BloomFilter<Long> merged =
        Stream.of(keys().filter(key -> key % 2 == 0), keys().filter(key -> key % 2 == 1))
            .map(part -> part.collect(collector))
            .reduce(
                (first, second) -> {
                  first.putAll(second);
                  return first;
                })
            .orElseThrow();
    assertThat(merged).isEqualTo(filledByOneThread());
  }

  /** Of any number of keys, since they are put in batches. */
  @Test
  void whatIsCollectedByThreadsApartIsMerged() {
    for (int count : new int[] {0, 1, BATCH - 1, BATCH, BATCH + 1, 3 * BATCH}) {
      BloomFilter<Long> expected = BloomFilter.create(KeyHasher.longs(), KEYS, 0.01);
      LongStream.range(0, 2L * count).forEach(expected::put);
      BloomFilter<Long> merged =
          inTwoParts(BloomFilter.<Long>toBloomFilter(KeyHasher.longs(), KEYS, 0.01), count);
      assertThat(merged).isEqualTo(expected);
      assertThat(merged.acceptedKeys()).isCloseTo(expected.acceptedKeys(), within(1L));
    }
  }

  private static <C> BloomFilter<Long> inTwoParts(
      Collector<Long, C, BloomFilter<Long>> collector, long count) {
    C first = collector.supplier().get();
    C second = collector.supplier().get();
    for (long key = 0; key < count; key++) {
      collector.accumulator().accept(first, key);
      collector.accumulator().accept(second, count + key);
    }
    return collector.finisher().apply(collector.combiner().apply(first, second));
  }

  private static Stream<Long> keys() {
    return LongStream.range(0, KEYS).boxed();
  }

  private static BloomFilter<Long> filledByOneThread() {
    BloomFilter<Long> filter = BloomFilter.create(KeyHasher.longs(), KEYS, 0.01);
    LongStream.range(0, KEYS).forEach(filter::put);
    return filter;
  }
}
