package dev.tamis;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tamis.hash.KeyHasher;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The promises of a filter that keys can be taken out of again. */
public abstract class RemovableConformance {

  /** Returns an empty filter that hashes its keys by {@link KeyHasher#longs}. */
  protected abstract RemovableFilter<Long> create(long expectedKeys, double fpp);

  /** Returns how often a key can be put and removed again before its count saturates. */
  protected abstract int mostCopies();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 1_000, 50_000})
  void emptyAgainWhenAllThatWasPutIsRemoved(int keys) {
    for (double fpp : new double[] {0.1, 0.01, 1e-4}) {
      RemovableFilter<Long> filter = create(keys, fpp);
      Keys.hashes(1, keys).forEach(filter::putHash);
      assertThat(Keys.hashes(1, keys).allMatch(filter::removeHash)).isTrue();
      assertThat(filter).isEqualTo(create(keys, fpp));
      assertThat(filter.expectedFpp()).isZero();
      assertThat(filter.approximateElementCount()).isEqualTo(new Estimate(0, 0, 0));
    }
  }

  @Test
  void whatAllThreadsPutAndRemoveLeavesItEmpty() {
    RemovableFilter<Long> filter = create(8_000, 1e-8);
    assumeThat(filter.isThreadSafe() && mostCopies() > 6).isTrue(); // or counters overflow
    Race.run(
        8,
        thread -> {
          for (int round = 0; round < 10; round++) {
            Keys.hashes(thread, 1_000).forEach(filter::putHash);
            assertThat(Keys.hashes(thread, 1_000).allMatch(filter::mightContainHash)).isTrue();
            assertThat(Keys.hashes(thread, 1_000).allMatch(filter::removeHash)).isTrue();
          }
        });
    assertThat(filter).isEqualTo(create(8_000, 1e-8));
    assertThat(filter.acceptedKeys()).isZero();
  }

  @Test
  void removingSomeLeavesTheOthers() {
    RemovableFilter<Long> filter = create(20_000, 0.01);
    Keys.hashes(1, 20_000).forEach(filter::putHash);
    assertThat(Keys.hashes(1, 10_000).allMatch(filter::removeHash)).isTrue();

    assertThat(Keys.hashes(1, 20_000).skip(10_000).allMatch(filter::mightContainHash)).isTrue();
    assertThat(Keys.hashes(1, 10_000).filter(filter::mightContainHash).count()).isLessThan(150);
    assertThat((double) filter.acceptedKeys()).isBetween(9_900.0, 10_100.0);
  }

  @Test
  void removingWhatIsCertainlyAbsentChangesNothing() {
    RemovableFilter<Long> filter = create(1_000, 0.01);
    RemovableFilter<Long> same = create(1_000, 0.01);
    Keys.hashes(1, 1_000).forEach(filter::putHash);
    Keys.hashes(1, 1_000).forEach(same::putHash);

    Keys.hashes(2, 10_000)
        .filter(hash -> !filter.mightContainHash(hash))
        .forEach(hash -> assertThat(filter.removeHash(hash)).isFalse());

    assertThat(filter).isEqualTo(same);
    assertThat(filter.acceptedKeys()).isEqualTo(same.acceptedKeys());
    assertThat(create(10, 0.01).remove(7L)).isFalse();
  }

  @Test
  void aKeyIsThereUntilItIsRemovedAsOftenAsItWasPut() {
    for (int copies : new int[] {1, 2, 3, mostCopies() - 1, mostCopies()}) {
      RemovableFilter<Long> filter = create(1_000, 1e-4);
      for (int i = 0; i < copies; i++) {
        assertThat(filter.put(42L)).isEqualTo(i == 0);
        assertThat(filter.approximateCount(42L)).isEqualTo(i + 1);
      }
      for (int i = copies; i > 0; i--) {
        assertThat(filter.mightContain(42L)).isTrue();
        assertThat(filter.approximateCount(42L)).isEqualTo(i);
        assertThat(filter.remove(42L)).isTrue();
      }
      assertThat(filter.mightContain(42L)).isFalse();
      assertThat(filter.remove(42L)).isFalse();
      assertThat(filter.approximateCount(42L)).isZero();
      assertThat(filter).isEqualTo(create(1_000, 1e-4));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 10, 1_000})
  void aKeyThatWasPutMoreOftenThanCanBeCountedStaysForGood(int more) {
    RemovableFilter<Long> filter = create(1_000, 1e-4);
    for (int i = 0; i < mostCopies() + more; i++) {
      filter.put(42L);
    }
    for (int i = 0; i < 2 * (mostCopies() + more); i++) {
      assertThat(filter.remove(42L)).isTrue();
      assertThat(filter.mightContain(42L)).isTrue();
    }
    assertThat(filter.approximateCount(42L)).isGreaterThan(mostCopies());
  }

  @Test
  void aKeyIsNewAgainAfterItLeft() {
    RemovableFilter<Long> filter = create(1_000, 1e-4);
    for (int round = 0; round < 100; round++) {
      assertThat(filter.put(7L)).isTrue();
      assertThat(filter.put(7L)).isFalse();
      assertThat(filter.acceptedKeys()).isEqualTo(1);
      assertThat(filter.remove(7L)).isTrue();
      assertThat(filter.acceptedKeys()).isEqualTo(1);
      assertThat(filter.remove(7L)).isTrue();
      assertThat(filter.acceptedKeys()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void neverDeniesWhatAMapStillHoldsHoweverPutsAndRemovalsAreMixed(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RemovableFilter<Long> filter = create(2_000, 0.03);
    Map<Long, Integer> copies = new HashMap<>();
    List<Long> held = new ArrayList<>();
    for (int step = 0; step < 60_000; step++) {
      boolean remove = !held.isEmpty() && (held.size() > 1_800 || random.nextInt(2) == 0);
      if (remove) {
        int index = random.nextInt(held.size());
        long hash = held.get(index);
        held.set(index, held.get(held.size() - 1));
        held.remove(held.size() - 1);
        copies.merge(hash, -1, Integer::sum);
        assertThat(filter.removeHash(hash)).isTrue();
      } else {
        long hash = random.nextInt(10) == 0 && !held.isEmpty() ? held.get(0) : random.nextLong();
        if (copies.getOrDefault(hash, 0) < mostCopies()) {
          filter.putHash(hash);
          copies.merge(hash, 1, Integer::sum);
          held.add(hash);
        }
      }
      if (step % 1_000 == 0) {
        copies.forEach(
            (hash, count) ->
                assertThat(filter.approximateCountHash(hash)).isGreaterThanOrEqualTo(count));
      }
    }
    held.forEach(hash -> assertThat(filter.removeHash(hash)).isTrue());
  }

  /** The known danger: the caller must not remove what was never put. */
  @Test
  void removingWhatWasNeverPutMayTakeAwayWhatWas() {
    RemovableFilter<Long> filter = create(1_000, 0.03);
    Keys.hashes(1, 1_000).forEach(filter::putHash);
    Keys.hashes(2, 5_000).filter(filter::mightContainHash).forEach(filter::removeHash);
    assertThat(Keys.hashes(1, 1_000).allMatch(filter::mightContainHash)).isFalse();
  }

  @Test
  void wrongDropsStayBoundedWhileKeysComeAndGo() {
    RemovableFilter<Long> filter = create(1_000, 0.1);
    long dropped = 0;
    for (int round = 0; round < 200; round++) {
      long[] hashes = Keys.hashes(round, 500).toArray();
      for (long hash : hashes) {
        dropped += filter.putHash(hash) ? 0 : 1;
      }
      for (long hash : hashes) {
        filter.removeHash(hash);
      }
    }
    assertThat(((DropAware) filter).expectedWrongDrops())
        .isGreaterThan(dropped - 5 * Math.sqrt((double) dropped));
    assertThat(((DropAware) filter).expectedWrongDrops()).isFinite();
  }

  @Test
  void nullIsNotRemoved() {
    RemovableFilter<Long> filter = create(10, 0.01);
    refuses(NullPointerException.class, () -> filter.remove(null));
    refuses(NullPointerException.class, () -> filter.approximateCount(null));
  }
}
