package dev.tamis.sketch;

import static dev.tamis.Refusal.refuses;
import static dev.tamis.Refusal.refusesSaying;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.hash.KeyHasher;
import dev.tamis.sketch.HeavyHitters.HeavyHitter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The most frequent keys, compared with a map of all of them. */
class HeavyHittersTest {

  private static final double EPSILON = 0.001;
  private static final double DELTA = 0.01;
  private static final int PUTS = 50_000;

  @ParameterizedTest
  @EnumSource
  void trueCountsLieBetweenTheEndsAndNoOtherKeyCameMoreOften(Streams stream) {
    for (int keys : new int[] {1, 2, 10, 100, 1_000}) {
      for (boolean conservative : new boolean[] {false, true}) {
        long[] hashes = stream.hashes(keys, PUTS).toArray();
        HeavyHitters<Long> leaders = of(keys, conservative);
        put(leaders, hashes);
        check(leaders, Streams.truth(hashes));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyKeyAboveAShareIsReported(Streams stream) {
    for (double share : new double[] {0.002, 0.005, 0.05}) {
      long[] hashes = stream.hashes(3, PUTS).toArray();
      HeavyHitters<Long> leaders = of(2_000, true);
      put(leaders, hashes);
      Set<Long> reported =
          leaders.above(share).stream().map(HeavyHitter::key).collect(Collectors.toSet());
      Streams.truth(hashes)
          .forEach(
              (hash, count) -> {
                if (count >= share * PUTS) {
                  assertThat(reported).contains(hash);
                }
              });
    }
  }

  /** With few counters many are too high; of those below φ − ε one in 1/δ may be reported. */
  @Test
  void hardlyAKeyFarBelowTheShareIsReported() {
    double share = 0.02;
    double epsilon = 0.01;
    double delta = 0.2;
    long wrong = 0;
    long below = 0;
    for (int seed = 0; seed < 100; seed++) {
      long[] hashes = Streams.ZIPF.hashes(seed, 5_000).toArray();
      HeavyHitters<Long> leaders =
          HeavyHitters.over(CountMinSketch.create(KeyHasher.longs(), epsilon, delta), 1_000);
      put(leaders, hashes);
      Map<Long, Long> truth = Streams.truth(hashes);
      double least = (share - epsilon) * hashes.length;
      below += truth.values().stream().filter(count -> count < least).count();
      wrong +=
          leaders.above(share).stream().filter(hitter -> truth.get(hitter.key()) < least).count();
    }
    assertThat(below).isGreaterThan(100_000);
    assertThat((double) wrong / below).isLessThan(delta);
  }

  @Test
  void tooFewKeptKeysAreAnErrorAndNotAShorterList() {
    HeavyHitters<Long> leaders = of(3, true);
    put(leaders, Streams.UNIFORM.hashes(1, 1_000).toArray());
    assertThat(leaders.mostOfOthers()).isPositive();
    assertThatThrownBy(() -> leaders.above(0.001))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("3 keys are too few for a share of 0.001: another may have come ")
        .hasMessageEndingWith(" of 1000");
    assertThat(leaders.above(0.5)).isEmpty();
  }

  @Test
  void countsAreExactAsLongAsThereIsRoomForAll() {
    long[] hashes = Streams.FEW.hashes(1, 3_000).toArray();
    HeavyHitters<Long> leaders = of(Streams.truth(hashes).size(), false);
    put(leaders, hashes);
    Map<Long, Long> truth = Streams.truth(hashes);
    assertThat(leaders.mostOfOthers()).isZero();
    assertThat(leaders.top(Integer.MAX_VALUE))
        .hasSize(truth.size())
        .allSatisfy(
            hitter -> {
              assertThat(hitter.error()).isZero();
              assertThat(hitter.count()).isEqualTo(truth.get(hitter.key()));
            });
  }

  @ParameterizedTest
  @EnumSource
  void mergedPartsKeepThePromiseOfTheWhole(Streams stream) {
    for (int keys : new int[] {1, 10, 200}) {
      long[] hashes = stream.hashes(9, PUTS).toArray();
      HeavyHitters<Long> merged = of(keys, false);
      for (int part = 0; part < 4; part++) {
        HeavyHitters<Long> leaders = of(keys, false);
        put(leaders, LongStream.of(hashes).skip(part * (PUTS / 5L)).limit(PUTS / 5).toArray());
        merged.putAll(leaders);
      }
      put(merged, LongStream.of(hashes).skip(4 * (PUTS / 5L)).toArray()); // and goes on
      assertThat(merged.sketch().totalCount()).isEqualTo(PUTS);
      check(merged, Streams.truth(hashes));
    }
  }

  @Test
  void whatCannotBeMergedIsRefusedAndNothingChanges() {
    HeavyHitters<Long> plain = of(10, false);
    plain.put(1L);
    HeavyHitters<Long> conservative = of(10, true);
    conservative.put(2L);
    refuses(() -> plain.putAll(conservative), "update is plain and conservative");
    assertThat(plain.incompatibility(conservative)).isPresent();
    assertThat(plain.top(10)).containsExactly(new HeavyHitter<>(1L, 1, 0));
    assertThat(plain.mostOfOthers()).isZero();
  }

  @Test
  void mergingWithItselfDoublesTheCounts() {
    HeavyHitters<Long> leaders = of(10, false);
    leaders.put(1L, 5);
    leaders.put(2L, 3);
    leaders.putAll(leaders);
    assertThat(leaders.top(10))
        .containsExactly(new HeavyHitter<>(1L, 10, 0), new HeavyHitter<>(2L, 6, 0));
  }

  @Test
  void theKeyIsAskedForOnlyWhenItComesIn() {
    HeavyHitters<Long> leaders = of(1, true);
    List<Long> asked = new ArrayList<>();
    for (long key : new long[] {7, 7, 8, 7, 9}) {
      leaders.putHash(
          key << 40,
          1,
          () -> {
            asked.add(key);
            return key;
          });
    }
    assertThat(asked).containsExactly(7L);
    assertThat(leaders.top(5)).containsExactly(new HeavyHitter<>(7L, 3, 0));
    assertThat(leaders.mostOfOthers()).isEqualTo(1);
  }

  @Test
  void aCountStaysAtTheLargestNumber() {
    HeavyHitters<Long> leaders = of(2, true);
    leaders.put(1L, Long.MAX_VALUE);
    leaders.put(1L, 5);
    assertThat(leaders.top(1)).containsExactly(new HeavyHitter<>(1L, Long.MAX_VALUE, 0));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, HeavyHitters.MAX_KEPT + 1})
  void numberOfKeptKeysIsChecked(int kept) {
    CountMinSketch<Long> sketch = CountMinSketch.create(KeyHasher.longs(), 0.1, 0.1);
    refusesSaying("kept must be 1 to 16777216, got " + kept, () -> HeavyHitters.over(sketch, kept));
  }

  @Test
  void argumentsAreChecked() {
    CountMinSketch<Long> sketch = CountMinSketch.create(KeyHasher.longs(), 0.1, 0.1);
    sketch.put(1L);
    assertThatThrownBy(() -> HeavyHitters.over(sketch, 1))
        .hasMessage("sketch must be empty, got one of 1 puts");
    assertThatThrownBy(() -> of(1, true).top(0)).hasMessage("most must be at least 1, got 0");
    for (double share : new double[] {0, -1, 1.1, Double.NaN}) {
      assertThatThrownBy(() -> of(1, true).above(share))
          .hasMessage("share must be in (0, 1], got " + share);
    }
    assertThatThrownBy(() -> new HeavyHitter<>(1L, 2, 3))
        .hasMessage("a count needs 0 <= error <= count, got 3 and 2");
    refuses(() -> new HeavyHitter<>(1L, 2, -1));
  }

  /** Random steps against a sorted list: the heap and the table over it agree with it. */
  @Test
  void keptKeysAreThoseOfAPlainList() {
    SplittableRandom random = new SplittableRandom(4);
    KeptKeys<Long> kept = new KeptKeys<>(20);
    List<KeptKeys.Entry<Long>> model = new ArrayList<>();
    for (int step = 0; step < 20_000; step++) {
      long hash = random.nextLong(60) % 40 << 32; // few homes, so that slots run into each other
      KeptKeys.Entry<Long> found = kept.find(hash);
      assertThat(model.contains(found)).isEqualTo(found != null);
      if (found != null) {
        kept.raise(found, found.count() + random.nextLong(5));
      } else {
        if (kept.isFull()) {
          long least = kept.leastCount();
          assertThat(model).allMatch(entry -> entry.count() >= least);
          kept.removeLeast();
          model.removeIf(entry -> !kept.entries().contains(entry));
          assertThat(model).hasSize(19);
        }
        KeptKeys.Entry<Long> entry = new KeptKeys.Entry<>(hash, hash, random.nextLong(50) + 1, 0);
        kept.add(entry);
        model.add(entry);
      }
      assertThat(kept.entries()).hasSameSizeAs(model);
    }
  }

  private static void check(HeavyHitters<Long> leaders, Map<Long, Long> truth) {
    List<HeavyHitter<Long>> top = leaders.top(leaders.capacity());
    assertThat(top).hasSize(Math.min(leaders.capacity(), truth.size()));
    Set<Long> kept = top.stream().map(HeavyHitter::key).collect(Collectors.toSet());
    assertThat(kept).hasSameSizeAs(top);
    for (HeavyHitter<Long> hitter : top) {
      assertThat(truth.get(hitter.key())).isBetween(hitter.atLeast(), hitter.count());
    }
    truth.forEach(
        (hash, count) -> {
          if (!kept.contains(hash)) {
            assertThat(count).isLessThanOrEqualTo(leaders.mostOfOthers());
          }
        });
    assertThat(top).isSortedAccordingTo((one, other) -> Long.compare(other.count(), one.count()));
  }

  private static void put(HeavyHitters<Long> leaders, long[] hashes) {
    for (long hash : hashes) {
      leaders.putHash(hash, 1, () -> hash);
    }
  }

  private static HeavyHitters<Long> of(int kept, boolean conservative) {
    CountMinSketchBuilder<Long> sketch =
        CountMinSketch.<Long>builder(KeyHasher.longs()).epsilon(EPSILON).delta(DELTA);
    if (conservative) {
      sketch.conservative();
    }
    return HeavyHitters.over(sketch.build(), kept);
  }
}
