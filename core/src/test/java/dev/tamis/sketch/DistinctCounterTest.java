package dev.tamis.sketch;

import static dev.tamis.Refusal.refuses;
import static dev.tamis.Refusal.refusesSaying;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.dynatrace.hash4j.distinctcount.UltraLogLog;
import dev.tamis.Keys;
import dev.tamis.StorableConformance;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.io.InputStream;
import java.util.BitSet;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Distinct counters: what they take in, merge, refuse and write. */
class DistinctCounterTest extends StorableConformance<DistinctCounter<Long>> {

  @Override
  protected DistinctCounter<Long> filled(long expectedKeys, int keys) {
    return filled(8, 1, keys);
  }

  @Override
  protected DistinctCounter<Long> read(InputStream in, long maxBytes) throws IOException {
    return DistinctCounter.readFrom(in, KeyHasher.longs(), maxBytes);
  }

  private static DistinctCounter<Long> filled(int precision, int stream, int keys) {
    DistinctCounter<Long> counter = DistinctCounter.create(KeyHasher.longs(), precision);
    Keys.hashes(stream, keys).forEach(counter::putHash);
    return counter;
  }

  private static DistinctCounterBuilder<Long> builder() {
    return DistinctCounter.builder(KeyHasher.longs());
  }

  @Test
  void aKeyPutAgainChangesNothing() {
    DistinctCounter<Long> counter = filled(10, 1, 5_000);
    DistinctCounter<Long> twice = counter.copy();
    Keys.hashes(1, 5_000).forEach(twice::putHash);
    assertThat(twice).isEqualTo(counter).hasSameHashCodeAs(counter);
  }

  @Test
  void keysAndTheirHashesAreInterchangeable() {
    DistinctCounter<Long> typed = DistinctCounter.create(KeyHasher.longs(), 10);
    DistinctCounter<Long> hashed = typed.copy();
    for (long key = 0; key < 1_000; key++) {
      typed.put(key);
      hashed.putHash(typed.hashOf(key));
    }
    assertThat(typed).isEqualTo(hashed);
    assertThat(typed.approximateElementCount().value()).isCloseTo(1_000, within(100.0));
  }

  @ParameterizedTest
  @CsvSource({"0.5, 3", "0.27, 3", "0.269, 4", "0.1, 6", "0.012, 12", "0.01, 13", "0.0001, 26"})
  void thePrecisionFollowsFromTheError(double standardError, int precision) {
    DistinctCounter<Long> counter = builder().standardError(standardError).build();
    assertThat(counter.precision()).isEqualTo(precision);
    assertThat(counter.standardError()).isLessThanOrEqualTo(standardError);
    assertThat(counter.sizeInBytes()).isEqualTo(1L << precision);
    assertThat(counter.serializedSize()).isEqualTo(132 + (1L << precision));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -0.1, 1, Double.NaN, Double.POSITIVE_INFINITY})
  void theErrorIsAShare(double wrong) {
    refusesSaying(
        "standardError must be in (0, 1), got " + wrong, () -> builder().standardError(wrong));
  }

  @Test
  void theErrorHasALimit() {
    double least = Precision.standardError(26);
    assertThat(builder().standardError(Math.nextUp(least)).build().precision()).isEqualTo(26);
    assertThat(builder().standardError(least).build().precision()).isEqualTo(26);
    assertThatThrownBy(() -> builder().standardError(Math.nextDown(least)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("standardError must be at least 9.28");
  }

  @Test
  void thePrecisionHasLimits() {
    for (int precision : new int[] {3, 4, 25, 26}) {
      assertThat(builder().precision(precision).build().precision()).isEqualTo(precision);
    }
    for (int precision : new int[] {2, 27, 0, -1, Integer.MIN_VALUE}) {
      refusesSaying(
          "precision must be 3 to 26, got " + precision, () -> builder().precision(precision));
    }
    refuses(
        IllegalStateException.class, () -> builder().build(), "a precision or a standard error");
  }

  @Test
  @SuppressWarnings({"DataFlowIssue", "NullAway"}) // the point of the test
  void nullIsRefused() {
    DistinctCounter<Long> counter = filled(4, 1, 0);
    refuses(NullPointerException.class, () -> counter.put(null));
    refuses(NullPointerException.class, () -> DistinctCounter.builder(null));
    assertThat(counter).isEqualTo(filled(4, 1, 0));
  }

  @ParameterizedTest
  @CsvSource({"10, 10", "10, 11", "10, 16", "3, 26", "3, 4", "8, 12"})
  void mergingEqualsPuttingBoth(int precision, int others) {
    for (int keys : new int[] {0, 1, 100, 20_000}) {
      DistinctCounter<Long> merged = filled(precision, 1, 500);
      DistinctCounter<Long> other = filled(others, 2, keys);
      DistinctCounter<Long> both = filled(precision, 1, 500);
      Keys.hashes(2, keys).forEach(both::putHash);

      merged.putAll(other);

      assertThat(merged).isEqualTo(both);
      assertThat(other).isEqualTo(filled(others, 2, keys));
    }
  }

  @Test
  void mergingWithItselfChangesNothing() {
    DistinctCounter<Long> counter = filled(8, 1, 500);
    counter.putAll(counter);
    assertThat(counter).isEqualTo(filled(8, 1, 500));
  }

  @Test
  void theIncompatibleIsRefusedByTheNameOfWhatDiffers() {
    DistinctCounter<Long> counter = filled(10, 1, 100);
    KeyHasher<Long> keyed = KeyHasher.longs().keyedBy(HashKey.of(new byte[HashKey.BYTES]));
    Map<String, DistinctCounter<Long>> others =
        Map.of(
            "precision must be at least 10, got 9", filled(9, 2, 50),
            "seed differs: 0 and 1", builder().precision(10).seed(1).build(),
            "hash differs", DistinctCounter.create(keyed, 10));
    others.forEach(
        (field, other) -> {
          assertThat(counter.isCompatible(other)).isFalse();
          assertThatThrownBy(() -> counter.putAll(other))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageStartingWith("the two are not compatible: ")
              .hasMessageContaining(field);
          assertThat(counter).isEqualTo(filled(10, 1, 100)).isNotEqualTo(other);
        });
    assertThat(filled(9, 1, 0).isCompatible(counter)).isTrue();
  }

  @Test
  void equalityIsTheHashAndTheRegisters() {
    DistinctCounter<Long> empty = filled(6, 1, 0);
    assertThat(empty)
        .isEqualTo(filled(6, 2, 0))
        .isNotEqualTo(filled(7, 1, 0))
        .isNotEqualTo(filled(6, 1, 1))
        .isNotEqualTo(builder().precision(6).seed(1).build())
        .isNotEqualTo(null)
        .isNotEqualTo("a counter");
  }

  @Test
  void aCopyGoesItsOwnWay() {
    DistinctCounter<Long> counter = filled(8, 1, 100);
    DistinctCounter<Long> copy = counter.copy();
    assertThat(copy).isEqualTo(counter).hasSameHashCodeAs(counter);
    Keys.hashes(2, 100).forEach(copy::putHash);
    assertThat(counter).isEqualTo(filled(8, 1, 100)).isNotEqualTo(copy);
  }

  @Test
  void clearedIsAsGoodAsNew() {
    DistinctCounter<Long> counter = filled(8, 1, 100);
    counter.clear();
    assertThat(counter).isEqualTo(filled(8, 1, 0));
    assertThat(counter.approximateElementCount().value()).isZero();
  }

  @Test
  void itSaysWhatItIs() {
    assertThat(builder().precision(12).seed(42).build())
        .hasToString("DistinctCounter(precision=12, hash=xxh3 with seed 42)");
  }

  /** Every highest rank with every choice of the four below it, as keys leave them. */
  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5, 12, 25, 26})
  void thePossibleRegistersAreThoseThatKeysLeave(int precision) {
    byte[] registers = new byte[1 << precision];
    UltraLogLog sketch = UltraLogLog.wrap(registers);
    BitSet left = new BitSet();
    left.set(0);
    for (int highest = precision - 1; highest <= 63; highest++) {
      for (int choice = 0; choice < 16; choice++) {
        registers[0] = 0;
        for (int below = 1; below <= 4; below++) {
          if ((choice >>> (below - 1) & 1) == 1 && highest - below >= precision - 1) {
            sketch.add(hashOfRank(highest - below));
          }
        }
        sketch.add(hashOfRank(highest));
        left.set(Byte.toUnsignedInt(registers[0]));
      }
    }
    BitSet possible = new BitSet();
    IntStream.range(0, 256)
        .filter(register -> Precision.isPossible(register, precision))
        .forEach(possible::set);
    assertThat(possible).isEqualTo(left);
  }

  /** Returns the hash of a key in register 0: zeros, as docs/format.md counts them, and a one. */
  private static long hashOfRank(int rank) {
    return rank == 63 ? 0 : 1L << (62 - rank);
  }
}
