package dev.tamis.filter;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.FilterFullException;
import dev.tamis.Keys;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.Mixing;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Keys chosen by their buckets and fingerprints, which docs/format.md defines: they fill three
 * buckets permanently, and a filter that is all but empty refuses the next one.
 */
class CuckooAttackTest {

  private static final int KEYS = 1_000;
  private static final double FPP = 0.01;

  private static final KeyHasher<Long> PUBLIC = KeyHasher.longs();
  private static final KeyHasher<Long> SECRET = PUBLIC.keyedBy(Keys.secret(1));
  private static final KeyHasher<Long> GUESSED = PUBLIC.keyedBy(Keys.secret(2));

  private static CuckooFilter<Long> empty(KeyHasher<Long> hasher) {
    return CuckooFilter.create(hasher, KEYS, FPP);
  }

  /**
   * Eight keys of one fingerprint fill bucket 0 and its partner and cannot move; four of another
   * fill that one's partner, and the fifth has nowhere to go.
   */
  @Test
  void thirteenChosenKeysMakeAPublicFilterFull() {
    List<Long> chosen = thirteen(empty(PUBLIC));
    CuckooFilter<Long> filter = empty(PUBLIC);
    chosen.subList(0, 12).forEach(filter::put);
    refuses(
        FilterFullException.class,
        () -> filter.put(chosen.get(12)),
        "12 of " + filter.sizing().slots() + " slots");
    // the damage is local: an honest key finds room unless both its buckets are among the three
    assertThat(honestKeysUntilFull(filter)).isGreaterThan(KEYS * 9 / 10);
    assertThat(chosen.subList(0, 12)).allMatch(filter::mightContain);
  }

  @Test
  void theyTakeRoomAsHonestOnesDoWhereTheKeyIsSecret() {
    CuckooFilter<Long> filter = empty(SECRET);
    thirteen(empty(GUESSED)).forEach(filter::put);
    thirteen(empty(PUBLIC)).forEach(filter::put);
    assertThat(honestKeysUntilFull(filter) + 26).isGreaterThanOrEqualTo(KEYS);
    assertThat(honestKeysUntilFull(empty(SECRET))).isGreaterThanOrEqualTo(KEYS);
  }

  /**
   * An attacker who may repeat puts of a key needs to know no hash: eight copies fill the pair of
   * any key, and the first two pairs with a bucket in common are too many. With b buckets √(πb/8)
   * keys go in before that on average, as with birthdays. So put only what is not there yet.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void repeatedPutsFillAKeyedFilterToo(boolean onlyIfAbsent) {
    int filters = 100;
    long keys = 0;
    for (int i = 0; i < filters; i++) {
      CuckooFilter<Long> filter = empty(PUBLIC.keyedBy(Keys.secret(i)));
      keys += keysUntilFull(filter, 8, onlyIfAbsent);
    }
    double mean = (double) keys / filters;
    if (onlyIfAbsent) {
      assertThat(mean).isGreaterThan(KEYS);
    } else {
      double buckets = empty(SECRET).sizing().buckets();
      double expected = Math.sqrt(Math.PI * buckets / 8);
      assertThat(expected).isBetween(10.0, 11.0);
      // one filter varies by half of that, a hundred by 5 %
      assertThat(mean).isCloseTo(expected, within(0.25 * expected));
    }
  }

  /** The fingerprint of the victim, in the victim's bucket: removing the one removes the other. */
  @Test
  void aChosenKeyRemovesAVictimOfAPublicFilterOnly() {
    long victim = -1;
    for (KeyHasher<Long> hasher : List.of(PUBLIC, SECRET)) {
      CuckooFilter<Long> filter = empty(hasher);
      filter.put(victim);
      CuckooFilter<Long> own = empty(hasher == PUBLIC ? PUBLIC : GUESSED);
      long hash = own.hashOf(victim);
      long chosen = keysOf(own, bucket(own, hash), fingerprint(own, hash), 0, 1).get(0);
      assertThat(filter.remove(chosen)).isEqualTo(hasher == PUBLIC);
      assertThat(filter.mightContain(victim)).isEqualTo(hasher != PUBLIC);
    }
  }

  private static long keysUntilFull(CuckooFilter<Long> filter, int copies, boolean onlyIfAbsent) {
    for (long key = 0; ; key++) {
      try {
        for (int copy = 0; copy < copies; copy++) {
          if (!onlyIfAbsent || !filter.mightContain(key)) {
            filter.put(key);
          }
        }
      } catch (FilterFullException e) {
        return key;
      }
    }
  }

  private static long honestKeysUntilFull(CuckooFilter<Long> filter) {
    CuckooFilter<Long> copy = filter.copy();
    long first = 1L << 40;
    try {
      for (long key = first; ; key++) {
        copy.put(key);
      }
    } catch (FilterFullException e) {
      return copy.approximateElementCount().rounded() - filter.approximateElementCount().rounded();
    }
  }

  /** Returns eight keys with one fingerprint in bucket 0 and five with another. */
  private static List<Long> thirteen(CuckooFilter<Long> own) {
    List<Long> keys = new ArrayList<>(keysOf(own, 0, 1, 0, 8));
    keys.addAll(keysOf(own, 0, 1 << 8, 0, 5));
    return keys;
  }

  /** Tries numbers from {@code first} on: one in buckets · (2^f − 1) will do, 288,486 here. */
  private static List<Long> keysOf(
      CuckooFilter<Long> own, long bucket, long fingerprint, long first, int count) {
    return LongStream.iterate(first, key -> key + 1)
        .filter(
            key -> {
              long hash = own.hasher().function().hashLong(key);
              return bucket(own, hash) == bucket && fingerprint(own, hash) == fingerprint;
            })
        .limit(count)
        .boxed()
        .toList();
  }

  private static long bucket(CuckooFilter<Long> filter, long hash) {
    return Mixing.reduce(hash, filter.sizing().buckets());
  }

  private static long fingerprint(CuckooFilter<Long> filter, long hash) {
    return 1 + Mixing.reduce(Mixing.draw(hash, 1), (1L << filter.sizing().fingerprintBits()) - 1);
  }
}
