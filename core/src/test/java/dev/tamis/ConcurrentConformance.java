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
  private static final double FPP = 0.01;

  /** Returns an empty filter that any number of threads may use at once. */
  protected abstract HashedMutableFilter<Long> create(long expectedKeys, double fpp);

  /** How many keys they race for; fewer for a filter that is a journey away. */
  protected int keys() {
    return 200_000;
  }

  /**
   * Returns what is equal if two filters hold the same; the bytes, for one that lives elsewhere.
   */
  protected Object contents(HashedMutableFilter<Long> filter) {
    return filter;
  }

  /** The order in which threads go through the same keys. */
  enum Order {
    /** All alike, so that they meet at nearly every key. */
    SAME,
    /** Each its own, so that every key is met at another moment by each. */
    SHUFFLED;

    int[] indexes(int thread, int keys) {
      int[] indexes = IntStream.range(0, keys).toArray();
      SplittableRandom random = new SplittableRandom(thread);
      for (int i = keys - 1; i > 0 && this == SHUFFLED; i--) {
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
    HashedMutableFilter<Long> filter = create(keys(), FPP);
    AtomicIntegerArray wins = race(filter, order);

    assertThat(IntStream.range(0, keys()).map(wins::get).max()).hasValue(1);
  }

  @ParameterizedTest
  @EnumSource
  void aKeyIsNewToNoThreadAboutAsOftenAsOneThreadIsWrong(Order order) {
    HashedMutableFilter<Long> alone = create(keys(), FPP);
    long wrongAlone = Keys.hashes(1, keys()).filter(hash -> !alone.putHash(hash)).count();

    AtomicIntegerArray wins = race(create(keys(), FPP), order);

    long wrong = IntStream.range(0, keys()).filter(key -> wins.get(key) == 0).count();
    long fewest = wrongAlone < 20 ? 0 : wrongAlone / 2; // of so few it may happen to none
    assertThat(wrong).isBetween(fewest, 2 * wrongAlone + 20);
  }

  @ParameterizedTest
  @EnumSource
  void racingForTheSameKeysSetsTheBitsThatOneThreadSets(Order order) {
    HashedMutableFilter<Long> filter = create(keys(), FPP);
    AtomicIntegerArray wins = race(filter, order);

    assertThat(contents(filter)).isEqualTo(contents(filledByOneThread(THREADS)));
    assertThat(filter.acceptedKeys()).isEqualTo(IntStream.range(0, keys()).map(wins::get).sum());
  }

  @Test
  void nothingIsLostWhenEachThreadHasKeysOfItsOwn() {
    HashedMutableFilter<Long> filter = create(keys(), FPP);
    long[] hashes = Keys.hashes(1, keys()).toArray();
    Race.run(
        THREADS,
        thread -> {
          for (int i = thread; i < keys(); i += THREADS) {
            filter.putHash(hashes[i]);
            assertThat(filter.mightContainHash(hashes[i])).isTrue();
          }
        });
    assertThat(contents(filter)).isEqualTo(contents(filledByOneThread(1)));
  }

  @Test
  void aKeyIsThereForAllThreadsOnceItsPutHasReturned() {
    HashedMutableFilter<Long> filter = create(keys(), FPP);
    long[] hashes = Keys.hashes(1, keys()).toArray();
    AtomicIntegerArray put = new AtomicIntegerArray(THREADS); // keys each thread has put so far
    Race.run(
        THREADS,
        thread -> {
          SplittableRandom random = new SplittableRandom(thread);
          for (int i = thread; i < keys(); i += THREADS) {
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
    HashedMutableFilter<Long> filter = create(1, 1e-6);
    HashedMutableFilter<Long> alone = create(1, 1e-6);
    for (int thread = 0; thread < THREADS; thread++) {
      Keys.hashes(1, 50).forEach(alone::putHash);
    }
    Race.run(THREADS, thread -> Keys.hashes(1, 50).forEach(filter::putHash));
    assertThat(contents(filter)).isEqualTo(contents(alone));
  }

  /** Puts the same keys from all threads and returns how often each was called new. */
  private AtomicIntegerArray race(HashedMutableFilter<Long> filter, Order order) {
    long[] hashes = Keys.hashes(1, keys()).toArray();
    AtomicIntegerArray wins = new AtomicIntegerArray(keys());
    Race.run(
        THREADS,
        thread -> {
          for (int index : order.indexes(thread, hashes.length)) {
            if (filter.putHash(hashes[index])) {
              wins.incrementAndGet(index);
            }
          }
        });
    return wins;
  }

  private HashedMutableFilter<Long> filledByOneThread(int times) {
    HashedMutableFilter<Long> filter = create(keys(), FPP);
    for (int i = 0; i < times; i++) {
      Keys.hashes(1, keys()).forEach(filter::putHash);
    }
    return filter;
  }
}
