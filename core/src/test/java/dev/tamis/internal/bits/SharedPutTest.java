package dev.tamis.internal.bits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Keys;
import dev.tamis.Race;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Shows that the races of these tests find the fault which {@link Placement#putShared} avoids. */
class SharedPutTest {

  private static final int THREADS = 4;
  private static final int KEYS = 100_000;
  private static final int BITS = 1 << 20;
  private static final int MOST_ROUNDS = 100;

  private static final Placement PLACEMENT = ScatteredPlacement.classic(BITS, 7);

  @Test
  void oringBitAfterBitGivesAKeyTwoWinners() {
    int doubleWins = 0;
    for (int round = 0; round < MOST_ROUNDS && doubleWins == 0; round++) {
      AtomicLongArray words = new AtomicLongArray(BITS / Long.SIZE);
      doubleWins = doubleWins(hash -> putNaively(words, hash));
    }
    assertThat(doubleWins).isPositive();
  }

  @RepeatedTest(20)
  void putSharedGivesAKeyOneWinner() {
    long[] words = LineWords.allocate(BITS / Long.SIZE);
    assertThat(doubleWins(hash -> PLACEMENT.putShared(words, hash))).isZero();
  }

  /**
   * Sets each bit atomically and calls the key new if any was zero: what looks right and is not.
   */
  private static boolean putNaively(AtomicLongArray words, long hash) {
    boolean isNew = false;
    for (int probe = 0; probe < PLACEMENT.probes(); probe++) {
      long bit = PLACEMENT.position(hash, probe);
      long mask = 1L << bit;
      isNew |= (words.getAndUpdate((int) (bit >>> 6), word -> word | mask) & mask) == 0;
    }
    return isNew;
  }

  /** Returns how many keys were new to more than one of several threads that put all of them. */
  private static int doubleWins(Put put) {
    long[] hashes = Keys.hashes(1, KEYS).toArray();
    AtomicIntegerArray wins = new AtomicIntegerArray(KEYS);
    Race.run(
        THREADS,
        thread -> {
          for (int i = 0; i < KEYS; i++) {
            if (put.put(hashes[i])) {
              wins.incrementAndGet(i);
            }
          }
        });
    return (int) IntStream.range(0, KEYS).filter(key -> wins.get(key) > 1).count();
  }

  private interface Put {
    boolean put(long hash);
  }
}
