package dev.tamis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.hash.KeyHasher;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The promises of a filter that can take in another, be copied and be cleared.
 *
 * @param <F> the type of filter
 */
public abstract class MergeableConformance<F extends MutableFilter<Long>> {

  private static final long EXPECTED_KEYS = 1_000;
  private static final double FPP = 0.01;

  /** Returns an empty filter that hashes its keys by {@link KeyHasher#longs}. */
  protected abstract F create(long expectedKeys, double fpp);

  /** Puts everything that {@code other} holds into {@code filter}. */
  protected abstract void putAll(F filter, F other);

  /** Returns a copy. */
  protected abstract F copy(F filter);

  /** Makes {@code filter} forget all keys. */
  protected abstract void clear(F filter);

  /**
   * Returns filters that cannot be merged with one that {@link #create} makes for 1000 keys at 1 %,
   * by the name of what differs.
   */
  protected abstract Map<String, F> incompatible();

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 500, 5_000})
  void mergingEqualsPuttingBoth(int keys) {
    F merged = filled(1, keys);
    F other = filled(2, 500);
    F both = filled(1, keys);
    Keys.hashes(2, 500).forEach(both::putHash);

    putAll(merged, other);

    assertThat(merged).isEqualTo(both).hasSameHashCodeAs(both);
    assertThat(merged.expectedFpp()).isEqualTo(both.expectedFpp());
    assertThat(Keys.hashes(2, 500).noneMatch(merged::putHash)).isTrue();
  }

  @Test
  void mergingLeavesTheOtherAsItWas() {
    F other = filled(2, 500);
    putAll(filled(1, 500), other);
    assertThat(other).isEqualTo(filled(2, 500));
    assertThat(other.acceptedKeys()).isEqualTo(filled(2, 500).acceptedKeys());
  }

  @Test
  public void mergingTwiceOrWithItselfChangesNoMore() {
    F merged = filled(1, 500);
    putAll(merged, filled(2, 500));
    F once = copy(merged);

    putAll(merged, filled(2, 500));
    assertThat(merged).isEqualTo(once);
    putAll(merged, merged);
    assertThat(merged).isEqualTo(once);
  }

  @Test
  void mergingWithAnEmptyOneChangesNothing() {
    F filter = filled(1, 500);
    putAll(filter, create(EXPECTED_KEYS, FPP));
    assertThat(filter).isEqualTo(filled(1, 500));
  }

  @Test
  void keysThatCameByMergingAreCounted() {
    F merged = filled(1, 500);
    putAll(merged, filled(2, 400));
    assertThat((double) merged.acceptedKeys()).isBetween(860.0, 940.0);

    long more = Keys.hashes(3, 50).filter(merged::putHash).count();
    assertThat((double) merged.acceptedKeys()).isBetween(860.0 + more, 940.0 + more);
  }

  @Test
  void theIncompatibleIsRefusedByTheNameOfWhatDiffers() {
    F filter = filled(1, 500);
    assertThat(incompatible()).isNotEmpty();
    incompatible()
        .forEach(
            (field, other) -> {
              Keys.hashes(2, 500).forEach(other::putHash);
              assertThatThrownBy(() -> putAll(filter, other))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessageContaining(field);
              assertThat(filter).isEqualTo(filled(1, 500)).isNotEqualTo(other);
              assertThat(filter.acceptedKeys()).isEqualTo(filled(1, 500).acceptedKeys());
            });
  }

  @Test
  void aCopyHoldsTheSame() {
    F filter = filled(1, 500);
    F copy = copy(filter);
    assertThat(copy).isEqualTo(filter).hasSameHashCodeAs(filter).isNotSameAs(filter);
    assertThat(copy.acceptedKeys()).isEqualTo(filter.acceptedKeys());
    assertThat(copy.hashOf(1L)).isEqualTo(filter.hashOf(1L));
  }

  @Test
  void aCopyGoesItsOwnWay() {
    F filter = filled(1, 500);
    F copy = copy(filter);

    Keys.hashes(2, 500).forEach(copy::putHash);
    assertThat(filter).isEqualTo(filled(1, 500)).isNotEqualTo(copy);
    assertThat(filter.acceptedKeys()).isEqualTo(filled(1, 500).acceptedKeys());

    F second = copy(filter);
    Keys.hashes(3, 500).forEach(filter::putHash);
    assertThat(second).isEqualTo(filled(1, 500));
  }

  @Test
  void clearedIsAsGoodAsNew() {
    F filter = filled(1, 2_000);
    clear(filter);

    assertThat(filter).isEqualTo(create(EXPECTED_KEYS, FPP));
    assertThat(filter.acceptedKeys()).isZero();
    assertThat(filter.expectedWrongDrops()).isZero();
    assertThat(filter.expectedFpp()).isZero();
    Keys.hashes(2, 500).forEach(filter::putHash);
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
    Keys.hashes(stream, keys).forEach(filter::putHash);
    return filter;
  }
}
