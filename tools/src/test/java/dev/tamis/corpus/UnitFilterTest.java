package dev.tamis.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitFilterTest {

  private static final UnitRule DOCUMENTS = new UnitRule(UnitRule.Kind.DOCUMENTS, 0, Set.of());
  private static final UnitRule PARAGRAPHS = new UnitRule(UnitRule.Kind.PARAGRAPHS, 0, Set.of());

  private final BloomFilter<byte[]> filter = BloomFilter.create(KeyHasher.bytes(), 1_000_000, 1e-9);

  @Test
  void aParagraphIsARepeatOfAnyBefore() {
    TextUnits units = TextUnits.of(PARAGRAPHS, filter).paragraphs("\n").minWords(1).build();
    UnitFilter seen = UnitFilter.deduplicating(filter, Overlap.ALL);
    assertThat(decide(seen, units, "one\n\ntwo\none")).containsExactly(false, false, false, true);
    assertThat(decide(seen, units, "two\n\n")).containsExactly(true, false);
    assertThat(decide(seen, units, "")).containsExactly(false);
    assertThat(seen.decided()).isEqualTo(4);
    assertThat(seen.repeats()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "0.8, 10, 8",
    "0.8, 11, 9",
    "0.7, 10, 7",
    "0.56, 25, 14",
    "0.1, 3, 1",
    "1, 7, 7",
    "0.001, 7, 1",
    "0.5, 1, 1",
    "0.80001, 10, 9",
    "0.5, 5, 3"
  })
  void theThresholdIsTakenAsTheDecimalItIs(double threshold, int keys, int needed) {
    assertThat(new Overlap(threshold).needed(keys)).isEqualTo(needed);
  }

  @Test
  void theThresholdHasLimits() {
    for (double wrong : new double[] {0, -1, 1.0001, Double.NaN}) {
      assertThatIllegalArgumentException().isThrownBy(() -> new Overlap(wrong));
    }
  }

  /** With 10 n-grams and T = 0.8: 7 known ones are too few, 8 are enough. */
  @ParameterizedTest
  @CsvSource({"7, false", "8, true", "9, true"})
  void aUnitIsARepeatFromExactlyTheThresholdOn(int known, boolean isRepeat) {
    TextUnits units = ngrams(3, 0);
    UnitFilter seen = UnitFilter.deduplicating(filter, new Overlap(0.8));
    List<String> words = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      words.add("w" + i);
    }
    decide(seen, units, String.join(" ", words.subList(0, known + 2)));
    assertThat(decide(seen, units, String.join(" ", words))).containsExactly(isRepeat);
    assertThat(seen.shares()[0]).isEqualTo(known / 10.0);
  }

  @Test
  void aRepeatPutsNothing() {
    TextUnits units = ngrams(3, 0);
    UnitFilter seen = UnitFilter.deduplicating(filter, new Overlap(0.5));
    decide(seen, units, "a b c d");
    assertThat(seen.addedCount()).isEqualTo(2);
    assertThat(decide(seen, units, "b c d e")).containsExactly(true);
    assertThat(seen.addedCount()).isZero();
    assertThat(decide(seen, units, "c d e f g")).containsExactly(false);
  }

  @Test
  void shortUnitsAreKeptAndNothingElseChanges() {
    String text = "one two\none two three\none two\none two three\n\none";
    for (UnitRule rule : List.of(PARAGRAPHS, new UnitRule(UnitRule.Kind.NGRAMS, 2, Set.of()))) {
      BloomFilter<byte[]> fresh = BloomFilter.create(KeyHasher.bytes(), 1000, 1e-9);
      TextUnits units = TextUnits.of(rule, fresh).paragraphs("\n").minWords(3).build();
      UnitFilter seen = UnitFilter.deduplicating(fresh, new Overlap(1));
      assertThat(decide(seen, units, text))
          .containsExactly(false, false, false, true, false, false);
      assertThat(seen.decided()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @CsvSource({"2, true", "3, true", "4, false"})
  void charactersAreCountedNotBytes(int minChars, boolean isRepeat) {
    TextUnits units = TextUnits.of(DOCUMENTS, filter).minChars(minChars).build();
    UnitFilter seen = UnitFilter.deduplicating(filter, Overlap.ALL);
    assertThat(decide(seen, units, "é\u3042\ud83d\ude42")).containsExactly(false);
    assertThat(decide(seen, units, "é\u3042\ud83d\ude42")).containsExactly(isRepeat);
  }

  @Test
  void textsThatDifferByNormalizationAreRepeats() {
    UnitRule rule = new UnitRule(UnitRule.Kind.DOCUMENTS, 0, EnumSet.allOf(Normalization.class));
    TextUnits units = TextUnits.of(rule, filter).build();
    UnitFilter seen = UnitFilter.deduplicating(filter, Overlap.ALL);
    assertThat(decide(seen, units, "Caf\u00e9, noir")).containsExactly(false);
    assertThat(decide(seen, units, " CAFE\u0301 \n (noir)! ")).containsExactly(true);
    assertThat(decide(seen, units, "cafe noir")).containsExactly(false);
    assertThat(new String(units.compared(utf8("A $1 — ß"), 0, 11), StandardCharsets.UTF_8))
        .isEqualTo("a 1 ß");
  }

  @Test
  void separatorsOfSeveralBytesDivide() {
    TextUnits units = TextUnits.of(PARAGRAPHS, filter).paragraphs("\n\n").build();
    byte[] text = utf8("a\nb\n\n\nc\n\n");
    assertThat(units.add(text, 0, text.length)).isEqualTo(2);
    assertThat(units.end(0)).isEqualTo(3);
    assertThat(units.start(1)).isEqualTo(5).isEqualTo(units.next(0));
    assertThat(units.end(1)).isEqualTo(7);
    assertThat(units.next(1)).isEqualTo(9);
  }

  @Test
  void aFilterOf1e8BitsKeepsItsFpp() {
    BloomFilter<byte[]> large =
        BloomFilter.<byte[]>builder(KeyHasher.bytes())
            .bits(100_000_000)
            .fpp(0.01)
            .singleThreaded()
            .build();
    TextUnits units = TextUnits.of(new UnitRule(UnitRule.Kind.NGRAMS, 3, Set.of()), large).build();
    SplittableRandom random = new SplittableRandom(1);
    byte[] text = words(random, 1_000_000);
    int unused = units.add(text, 0, text.length);
    large.putHashes(units.keys(), units.keyCount(), new boolean[units.keyCount()]);
    while (large.acceptedKeys() < large.expectedKeys()) {
      boolean unusedNew = large.putHash(random.nextLong());
    }
    units.clear();
    byte[] fresh = words(random, 400_000);
    int unusedToo = units.add(fresh, 0, fresh.length);
    boolean[] found = new boolean[units.keyCount()];
    large.mightContainHashes(units.keys(), units.keyCount(), found);
    int wrong = 0;
    for (boolean each : found) {
      wrong += each ? 1 : 0;
    }
    assertThat((double) wrong / found.length).isCloseTo(0.01, within(0.001));
  }

  /** Units of m fresh n-grams at a high fpp, which share bits with each other and all others. */
  @ParameterizedTest
  @CsvSource({"10, 0.5, 0.2", "20, 0.3, 0.1", "4, 0.5, 0.1", "1, 1, 0.1", "30, 0.2, 0.1"})
  void wrongDropsOfUnitsAreAsManyAsExpected(int ngrams, double threshold, double fpp) {
    double expected = 0;
    long found = 0;
    for (int round = 0; round < 5; round++) {
      BloomFilter<byte[]> full =
          BloomFilter.<byte[]>builder(KeyHasher.bytes())
              .seed(round)
              .expectedKeys(60_000)
              .fpp(fpp)
              .build();
      TextUnits units = TextUnits.of(new UnitRule(UnitRule.Kind.NGRAMS, 3, Set.of()), full).build();
      UnitFilter seen = UnitFilter.deduplicating(full, new Overlap(threshold));
      SplittableRandom random = new SplittableRandom(round);
      for (int i = 0; i < 60_000 / ngrams; i++) {
        units.clear();
        byte[] text = words(random, ngrams + 2);
        int unused = units.add(text, 0, text.length);
        found += seen.decide(units)[0] ? 1 : 0;
      }
      expected += seen.expectedWrongDrops();
    }
    assertThat((double) found)
        .isCloseTo(expected, within(5 * Math.sqrt(expected) + 0.1 * expected));
  }

  @Test
  void theProbabilityOfAWrongDropIsABinomialTail() {
    assertThat(new Overlap(0.8).wrongDropProbability(10, 0.5))
        .isCloseTo(56 / 1024.0, within(1e-12));
    assertThat(new Overlap(0.1).wrongDropProbability(3, 0.5)).isCloseTo(0.875, within(1e-12));
    assertThat(new Overlap(0.8).wrongDropProbability(80, 0.01)).isBetween(1e-113, 1e-110);
    assertThat(new Overlap(0.8).wrongDropProbability(80, 0)).isZero();
    assertThat(new Overlap(0.1).wrongDropProbability(10, 1)).isEqualTo(1);
    double sum = new Overlap(0.2).wrongDropProbability(1000, 0.25);
    assertThat(sum).isBetween(0.999, 1.0);
  }

  @Test
  void aRuleIsReadAsItIsWritten() {
    for (UnitRule.Kind kind : UnitRule.Kind.values()) {
      UnitRule rule =
          new UnitRule(
              kind,
              kind == UnitRule.Kind.NGRAMS ? Ngrams.MAX_LENGTH : 0,
              EnumSet.allOf(Normalization.class));
      assertThat(UnitRule.parse(rule.toString())).isEqualTo(rule);
      assertThat(rule.toString()).hasSizeLessThanOrEqualTo(52); // what a fuse filter has room for
    }
    for (String wrong :
        List.of("", "-k 2", "--ngrams", "--ngrams x", "--documents --normalize z")) {
      assertThatIllegalArgumentException().as(wrong).isThrownBy(() -> UnitRule.parse(wrong));
    }
  }

  private TextUnits ngrams(int length, int minWords) {
    UnitRule rule = new UnitRule(UnitRule.Kind.NGRAMS, length, Set.of());
    return TextUnits.of(rule, filter).minWords(minWords).build();
  }

  private static List<Boolean> decide(UnitFilter seen, TextUnits units, String text) {
    byte[] bytes = utf8(text);
    units.clear();
    int count = units.add(bytes, 0, bytes.length);
    boolean[] isRepeat = seen.decide(units);
    List<Boolean> repeats = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      repeats.add(isRepeat[i]);
    }
    return repeats;
  }

  private static byte[] words(SplittableRandom random, int count) {
    return utf8(random.longs(count).mapToObj(Long::toHexString).collect(Collectors.joining(" ")));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
