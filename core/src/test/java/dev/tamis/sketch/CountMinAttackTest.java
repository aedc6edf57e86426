package dev.tamis.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Keys;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.Mixing;
import dev.tamis.sketch.HeavyHitters.HeavyHitter;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Keys chosen to share a counter with a victim, one key for each row: put often, they give the
 * victim a count it never had.
 */
class CountMinAttackTest {

  private static final double EPSILON = 0.01;
  private static final double DELTA = 0.01;
  private static final long TIMES = 1_000;
  private static final int KEPT = 10;
  private static final long VICTIM = -1;

  private static final KeyHasher<Long> PUBLIC = KeyHasher.longs();
  private static final KeyHasher<Long> SECRET = PUBLIC.keyedBy(Keys.secret(1));
  private static final KeyHasher<Long> GUESSED = PUBLIC.keyedBy(Keys.secret(2));

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void fiveChosenKeysGiveAVictimOfAPublicSketchAnyCount(boolean conservative) {
    CountMinSketch<Long> sketch = empty(PUBLIC, conservative);
    sketch.put(VICTIM);
    putColliding(sketch, PUBLIC);
    assertThat(sketch.depth()).isEqualTo(5);
    // twenty times what the sketch allows for, ε·N, which holds for keys that are not chosen
    assertThat(sketch.approximateCount(VICTIM)).isBetween(TIMES, TIMES + 1);
    assertThat(sketch.maxOvercount()).isLessThan(51);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theyMissTheVictimWhereTheKeyIsSecret(boolean conservative) {
    for (KeyHasher<Long> guess : List.of(PUBLIC, GUESSED)) {
      CountMinSketch<Long> sketch = empty(SECRET, conservative);
      sketch.put(VICTIM);
      putColliding(sketch, guess);
      // all five rows are hit with a chance of (5 / 272)^5, 2 in 10^9
      assertThat(sketch.approximateCount(VICTIM)).isEqualTo(1);
    }
  }

  /** One put makes it a leader, with an error that covers all but one. */
  @Test
  void aVictimOfAPublicSketchIsALeaderWithoutHavingCome() {
    HeavyHitters<Long> leaders = withFakeLeader(PUBLIC, PUBLIC);
    assertThat(leaders.top(KEPT)).contains(new HeavyHitter<>(VICTIM, TIMES + 1, TIMES));
    // the count is bounded for all that: no more than all puts shared among those that are kept
    assertThat(TIMES + 1).isLessThanOrEqualTo(leaders.sketch().totalCount() / KEPT + 1);
  }

  @Test
  void itIsNoLeaderWhereTheKeyIsSecret() {
    for (KeyHasher<Long> guess : List.of(PUBLIC, GUESSED)) {
      assertThat(withFakeLeader(SECRET, guess).top(KEPT))
          .extracting(HeavyHitter::key)
          .doesNotContain(VICTIM);
    }
  }

  /**
   * The counts of those that are kept add up to N at most, whatever collides. So a key that came
   * more than N / kept times is among them, and to push it out takes as many puts as that.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLeaderIsPushedOutByNoFewerPutsThanLeadersTake(boolean secret) {
    HeavyHitters<Long> leaders = HeavyHitters.over(empty(secret ? SECRET : PUBLIC, false), KEPT);
    leaders.put(VICTIM, TIMES);
    List<Long> chosen = colliding(function(PUBLIC), leaders.sketch());
    for (int i = 0; leaders.sketch().totalCount() + 3 < KEPT * TIMES; i++) {
      leaders.put(i % 2 == 0 ? chosen.get(i / 2 % chosen.size()) : 1_000_000 + i, 3);
    }
    assertThat(leaders.top(KEPT)).extracting(HeavyHitter::key).contains(VICTIM);

    HeavyHitters<Long> flooded = HeavyHitters.over(empty(secret ? SECRET : PUBLIC, false), KEPT);
    flooded.put(VICTIM, TIMES);
    LongStream.range(0, KEPT).forEach(key -> flooded.put(key, TIMES + 1));
    assertThat(flooded.top(KEPT)).extracting(HeavyHitter::key).doesNotContain(VICTIM);
  }

  /** Fills the list with the colliding keys and others, and raises what an unknown key may have. */
  private static HeavyHitters<Long> withFakeLeader(KeyHasher<Long> hasher, KeyHasher<Long> guess) {
    HeavyHitters<Long> leaders = HeavyHitters.over(empty(hasher, false), KEPT);
    colliding(function(guess), leaders.sketch()).forEach(key -> leaders.put(key, TIMES));
    int others = KEPT - leaders.sketch().depth();
    LongStream.range(0, others).forEach(key -> leaders.put(1_000_000 + key, TIMES));
    leaders.put(2_000_000L, TIMES + 1);
    leaders.put(VICTIM);
    return leaders;
  }

  private static void putColliding(CountMinSketch<Long> sketch, KeyHasher<Long> guess) {
    colliding(function(guess), sketch).forEach(key -> sketch.put(key, TIMES));
  }

  /** Returns a key for each row, of 272 tried on average. */
  private static List<Long> colliding(HashFunction function, CountMinSketch<Long> sketch) {
    return IntStream.range(0, sketch.depth())
        .mapToObj(
            row ->
                LongStream.iterate(row * 100_000L, key -> key + 1)
                    .filter(
                        key ->
                            position(function, key, row, sketch.width())
                                == position(function, VICTIM, row, sketch.width()))
                    .findFirst()
                    .getAsLong())
        .toList();
  }

  private static long position(HashFunction function, long key, int row, long width) {
    return Mixing.reduce(Mixing.draw(function.hashLong(key), row), width);
  }

  private static HashFunction function(KeyHasher<Long> hasher) {
    return BoundHasher.of(hasher, 0).function();
  }

  private static CountMinSketch<Long> empty(KeyHasher<Long> hasher, boolean conservative) {
    CountMinSketchBuilder<Long> builder =
        CountMinSketch.<Long>builder(hasher).epsilon(EPSILON).delta(DELTA);
    return conservative ? builder.conservative().build() : builder.build();
  }
}
