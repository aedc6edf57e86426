package dev.tamis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The promises of a filter that many threads use at once: nothing is lost, and one key is new to
 * one thread only.
 *
 * <p>A put that ORs bit after bit and says "new" if it flipped any fails {@link
 * #aKeyIsNewToOneThreadOnly} in nearly every run.
 */
@Timeout(120)
public abstract class ConcurrentConformance {

  private static final int THREADS = 4;
  private static final int KEYS = 200_000;
  private static final double FPP = 0.01;

  /** Returns an empty filter that any number of threads may use at once. */
  protected abstract MutableFilter<Long> create(long expectedKeys, double fpp);

  /** The order in which threads go through the same keys. */
  enum Order {
    /** All alike, so that they meet at nearly every key. */
    SAME,
    /** Each its own, so that every key is met at another moment by each. */
    SHUFFLED;

    int[] indexes(int thread) {
      int[] indexes = IntStream.range(0, KEYS).toArray();
      SplittableRandom random = new SplittableRandom(thread);
      for (int i = KEYS - 1; i > 0 && this == SHUFFLED; i--) {
        int other = random.nextInt(i + 1);
        int moved = indexes[i];
        indexes[i] = indexes[other];
        indexes[other] = moved;
      }
      return indexes;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aKeyIsNewToOneThreadOnly(Order order) {
    MutableFilter<Long> filter = create(KEYS, FPP);
    AtomicIntegerArray wins = race(filter, order);

    assertThat(IntStream.range(0, KEYS).map(wins::get).max()).hasValue(1);
  }

  @ParameterizedTest
  @EnumSource
  void aKeyIsNewToNoThreadAboutAsOftenAsOneThreadIsWrong(Order order) {
    MutableFilter<Long> alone = create(KEYS, FPP);
    long wrongAlone = Keys.hashes(1, KEYS).filter(hash -> !alone.putHash(hash)).count();

    AtomicIntegerArray wins = race(create(KEYS, FPP), order);

    long wrong = IntStream.range(0, KEYS).filter(key -> wins.get(key) == 0).count();
    assertThat(wrong).isBetween(wrongAlone / 2, 2 * wrongAlone + 20);
  }

  @ParameterizedTest
  @EnumSource
  void racingForTheSameKeysSetsTheBitsThatOneThreadSets(Order order) {
    MutableFilter<Long> filter = create(KEYS, FPP);
    AtomicIntegerArray wins = race(filter, order);

    assertThat(filter).isEqualTo(filledByOneThread(THREADS));
    assertThat(filter.acceptedKeys()).isEqualTo(IntStream.range(0, KEYS).map(wins::get).sum());
  }

  @Test
  void nothingIsLostWhenEachThreadHasKeysOfItsOwn() {
    MutableFilter<Long> filter = create(KEYS, FPP);
    long[] hashes = Keys.hashes(1, KEYS).toArray();
    Race.run(
        THREADS,
        thread -> {
          for (int i = thread; i < KEYS; i += THREADS) {
            filter.putHash(hashes[i]);
            assertThat(filter.mightContainHash(hashes[i])).isTrue();
          }
        });
    assertThat(filter).isEqualTo(filledByOneThread(1));
  }

  @Test
  void aKeyIsThereForAllThreadsOnceItsPutHasReturned() {
    MutableFilter<Long> filter = create(KEYS, FPP);
    long[] hashes = Keys.hashes(1, KEYS).toArray();
    AtomicIntegerArray put = new AtomicIntegerArray(THREADS); // keys each thread has put so far
    Race.run(
        THREADS,
        thread -> {
          SplittableRandom random = new SplittableRandom(thread);
          for (int i = thread; i < KEYS; i += THREADS) {
            filter.putHash(hashes[i]);
            put.incrementAndGet(thread);
            int other = random.nextInt(THREADS);
            int newest = other + (put.get(other) - 1) * THREADS;
            if (newest >= 0 && !filter.mightContainHash(hashes[newest])) {
              throw new AssertionError("thread " + thread + " misses key " + newest);
            }
          }
        });
  }

  @Test
  public void fewBitsAndManyThreadsStillLoseNothing() {
    MutableFilter<Long> filter = create(1, 1e-6);
    MutableFilter<Long> alone = create(1, 1e-6);
    for (int thread = 0; thread < THREADS; thread++) {
      Keys.hashes(1, 50).forEach(alone::putHash);
    }
    Race.run(THREADS, thread -> Keys.hashes(1, 50).forEach(filter::putHash));
    assertThat(filter).isEqualTo(alone);
  }

  /** Puts the same keys from all threads and returns how often each was called new. */
  private static AtomicIntegerArray race(MutableFilter<Long> filter, Order order) {
    long[] hashes = Keys.hashes(1, KEYS).toArray();
    AtomicIntegerArray wins = new AtomicIntegerArray(KEYS);
    Race.run(
        THREADS,
        thread -> {
          for (int index : order.indexes(thread)) {
            if (filter.putHash(hashes[index])) {
              wins.incrementAndGet(index);
            }
          }
        });
    return wins;
  }

  private MutableFilter<Long> filledByOneThread(int times) {
    MutableFilter<Long> filter = create(KEYS, FPP);
    for (int i = 0; i < times; i++) {
      Keys.hashes(1, KEYS).forEach(filter::putHash);
    }
    return filter;
  }
}
