package dev.tamis.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ContenderTest {

  private static final int KEYS = 2_000;
  private static final int ABSENT = 20_000;

  /** At 1 % about 200 of the absent keys are wrongly found: five standard deviations are 70. */
  private static final double MAX_FPP = 0.0135;

  private static final double MIN_FPP = 0.0065;

  /** Those whose bits are whole powers of two or fingerprints, so that 1 % cannot be had. */
  private static final Set<Contender> COARSE =
      Set.of(
          Contender.TAMIS_CUCKOO,
          Contender.TAMIS_FUSE,
          Contender.FASTFILTER_XOR8,
          Contender.FASTFILTER_CUCKOO8,
          Contender.CUCKOOFILTER4J,
          Contender.PARQUET);

  /** Those for one false positive in a million: none is expected among the absent keys. */
  private static final Set<Contender> RARE =
      Set.of(Contender.TAMIS_1E6, Contender.TAMIS_1E6_SIMD, Contender.GUAVA_1E6);

  static Stream<Contender> withLongs() {
    return Arrays.stream(Contender.values()).filter(Contender::hasLongs);
  }

  static Stream<Contender> withText() {
    return Arrays.stream(Contender.values()).filter(Contender::hasText);
  }

  @ParameterizedTest
  @MethodSource("withLongs")
  void knowsEveryLongItWasGivenAndFewOthers(Contender contender) {
    long[] keys = LongStreams.keys(KEYS);
    AsksLongs filter = contender.startLongs(KEYS).fill(keys);
    assertThat(LongLoops.count(filter, keys, 0, KEYS)).isEqualTo(KEYS);

    long[] absent = new SplittableRandom(7).longs(ABSENT).toArray();
    double fpp = (double) LongLoops.count(filter, absent, 0, ABSENT) / ABSENT;
    assertFpp(contender, fpp);
    assertBits(contender, filter);
  }

  @ParameterizedTest
  @MethodSource("withText")
  void knowsEveryAddressItWasGivenAndFewOthers(Contender contender) {
    TakesText filter = contender.emptyText(KEYS);
    String[] keys = Urls.of(1, KEYS);
    for (String key : keys) {
      filter.put(key);
    }
    assertThat(keys).allMatch(filter::ask);

    double fpp = (double) Arrays.stream(Urls.of(7, ABSENT)).filter(filter::ask).count() / ABSENT;
    assertFpp(contender, fpp);
    assertBits(contender, filter);
  }

  @Test
  void emptyFiltersKnowNoLongs() {
    long[] absent = new SplittableRandom(7).longs(ABSENT).toArray();
    assertThat(withLongs().filter(Contender::takesLongs))
        .allSatisfy(
            contender -> {
              TakesLongs filter = contender.emptyLongs(KEYS);
              assertThat(LongLoops.count(filter, absent, 0, ABSENT)).isZero();
            });
  }

  @Test
  void oursWithTheVectorApiDoesNotRunWithoutIt() {
    assertThatThrownBy(Contender.TAMIS_SIMD::requireItsJvm)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("tamis-simd must run with --add-modules jdk.incubator.vector");
  }

  @Test
  void whatCannotBeHadIsNotGiven() {
    assertThatThrownBy(() -> Contender.HADOOP.startLongs(1)).hasMessage("hadoop has no longs");
    assertThatThrownBy(() -> Contender.FASTFILTER_XOR8.emptyLongs(1))
        .hasMessage("fastfilter-xor8 takes no longs one by one");
    assertThatThrownBy(() -> Contender.FASTFILTER_XOR8.emptyText(1))
        .hasMessage("fastfilter-xor8 has no text");
    assertThatThrownBy(() -> Contender.named("gauva"))
        .hasMessageContaining("no contender is called gauva")
        .hasMessageContaining("guava");
  }

  @Test
  void addressesHaveSixtyCharactersAndDiffer() {
    assertThat(Urls.of(1, KEYS))
        .doesNotHaveDuplicates()
        .allMatch(url -> url.length() == Urls.CHARACTERS)
        .allMatch(url -> url.startsWith("https://www.example.org/"))
        .allMatch(url -> url.endsWith(".html"));
  }

  @Test
  void hitsAreKeysThatWerePutAndMissesAreNot() {
    long[] keys = LongStreams.keys(KEYS);
    LongStreams streams = new LongStreams(keys);
    Arrays.sort(keys);
    assertThat(Arrays.stream(streams.present).allMatch(key -> has(keys, key))).isTrue();
    assertThat(Arrays.stream(streams.absent).noneMatch(key -> has(keys, key))).isTrue();
    double share = (double) Arrays.stream(streams.mixed).filter(key -> has(keys, key)).count();
    assertThat(share / LongStreams.LENGTH).isBetween(0.49, 0.51);
  }

  private static boolean has(long[] sorted, long key) {
    return Arrays.binarySearch(sorted, key) >= 0;
  }

  private static void assertFpp(Contender contender, double fpp) {
    if (RARE.contains(contender)) {
      assertThat(fpp).isZero();
    } else if (COARSE.contains(contender)) {
      assertThat(fpp).isBetween(0.0, 0.04);
    } else {
      assertThat(fpp).isBetween(MIN_FPP, MAX_FPP);
    }
  }

  private static void assertBits(Contender contender, Peer filter) {
    boolean counts =
        contender == Contender.TAMIS_COUNTING || contender == Contender.FASTFILTER_COUNTING;
    boolean isLarge = counts || RARE.contains(contender);
    assertThat((double) filter.bits() / KEYS).isBetween(8.0, isLarge ? 42.0 : 21.0);
  }
}
