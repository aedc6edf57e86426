package dev.tamis.sizing;

import static dev.tamis.Refusal.refuses;
import static dev.tamis.Refusal.refusesSaying;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CuckooSizingTest {

  /** 7.6 slots of a full filter, each alike with a chance of 1/(2^f − 1). */
  @ParameterizedTest
  @CsvSource({
    "0.3, 5, 0.220578",
    "0.1, 7, 0.0583102",
    "0.03, 8, 0.0294210",
    "0.01, 10, 0.00740521",
    "0.001, 13, 0.000927474",
    "1e-4, 17, 5.7984e-05",
    "1e-6, 23, 9.0599e-07",
    "1.8e-9, 32, 1.7695e-9",
  })
  void theFingerprintIsTheShortestThatKeepsTheFpp(double fpp, int bits, double full) {
    CuckooSizing sizing = CuckooSizing.forKeys(1_000_000, Math.max(fpp, full));
    assertThat(sizing.fingerprintBits()).isEqualTo(bits);
    assertThat(sizing.fpp(1_000_000)).isCloseTo(full, within(1e-4 * full));
    assertThat(sizing.fpp(1_000_000)).isLessThanOrEqualTo(fpp);
  }

  @ParameterizedTest
  @CsvSource({
    "32, 4",
    "33, 5",
    "1048576, 5",
    "1048577, 6",
    "134217728, 6",
    "134217729, 7",
  })
  void manyKeysNeedManyPartners(long keys, int bits) {
    assertThat(CuckooSizing.forKeys(keys, 0.9).fingerprintBits()).isEqualTo(bits);
    assertThat(CuckooSizing.forKeys(keys, 0.01).fingerprintBits()).isEqualTo(10);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 2",
    "7, 2",
    "8, 10",
    "100, 38",
    "1000, 282",
    "10000, 2632",
    "1000000, 263158",
    "10000000, 2631580",
    "1000000000, 263157896"
  })
  void bucketsAreEvenAndNoMoreThanNeeded(long keys, long buckets) {
    CuckooSizing sizing = CuckooSizing.forKeys(keys, 0.01);
    assertThat(sizing.buckets()).isEqualTo(buckets);
    assertThat(sizing.expectedKeys()).isEqualTo(keys);
    assertThat(sizing.fpp()).isEqualTo(0.01);
    assertThat((double) keys / sizing.slots()).isLessThanOrEqualTo(0.95);
  }

  @Test
  void aLargeFilterTakesFBitsAKeyOver95Percent() {
    CuckooSizing sizing = CuckooSizing.forKeys(10_000_000, 0.01);
    assertThat(sizing.bitsPerKey()).isCloseTo(10 / 0.95, within(1e-4));
    assertThat(sizing.bits()).isEqualTo(sizing.slots() * 10).isEqualTo(sizing.buckets() * 40);
  }

  @Test
  void moreKeysNeverNeedFewerBuckets() {
    long before = 0;
    for (long keys = 1; keys < 20_000; keys++) {
      long buckets = CuckooSizing.forKeys(keys, 0.01).buckets();
      assertThat(buckets).isGreaterThanOrEqualTo(before);
      before = buckets;
    }
  }

  @Test
  void theFppRisesWithTheKeysUpToThatOfAFullFilter() {
    CuckooSizing sizing = CuckooSizing.forKeys(100_000, 0.01);
    assertThat(sizing.fpp(0)).isZero();
    assertThat(sizing.fpp(50_000)).isCloseTo(sizing.fpp(100_000) / 2, within(2e-5));
    assertThat(sizing.fpp(sizing.slots() + 1)).isEqualTo(sizing.fpp(sizing.slots()));
    assertThat(sizing.fpp(Long.MAX_VALUE)).isEqualTo(sizing.fpp(sizing.slots()));
    assertThatThrownBy(() -> sizing.fpp(-1)).hasMessage("keys must be at least 0, got -1");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -0.1, 1, 2, Double.NaN})
  void fppIsAProbability(double fpp) {
    refusesSaying(
        "fpp must be in (0, 1), got " + FppText.exact(fpp), () -> CuckooSizing.forKeys(10, fpp));
    refusesSaying(
        "fpp must be in (0, 1), got " + FppText.exact(fpp), () -> new CuckooSizing(8, 2, 1, fpp));
  }

  @Test
  void fppHasAFloor() {
    refusesSaying(
        "fpp must be at least 1.77e-9, what fingerprints of 32 bits can have, got 1e-9",
        () -> CuckooSizing.forKeys(10, 1e-9));
  }

  @Test
  void keysHaveBothEnds() {
    assertThatThrownBy(() -> CuckooSizing.forKeys(0, 0.1))
        .hasMessage("expectedKeys must be at least 1, got 0");
    long most = 1_664_000_000_000L;
    assertThat(CuckooSizing.forKeys(most, 0.01).bits()).isLessThan(Layout.MAX_BITS);
    for (long tooMany : new long[] {1_677_000_000_000L, Long.MAX_VALUE}) {
      refuses(() -> CuckooSizing.forKeys(tooMany, 0.01), "split the keys over several filters");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "3, 2, 1, fingerprintBits",
    "33, 2, 1, fingerprintBits",
    "8, 0, 1, buckets",
    "8, 3, 1, buckets",
    "8, -2, 1, buckets",
    "32, 137438953474, 1, buckets",
    "8, 9223372036854775806, 1, buckets",
    "8, 2, 0, expectedKeys",
    "8, 2, 9, expectedKeys",
    "8, 2, -1, expectedKeys",
  })
  void refusesWhatCannotBe(int bits, long buckets, long keys, String field) {
    assertThatThrownBy(() -> new CuckooSizing(bits, buckets, keys, 0.5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(field + " must be ");
  }

  @ParameterizedTest
  @CsvSource({"4, 2, 8", "32, 2, 1", "32, 1073741816, 1"})
  void takesWhatIsJustWithinItsLimits(int bits, long buckets, long keys) {
    CuckooSizing sizing = new CuckooSizing(bits, buckets, keys, 0.5);
    assertThat(sizing.slots()).isEqualTo(4 * buckets);
  }
}
