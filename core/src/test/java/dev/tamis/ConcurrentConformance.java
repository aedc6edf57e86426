package dev.tamis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The promises of a filter that many threads use at once: a key is new exactly once, and nothing is
 * lost.
 *
 * <p>The only exceptions are the false positives that one thread has too.
 *
 * <p>A put that ORs bit after bit and says "new" if it flipped any fails {@link
 * #exactlyOnePutOfAKeyReturnsTrue} in nearly every run; one that ORs the last missing bit last and
 * says "new" if it flipped that one fails {@link #distinctKeysAreAllNew}.
 */
@Timeout(120)
public abstract class ConcurrentConformance {

  private static final int THREADS = 4;
  private static final double FPP = 0.01;

  /** So low that what is lost otherwise shows. */
  private static final double TINY_FPP = 1e-9;

  private static final int BATCH = 100;

  /** Returns an empty filter that any number of threads may use at once. */
  protected abstract HashedMutableFilter<Long> create(long expectedKeys, double fpp);

  /** How many keys they race for; fewer for a filter that is a journey away. */
  protected int keys() {
    return 62_500;
  }

  /** How many puts of distinct keys are looked at, over one filter after the other. */
  protected long distinctPuts() {
    return 160L * keys();
  }

  /** Returns the expected wrong drops; computed elsewhere for a filter that does not know them. */
  protected double expectedWrongDrops(HashedMutableFilter<Long> filter) {
    return ((DropAware) filter).expectedWrongDrops();
  }

  /** Returns an object that is equal if two filters hold the same; the bytes, for a remote one. */
  protected Object contents(HashedMutableFilter<Long> filter) {
    return filter;
  }

  /** Returns whether the same keys in another order give other bits. */
  protected boolean dependsOnOrder() {
    return false;
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
  @ValueSource(ints = {4, 16})
  void distinctKeysAreAllNew(int threads) {
    assertDistinctKeysAreNew(threads, distinctPuts() / 32);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8, 16})
  @Tag("thorough")
  @Timeout(1200)
  void tenMillionDistinctKeysPerThreadCountAreAllNew(int threads) {
    assertDistinctKeysAreNew(threads, distinctPuts());
  }

  @ParameterizedTest
  @EnumSource
  void exactlyOnePutOfAKeyReturnsTrue(Order order) {
    HashedMutableFilter<Long> filter = create(keys(), TINY_FPP);
    AtomicIntegerArray wins = race(filter, order);

    assertThat(IntStream.range(0, keys()).map(wins::get).max()).hasValue(1);
    assertExplained(keysWithoutWin(wins), expectedWrongDrops(filter));
  }

  @ParameterizedTest
  @EnumSource
  void aKeyIsNewToNoThreadAsOftenAsOneThreadIsWrong(Order order) {
    HashedMutableFilter<Long> filter = create(keys(), FPP);
    AtomicIntegerArray wins = race(filter, order);

    assertThat(IntStream.range(0, keys()).map(wins::get).max()).hasValue(1);
    double expected = expectedWrongDrops(filter);
    assertThat((double) keysWithoutWin(wins))
        .isBetween(
            0.9 * expected - 6 * Math.sqrt(expected), 1.1 * expected + 6 * Math.sqrt(expected) + 6);
  }

  @ParameterizedTest
  @EnumSource
  void racingForTheSameKeysSetsTheBitsThatOneThreadSets(Order order) {
    HashedMutableFilter<Long> filter = create(keys(), FPP);
    AtomicIntegerArray wins = race(filter, order);

    assertHoldsWhatOneThreadPut(filter, THREADS);
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
    assertHoldsWhatOneThreadPut(filter, 1);
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

  /** A loop that looks for a key sees it come, also once the loop is compiled. */
  @Test
  @Timeout(60)
  void aThreadThatWaitsForAKeySeesItCome() {
    HashedMutableFilter<Long> filter = create(keys(), TINY_FPP);
    long[] hashes = Keys.hashes(1, 50).toArray();
    Race.run(
        2,
        thread -> {
          for (int i = 0; i < hashes.length; i++) {
            if (i % 2 == thread) {
              filter.putHash(hashes[i]);
            } else {
              while (!filter.mightContainHash(hashes[i])) {
                Thread.onSpinWait();
              }
            }
          }
        });
  }

  @Test
  void fewBitsAndManyThreadsStillLoseNothing() {
    HashedMutableFilter<Long> filter = create(1, 1e-6);
    Race.run(THREADS, thread -> Keys.hashes(1, 50).forEach(filter::putHash));
    assertThat(Keys.hashes(1, 50).allMatch(filter::mightContainHash)).isTrue();
    if (!dependsOnOrder()) {
      HashedMutableFilter<Long> alone = create(1, 1e-6);
      for (int thread = 0; thread < THREADS; thread++) {
        Keys.hashes(1, 50).forEach(alone::putHash);
      }
      assertThat(contents(filter)).isEqualTo(contents(alone));
    }
  }

  /** Fills filters until {@code puts} keys have been put, alternately singly and in bulk. */
  private void assertDistinctKeysAreNew(int threads, long puts) {
    int perFilter = Math.max(threads, keys() / 2);
    long lost = 0;
    double expected = 0;
    for (long seed = 0; seed * perFilter < puts; seed++) {
      HashedMutableFilter<Long> filter = create(perFilter, TINY_FPP);
      long[] hashes = Keys.hashes(seed, perFilter).toArray();
      boolean inBulk = seed % 2 == 1;
      Race.run(threads, thread -> putPart(filter, hashes, thread, threads, inBulk));
      long accepted = filter.acceptedKeys();
      assertThat(accepted).isLessThanOrEqualTo(perFilter);
      assertThat(Arrays.stream(hashes).allMatch(filter::mightContainHash)).isTrue();
      lost += perFilter - accepted;
      expected += expectedWrongDrops(filter);
    }
    assertExplained(lost, expected);
  }

  private static void putPart(
      HashedMutableFilter<Long> filter, long[] hashes, int thread, int threads, boolean inBulk) {
    int from = (int) ((long) hashes.length * thread / threads);
    int to = (int) ((long) hashes.length * (thread + 1) / threads);
    boolean[] isNew = new boolean[BATCH];
    for (int i = from; i < to; i += BATCH) {
      long[] batch = Arrays.copyOfRange(hashes, i, Math.min(to, i + BATCH));
      if (inBulk) {
        filter.putHashes(batch, batch.length, isNew);
        continue;
      }
      for (long hash : batch) {
        filter.putHash(hash);
      }
    }
  }

  /** Asserts that the expected false positives explain the keys lost. */
  private static void assertExplained(long lost, double expected) {
    assertThat(lost).isLessThanOrEqualTo(poissonQuantile(expected));
  }

  /** Returns the least number that is passed once in a million times, or more rarely. */
  private static long poissonQuantile(double mean) {
    double most = 1 - 1e-6;
    double probability = Math.exp(-mean);
    double sum = probability;
    long number = 0;
    while (sum < most) {
      number++;
      probability *= mean / number;
      sum += probability;
    }
    return number;
  }

  private long keysWithoutWin(AtomicIntegerArray wins) {
    return IntStream.range(0, keys()).filter(key -> wins.get(key) == 0).count();
  }

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

  private void assertHoldsWhatOneThreadPut(HashedMutableFilter<Long> filter, int times) {
    assertThat(Keys.hashes(1, keys()).allMatch(filter::mightContainHash)).isTrue();
    if (dependsOnOrder()) {
      return;
    }
    HashedMutableFilter<Long> alone = create(keys(), FPP);
    for (int i = 0; i < times; i++) {
      Keys.hashes(1, keys()).forEach(alone::putHash);
    }
    assertThat(contents(filter)).isEqualTo(contents(alone));
  }
}
