package dev.tamis.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.FilterFullException;
import dev.tamis.Keys;
import dev.tamis.Race;
import dev.tamis.hash.KeyHasher;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Threads that fill and empty a cuckoo filter concurrently. */
@Timeout(300)
class CuckooFilterRaceTest {

  /**
   * A quarter of the keys stays; the others come and go at a load at which every other put moves
   * some. Without the version of CuckooTable this fails in every run.
   */
  @ParameterizedTest
  @CsvSource({"0.01", "1e-4", "1e-6"}) // 10 bits, 17 and 23: slots that lie in two words
  void noKeyThatStaysIsEverMissedWhileOthersMove(double fpp) {
    int keys = 400;
    CuckooFilter<Long> filter = filter(keys, fpp);
    long[] staying = Keys.hashes(1, keys / 4).toArray();
    for (long hash : staying) {
      filter.putHash(hash);
    }
    AtomicBoolean done = new AtomicBoolean();
    AtomicLong missed = new AtomicLong();
    Race.run(
        4,
        thread -> {
          if (thread == 0) {
            comeAndGo(filter, Keys.hashes(2, 8L * keys).toArray(), 3);
            done.set(true);
            return;
          }
          while (!done.get()) {
            for (long hash : staying) {
              boolean isIn = filter.mightContainHash(hash) && filter.approximateCountHash(hash) > 0;
              missed.addAndGet(isIn ? 0 : 1);
            }
          }
        });
    assertThat(missed).hasValue(0);
  }

  /**
   * Fills up with the keys in turn and takes the oldest out again, so that it stays nearly full.
   */
  private static void comeAndGo(CuckooFilter<Long> filter, long[] hashes, int rounds) {
    int oldest = 0;
    for (int i = 0; i < rounds * hashes.length; i++) {
      while (!tryPut(filter, hashes[i % hashes.length])) {
        assertThat(filter.removeHash(hashes[oldest++ % hashes.length])).isTrue();
      }
    }
  }

  @Test
  void threadsThatMeetAFullFilterLoseNothing() {
    CuckooFilter<Long> filter = filter(2_000, 0.001);
    AtomicInteger refused = new AtomicInteger();
    boolean[][] taken = new boolean[8][1_000];
    Race.run(
        8,
        thread -> {
          long[] hashes = Keys.hashes(thread, 1_000).toArray();
          for (int i = 0; i < hashes.length; i++) {
            taken[thread][i] = tryPut(filter, hashes[i]);
            refused.addAndGet(taken[thread][i] ? 0 : 1);
          }
        });
    assertThat(refused).hasValueGreaterThan(5_000);
    for (int thread = 0; thread < 8; thread++) {
      long[] hashes = Keys.hashes(thread, 1_000).toArray();
      for (int i = 0; i < hashes.length; i++) {
        assertThat(!taken[thread][i] || filter.removeHash(hashes[i])).isTrue();
      }
    }
    assertThat(filter).isEqualTo(filter(2_000, 0.001));
  }

  /** A key misses where one thread moves it while another writes the filter down. */
  @Test
  void aCopyAndAFileHoldEveryKeyThatStays() {
    CuckooFilter<Long> filter = filter(400, 1e-4);
    long[] staying = Keys.hashes(1, 100).toArray();
    for (long hash : staying) {
      filter.putHash(hash);
    }
    AtomicBoolean done = new AtomicBoolean();
    Race.run(
        2,
        thread -> {
          if (thread == 0) {
            comeAndGo(filter, Keys.hashes(2, 3_200).toArray(), 3);
            done.set(true);
            return;
          }
          do {
            CuckooFilter<Long> copy = filter.copy();
            for (long hash : staying) {
              assertThat(copy.mightContainHash(hash)).isTrue();
            }
            assertThat(copy.approximateElementCount().value()).isGreaterThanOrEqualTo(100);
          } while (!done.get());
        });
  }

  private static boolean tryPut(CuckooFilter<Long> filter, long hash) {
    try {
      filter.putHash(hash);
      return true;
    } catch (FilterFullException e) {
      return false;
    }
  }

  private static CuckooFilter<Long> filter(long expectedKeys, double fpp) {
    return CuckooFilter.create(KeyHasher.longs(), expectedKeys, fpp);
  }
}
