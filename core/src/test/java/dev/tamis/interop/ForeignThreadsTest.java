package dev.tamis.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Race;
import dev.tamis.hash.KeyHasher;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What several threads do to a foreign filter beyond puts by hash, which the suite covers: puts
 * into Guava's, whose positions take 128 bits of hash, merges, and counts that files contain.
 */
@Timeout(120)
class ForeignThreadsTest {

  private static final int THREADS = 4;
  private static final int KEYS = 50_000;

  /** So low that one thread meets no false positive among the keys. */
  private static final double TINY_FPP = 1e-9;

  @Test
  void exactlyOnePutOfAKeyReturnsTrueInGuavas() {
    for (int round = 0; round < 5; round++) {
      GuavaBloomFilter<Long> filter = guava();
      AtomicIntegerArray wins = new AtomicIntegerArray(KEYS);
      Race.run(
          THREADS,
          thread ->
              keys()
                  .forEach(
                      key -> {
                        if (filter.put(key)) {
                          wins.incrementAndGet((int) key);
                        }
                      }));
      assertThat(IntStream.range(0, KEYS).map(wins::get)).containsOnly(1);
      assertThat(filter.acceptedKeys()).isEqualTo(KEYS);
    }
  }

  @Test
  void keysOfTheirOwnAreAllNewAndThereOnceThePutReturnedInGuavas() {
    for (int round = 0; round < 5; round++) {
      GuavaBloomFilter<Long> filter = guava();
      Race.run(
          THREADS,
          thread ->
              keys()
                  .filter(key -> key % THREADS == thread)
                  .forEach(
                      key -> {
                        boolean isNew = filter.put(key);
                        assertThat(isNew && filter.mightContain(key)).isTrue();
                      }));
      GuavaBloomFilter<Long> alone = guava();
      keys().forEach(alone::put);
      assertThat(filter).isEqualTo(alone);
    }
  }

  @Test
  void aCopyMadeMeanwhileHoldsWhatWasPutBefore() {
    GuavaBloomFilter<Long> filter = guava();
    keys().limit(KEYS / 2).forEach(filter::put);
    Race.run(
        2,
        thread -> {
          if (thread == 0) {
            keys().skip(KEYS / 2).forEach(filter::put);
            return;
          }
          GuavaBloomFilter<Long> copy = filter.copy();
          assertThat(keys().limit(KEYS / 2)).allMatch(copy::mightContain);
          assertThat(copy.acceptedKeys()).isGreaterThanOrEqualTo(KEYS / 2);
        });
  }

  @Test
  void theCountInDcsosFileIsExact() {
    DcsoBloomFilter<Long> filter = DcsoBloomFilter.create(KeyHasher.longs(), KEYS, TINY_FPP);
    Race.run(THREADS, thread -> keys().forEach(filter::put));
    assertThat(filter.recordedKeys()).isEqualTo(KEYS);
  }

  private static GuavaBloomFilter<Long> guava() {
    return GuavaBloomFilter.create(KeyHasher.longs(), KEYS, TINY_FPP);
  }

  private static LongStream keys() {
    return LongStream.range(0, KEYS);
  }
}
