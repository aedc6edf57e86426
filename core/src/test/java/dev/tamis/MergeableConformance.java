package dev.tamis;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tamis.hash.KeyHasher;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The promises of a filter that can take in another, be copied and be cleared.
 *
 * @param <F> the type of filter
 */
public abstract class MergeableConformance<
    F extends MutableFilter<Long> & DropAware & Mergeable<F>> {

  private static final long EXPECTED_KEYS = 1_000;
  private static final double FPP = 0.01;

  /** So many that a pass over the filter takes as long as thousands of puts. */
  private static final long LARGE = 1_000_000;

  /** Returns an empty filter that hashes its keys by {@link KeyHasher#longs}. */
  protected abstract F create(long expectedKeys, double fpp);

  /**
   * Returns filters that cannot be merged with one that {@link #create} makes for 1000 keys at 1 %,
   * by the name of what differs.
   */
  protected abstract Map<String, F> incompatible();

  /** Returns whether keys that both hold count twice after merging, as if put again. */
  protected boolean mergingAdds() {
    return false;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 500, 5_000})
  void mergingEqualsPuttingBoth(int keys) {
    F merged = filled(1, keys);
    F other = filled(2, 500);
    F both = filled(1, keys);
    Keys.boxed(2, 500).forEach(both::put);

    merged.putAll(other);

    assertThat(merged).isEqualTo(both).hasSameHashCodeAs(both);
    assertThat(merged.expectedFpp()).isEqualTo(both.expectedFpp());
    assertThat(Keys.boxed(2, 500).noneMatch(merged::put)).isTrue();
  }

  @Test
  void mergingLeavesTheOtherAsItWas() {
    F other = filled(2, 500);
    filled(1, 500).putAll(other);
    assertThat(other).isEqualTo(filled(2, 500));
    assertThat(other.acceptedKeys()).isEqualTo(filled(2, 500).acceptedKeys());
  }

  @Test
  void mergingTwiceIsPuttingTwice() {
    F merged = filled(1, 500);
    merged.putAll(filled(2, 500));
    F expected = merged.copy();

    merged.putAll(filled(2, 500));
    if (mergingAdds()) {
      Keys.boxed(2, 500).forEach(expected::put);
    }
    assertThat(merged).isEqualTo(expected);
  }

  @Test
  void mergingWithItselfIsPuttingAllAgain() {
    F merged = filled(1, 500);
    F expected = merged.copy();

    merged.putAll(merged);
    if (mergingAdds()) {
      Keys.boxed(1, 500).forEach(expected::put);
    }
    assertThat(merged).isEqualTo(expected);
  }

  @Test
  void mergingWithAnEmptyOneChangesNothing() {
    F filter = filled(1, 500);
    filter.putAll(create(EXPECTED_KEYS, FPP));
    assertThat(filter).isEqualTo(filled(1, 500));
  }

  @Test
  void keysThatCameByMergingAreCounted() {
    F merged = filled(1, 500);
    merged.putAll(filled(2, 400));
    assertThat((double) merged.acceptedKeys()).isBetween(860.0, 940.0);

    long more = Keys.boxed(3, 50).filter(merged::put).count();
    assertThat((double) merged.acceptedKeys()).isBetween(860.0 + more, 940.0 + more);
  }

  @Test
  void mergingBesidePutsLosesNoKeyAndNoCount() {
    F filter = create(LARGE, FPP);
    assumeThat(filter.isThreadSafe()).isTrue();
    assertMergingLosesNoCount(filter, () -> create(LARGE, FPP));
    F byOneThread = create(LARGE, FPP);
    IntStream.range(1, 4).forEach(i -> Keys.boxed(i, 40_000).forEach(byOneThread::put));
    IntStream.range(10, 15).forEach(i -> Keys.boxed(i, 1_000).forEach(byOneThread::put));
    assertThat(filter).isEqualTo(byOneThread);
  }

  /** Merges filters of a thousand keys each while three threads put keys of their own. */
  public static <F extends MutableFilter<Long> & Mergeable<F>> void assertMergingLosesNoCount(
      F filter, Supplier<F> like) {
    List<F> others = Stream.generate(like).limit(5).toList();
    for (int i = 0; i < others.size(); i++) {
      Keys.boxed(10 + i, 1_000).forEach(others.get(i)::put);
    }
    LongAdder offered = new LongAdder();
    LongAdder taken = new LongAdder();
    Race.run(
        4,
        thread -> {
          for (int i = 0; thread == 0 && i < others.size(); i++) {
            while (offered.sum() < 20_000L * i) {
              Thread.onSpinWait();
            }
            filter.putAll(others.get(i));
          }
          if (thread != 0) {
            taken.add(
                Keys.boxed(thread, 40_000)
                    .peek(key -> offered.increment())
                    .filter(filter::put)
                    .count());
          }
        });
    double keys = taken.sum() + 1_000.0 * others.size();
    assertThat((double) filter.acceptedKeys()).isCloseTo(keys, within(200.0));
  }

  @Test
  void theIncompatibleIsRefusedByTheNameOfWhatDiffers() {
    F filter = filled(1, 500);
    assertThat(incompatible()).isNotEmpty();
    incompatible()
        .forEach(
            (field, other) -> {
              Keys.boxed(2, 500).forEach(other::put);
              refuses(() -> filter.putAll(other), field);
              assertThat(filter).isEqualTo(filled(1, 500)).isNotEqualTo(other);
              assertThat(filter.acceptedKeys()).isEqualTo(filled(1, 500).acceptedKeys());
            });
  }

  @Test
  void aCopyHoldsTheSame() {
    F filter = filled(1, 500);
    F copy = filter.copy();
    assertThat(copy).isEqualTo(filter).hasSameHashCodeAs(filter).isNotSameAs(filter);
    assertThat(copy.acceptedKeys()).isEqualTo(filter.acceptedKeys());
    assertThat(copy.traits()).isEqualTo(filter.traits());
  }

  @Test
  void aCopyGoesItsOwnWay() {
    F filter = filled(1, 500);
    F copy = filter.copy();

    Keys.boxed(2, 500).forEach(copy::put);
    assertThat(filter).isEqualTo(filled(1, 500)).isNotEqualTo(copy);
    assertThat(filter.acceptedKeys()).isEqualTo(filled(1, 500).acceptedKeys());

    F second = filter.copy();
    Keys.boxed(3, 500).forEach(filter::put);
    assertThat(second).isEqualTo(filled(1, 500));
  }

  @Test
  void clearedIsAsGoodAsNew() {
    F filter = filled(1, 2_000);
    filter.clear();

    assertThat(filter).isEqualTo(create(EXPECTED_KEYS, FPP));
    assertThat(filter.acceptedKeys()).isZero();
    assertThat(filter.expectedWrongDrops()).isZero();
    assertThat(filter.expectedFpp()).isZero();
    Keys.boxed(2, 500).forEach(filter::put);
    assertThat(filter).isEqualTo(filled(2, 500));
    assertThat(filter.acceptedKeys()).isEqualTo(filled(2, 500).acceptedKeys());
  }

  @Test
  void equalityIsTheKeysAndTheShape() {
    F filter = filled(1, 500);
    assertThat(filter).isEqualTo(filled(1, 500)).isEqualTo(filter);
    assertThat(filter).isNotEqualTo(filled(2, 500)).isNotEqualTo(null).isNotEqualTo("a filter");
    assertThat(filter).isNotEqualTo(create(EXPECTED_KEYS, FPP));
  }

  private F filled(long stream, int keys) {
    F filter = create(EXPECTED_KEYS, FPP);
    Keys.boxed(stream, keys).forEach(filter::put);
    return filter;
  }
}
