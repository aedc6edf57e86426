package dev.tamis.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Keys;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Growth;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Sizing;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Keys chosen against a filter that grows: each in no stage yet and of fresh bits only. The fpp
 * suffers as that of a {@link BloomFilter} does; the memory depends on how many there are alone.
 */
class GrowthAttackTest {

  private static final long INITIAL = 100;
  private static final double FPP = 0.01;

  private static final KeyHasher<Long> PUBLIC = KeyHasher.longs();
  private static final KeyHasher<Long> SECRET = PUBLIC.keyedBy(Keys.secret(1));
  private static final KeyHasher<Long> GUESSED = PUBLIC.keyedBy(Keys.secret(2));

  private static ScalableBloomFilter<Long> empty(KeyHasher<Long> hasher) {
    return ScalableBloomFilter.<Long>builder(hasher)
        .initialKeys(INITIAL)
        .fpp(FPP)
        .layout(Layout.CLASSIC) // for which there is a formula
        .build();
  }

  @Test
  void chosenKeysMakeAPublicFilterLieTwentyTimesAsOftenAndTakeNoMoreMemory() {
    ScalableBloomFilter<Long> filter = empty(PUBLIC);
    List<Long> chosen = keysOfFreshBits(PUBLIC);
    assertThat(chosen).hasSize((int) (3 * INITIAL)).allMatch(filter::put);

    double honest = first().fpp() + second().fpp();
    double polluted = polluted(first()) + polluted(second());
    assertThat(polluted / honest).isBetween(20.0, 25.0);
    assertThat(filter.expectedFpp()).isBetween(0.95 * polluted, polluted);
    assertThat(filter.bitSize()).isEqualTo(bits(2));
    assertThat(filter.put(-1L) || filter.put(-2L) || filter.put(-3L)).isTrue();
    assertThat(filter.bitSize()).isEqualTo(bits(3));
  }

  @Test
  void theyAreAsGoodAsHonestOnesWhereTheKeyIsSecret() {
    for (KeyHasher<Long> guess : List.of(PUBLIC, GUESSED)) {
      ScalableBloomFilter<Long> filter = empty(SECRET);
      keysOfFreshBits(guess).forEach(filter::put);
      assertThat(filter.expectedFpp()).isLessThan(FPP);
      assertThat(filter.bitSize()).isEqualTo(bits(2));
    }
  }

  /** A put that returns false takes no place, so only keys not seen before make it grow. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void repeatsDoNotMakeItGrow(boolean secret) {
    ScalableBloomFilter<Long> filter = empty(secret ? SECRET : PUBLIC);
    LongStream.range(0, 100_000).forEach(i -> filter.put(i % INITIAL));
    assertThat(filter.bitSize()).isEqualTo(bits(1));
  }

  /**
   * An unlimited number of distinct keys makes it grow without limit, by 15.4 to 46.0 bits per key
   * at 1 % from the first full stage to 10^9 keys: the most is just after a stage has been added.
   */
  @Test
  void eachKeyAddsABoundedNumberOfBits() {
    double least = Double.MAX_VALUE;
    double most = 0;
    for (long keys = 1_000; keys < 1_000_000_000; keys = 2 * keys + 1_000) {
      least = Math.min(least, (double) Growth.bits(1_000, keys, FPP) / keys);
      most = Math.max(most, (double) Growth.bits(1_000, keys + 1, FPP) / (keys + 1));
    }
    assertThat(least).isBetween(15.3, 15.4);
    assertThat(most).isBetween(46.0, 46.1);
  }

  private static Sizing first() {
    return Growth.first(INITIAL, FPP, Layout.CLASSIC);
  }

  private static long bits(int stages) {
    Sizing stage = first();
    long bits = stage.shape().bits();
    for (int i = 1; i < stages; i++) {
      stage = Growth.next(stage);
      bits += stage.shape().bits();
    }
    return bits;
  }

  private static Sizing second() {
    return Growth.next(first());
  }

  /** Returns the fpp of a stage all of whose keys have k bits of their own: (k·n / m)^k. */
  private static double polluted(Sizing stage) {
    double hashes = stage.shape().hashes();
    return Math.pow(stage.expectedKeys() * hashes / stage.shape().bits(), hashes);
  }

  private static List<Long> keysOfFreshBits(KeyHasher<Long> hasher) {
    HashFunction function = BoundHasher.of(hasher, 0).function();
    List<Long> keys = new ArrayList<>();
    List<boolean[]> stages = new ArrayList<>();
    long candidate = 0;
    for (Sizing stage : List.of(first(), second())) {
      BitPositions positions = BitPositions.of(stage.shape());
      boolean[] bits = new boolean[(int) stage.shape().bits()];
      stages.add(bits);
      for (long taken = 0; taken < stage.expectedKeys(); candidate++) {
        long hash = function.hashLong(candidate);
        if (isFresh(bits, positions, hash) && !isIn(stages, hash)) {
          mark(bits, positions, hash);
          keys.add(candidate);
          taken++;
        }
      }
    }
    return keys;
  }

  /** Returns whether the first stage has the key already; the second has it not, if it is fresh. */
  private static boolean isIn(List<boolean[]> stages, long hash) {
    if (stages.size() == 1) {
      return false;
    }
    BitPositions positions = BitPositions.of(first().shape());
    for (int i = 0; i < positions.count(); i++) {
      if (!stages.get(0)[(int) positions.position(hash, i)]) {
        return false;
      }
    }
    return true;
  }

  private static boolean isFresh(boolean[] bits, BitPositions positions, long hash) {
    for (int i = 0; i < positions.count(); i++) {
      if (bits[(int) positions.position(hash, i)]) {
        return false;
      }
    }
    return true;
  }

  private static void mark(boolean[] bits, BitPositions positions, long hash) {
    for (int i = 0; i < positions.count(); i++) {
      bits[(int) positions.position(hash, i)] = true;
    }
  }
}
