package dev.tamis.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Keys;
import dev.tamis.Race;
import dev.tamis.sizing.Layout;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Concurrent puts and removals of a counting filter. */
@Timeout(300)
class CountingBloomFilterRaceTest {

  private static final int THREADS = 8;

  /** Half of the threads put the same keys; the others put and remove keys of their own. */
  @ParameterizedTest
  @MethodSource("dev.tamis.filter.CountingSpec#shared")
  void aKeyIsNewToExactlyOneThreadBesideRemovalsOfOthers(CountingSpec spec) {
    int keys = 20_000;
    CountingBloomFilter<Long> filter = spec.create(16L * keys, 1e-9);
    CountingBloomFilter<Long> expected = spec.create(16L * keys, 1e-9);
    AtomicIntegerArray wins = new AtomicIntegerArray(keys);
    long[] hashes = Keys.hashes(1, keys).toArray();
    Race.run(
        THREADS,
        thread -> {
          if (thread % 2 == 0) {
            for (int i = 0; i < keys; i++) {
              if (filter.putHash(hashes[i])) {
                wins.incrementAndGet(i);
              }
            }
          } else {
            long[] mine = Keys.hashes(100 + thread, keys / 4).toArray();
            for (long hash : mine) {
              filter.putHash(hash);
            }
            for (long hash : mine) {
              filter.removeHash(hash);
            }
          }
        });
    assertThat(IntStream.range(0, keys).map(wins::get)).containsOnly(1);
    for (int times = 0; times < THREADS / 2; times++) {
      for (long hash : hashes) {
        expected.putHash(hash);
      }
    }
    if (filter.saturatedCounters() == 0) { // or what was removed may be stuck
      assertThat(filter).isEqualTo(expected);
    }
    assertThat(filter.saturatedCounters()).isLessThan(100);
  }

  /** A copy in between has all counters of a key or none, so that it can be emptied again. */
  @ParameterizedTest
  @MethodSource("dev.tamis.filter.CountingSpec#shared")
  void aCopyIsWhatTheFilterWasAtOneMoment(CountingSpec spec) {
    CountingBloomFilter<Long> filter = spec.create(1_000, 1e-9);
    long[] hashes = Keys.hashes(1, 1_000).toArray();
    AtomicBoolean done = new AtomicBoolean();
    Race.run(
        2,
        thread -> {
          if (thread == 0) {
            for (int round = 0; round < 10; round++) {
              for (long hash : hashes) {
                filter.putHash(hash);
              }
              for (long hash : hashes) {
                filter.removeHash(hash);
              }
            }
            done.set(true);
            return;
          }
          while (!done.get()) {
            CountingBloomFilter<Long> copy = filter.copy();
            for (long hash : hashes) {
              copy.removeHash(hash);
            }
            assertThat(copy).isEqualTo(spec.create(1_000, 1e-9));
          }
        });
  }

  @Test
  void clearingBesidePutsLeavesAFilterThatCanBeEmptied() {
    CountingBloomFilter<Long> filter =
        new CountingSpec(Layout.SPLIT_PAIR, 4, true).create(4_000, 1e-4);
    Race.run(
        4,
        thread -> {
          for (int round = 0; round < 50; round++) {
            if (thread == 0) {
              filter.clear();
            }
            Keys.hashes(thread, 200).forEach(filter::putHash);
            Keys.hashes(thread, 200).forEach(filter::removeHash);
          }
        });
    assertThat(filter).isEqualTo(new CountingSpec(Layout.SPLIT_PAIR, 4, true).create(4_000, 1e-4));
  }
}
