package dev.tamis.internal.bits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Keys;
import dev.tamis.Race;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Puts with the stripes of the key held, compared with two schemes without locks that look right
 * and are not: the races here find what is wrong with those.
 */
class LockedPutTest {

  private static final int THREADS = 4;
  private static final int KEYS = 100_000;
  private static final int BITS = 1 << 22;
  private static final int MAX_ROUNDS = 200;

  private static final Placement PLACEMENT = ScatteredPlacement.classic(BITS, 29);

  @Test
  void oringBitAfterBitGivesAKeyTwoWinners() {
    int doubleWins = 0;
    for (int round = 0; round < MAX_ROUNDS && doubleWins == 0; round++) {
      AtomicLongArray words = new AtomicLongArray(BITS / Long.SIZE);
      AtomicIntegerArray wins = raceForTheSameKeys(hash -> putBitAfterBit(words, hash));
      doubleWins = keysWithWins(wins, 2);
    }
    assertThat(doubleWins).isPositive();
  }

  @Test
  void oringTheLastMissingBitLastLosesKeys() {
    int lost = 0;
    for (int round = 0; round < MAX_ROUNDS && lost == 0; round++) {
      AtomicLongArray words = new AtomicLongArray(BITS / Long.SIZE);
      lost = keysWithWins(raceWithKeysOfTheirOwn(hash -> putLastMissingLast(words, hash)), 0);
    }
    assertThat(lost).isPositive();
  }

  @ParameterizedTest
  @MethodSource("placements")
  void stripesGiveAKeyOneWinner(Placement placement) {
    for (int round = 0; round < 5; round++) {
      Locked filter = new Locked(placement);
      AtomicIntegerArray wins = raceForTheSameKeys(filter::put);
      assertThat(keysWithWins(wins, 1)).isEqualTo(KEYS);
    }
  }

  @ParameterizedTest
  @MethodSource("placements")
  void stripesLoseNoKey(Placement placement) {
    for (int round = 0; round < 5; round++) {
      Locked filter = new Locked(placement);
      AtomicIntegerArray wins = raceWithKeysOfTheirOwn(filter::put);
      assertThat(keysWithWins(wins, 1)).isEqualTo(KEYS);
      assertThat(filter.stripes.counted()).isEqualTo(KEYS);
    }
  }

  /**
   * With an fpp so low that there is no false positive among the keys, as a single thread shows.
   */
  static Stream<Placement> placements() {
    Stream<Placement> placements =
        Stream.of(
            PLACEMENT,
            ScatteredPlacement.partitioned(29L << 17, 29),
            new LinePlacement(BITS, 12),
            new SplitPairPlacement(BITS, 1),
            new SplitPlacement(BITS, 2));
    return placements.peek(
        placement -> {
          Locked alone = new Locked(placement);
          assertThat(Keys.hashes(1, KEYS).filter(alone::put).count()).isEqualTo(KEYS);
        });
  }

  private static final class Locked {
    private final Placement placement;
    private final Words words = Words.allocate(BITS / Long.SIZE);
    private final Stripes stripes = Stripes.forWords(words.count());

    Locked(Placement placement) {
      this.placement = placement;
    }

    boolean put(long hash) {
      if (placement.mightContain(words, hash)) {
        return false;
      }
      long locked = placement.lock(stripes, hash);
      boolean isNew = placement.putLocked(words, hash);
      stripes.count((int) locked, isNew ? 1 : 0);
      placement.unlock(stripes, locked);
      return isNew;
    }
  }

  /** Sets each bit atomically and calls the key new if any was zero. */
  private static boolean putBitAfterBit(AtomicLongArray words, long hash) {
    boolean isNew = false;
    for (int probe = 0; probe < PLACEMENT.probes(); probe++) {
      isNew |= set(words, PLACEMENT.position(hash, probe));
    }
    return isNew;
  }

  /** Sets the last missing bit last and calls the key new if that was still zero. */
  private static boolean putLastMissingLast(AtomicLongArray words, long hash) {
    int deciding = PLACEMENT.probes() - 1;
    while (deciding >= 0 && isSet(words, PLACEMENT.position(hash, deciding))) {
      deciding--;
    }
    if (deciding < 0) {
      return false;
    }
    long decidingBit = PLACEMENT.position(hash, deciding);
    for (int probe = 0; probe < deciding; probe++) {
      long bit = PLACEMENT.position(hash, probe);
      boolean unused = bit != decidingBit && set(words, bit);
    }
    return set(words, decidingBit);
  }

  private static boolean isSet(AtomicLongArray words, long bit) {
    return (words.get((int) (bit >>> 6)) & 1L << bit) != 0;
  }

  private static boolean set(AtomicLongArray words, long bit) {
    long mask = 1L << bit;
    return (words.getAndUpdate((int) (bit >>> 6), word -> word | mask) & mask) == 0;
  }

  private static AtomicIntegerArray raceForTheSameKeys(Put put) {
    return race(put, 0, 1);
  }

  private static AtomicIntegerArray raceWithKeysOfTheirOwn(Put put) {
    return race(put, 1, THREADS);
  }

  /** Has thread t put the keys from t · {@code start} on in steps; returns each key's wins. */
  private static AtomicIntegerArray race(Put put, int start, int step) {
    long[] hashes = Keys.hashes(1, KEYS).toArray();
    AtomicIntegerArray wins = new AtomicIntegerArray(KEYS);
    Race.run(
        THREADS,
        thread -> {
          for (int i = thread * start; i < KEYS; i += step) {
            if (put.put(hashes[i])) {
              wins.incrementAndGet(i);
            }
          }
        });
    return wins;
  }

  private static int keysWithWins(AtomicIntegerArray wins, int number) {
    return (int) IntStream.range(0, KEYS).filter(key -> wins.get(key) == number).count();
  }

  private interface Put {
    boolean put(long hash);
  }
}
