package dev.tamis.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tamis.hash.HashFunction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NgramsTest {

  @Test
  void wordsAreWhatLiesBetweenBoundariesWithoutBlanks() {
    assertThat(words("Don't pay 3.14, or e.g. 1,000\u00a0€!"))
        .containsExactly("Don't", "pay", "3.14", ",", "or", "e.g", ".", "1,000", "€", "!");
  }

  @Test
  void theHashOfAnNgramDependsOnItsWordsAlone() {
    List<Long> one = hashes(3, "a b c d e");
    List<Long> other = hashes(3, "x  b\tc\nd , y");
    assertThat(one).hasSize(3);
    assertThat(other.get(1)).isEqualTo(one.get(1));
    assertThat(other).doesNotContain(one.get(0), one.get(2));
  }

  @Test
  void theOrderAndTheNumberOfWordsMatter() {
    assertThat(hashes(3, "a b c"))
        .doesNotContainAnyElementsOf(hashes(3, "c b a"))
        .doesNotContainAnyElementsOf(hashes(3, "a c b"))
        .doesNotContainAnyElementsOf(hashes(3, "b a c"));
    assertThat(hashes(3, "a a")).doesNotContainAnyElementsOf(hashes(3, "a a a"));
    assertThat(hashes(13, "a")).doesNotContainAnyElementsOf(hashes(13, "a a"));
  }

  @Test
  void aShortTextIsOneNgramAndABlankOneNone() {
    assertThat(hashes(3, "a b")).hasSize(1).isEqualTo(hashes(5, "a b"));
    assertThat(hashes(3, "a b c")).hasSize(1);
    assertThat(hashes(3, "a b c d")).hasSize(2);
    assertThat(hashes(3, " \n\u3000")).isEmpty();
    assertThat(hashes(3, "")).isEmpty();
  }

  @Test
  void aMillionNgramsOfFewWordsHaveAMillionHashes() {
    Set<Long> seen = new HashSet<>();
    Ngrams ngrams = new Ngrams(6, HashFunction.xxh3(0));
    for (int i = 0; i < 1_000_000; i++) {
      byte[] text = bytes(String.format(Locale.ROOT, "%06d", i).replaceAll("(.)", "$1 "));
      assertThat(ngrams.find(text, 0, text.length)).isEqualTo(1);
      seen.add(ngrams.hashes()[0]);
    }
    assertThat(seen).hasSize(1_000_000);
  }

  @Test
  void anotherSeedGivesOtherHashes() {
    Ngrams ngrams = new Ngrams(3, HashFunction.xxh3(1));
    byte[] text = bytes("a b c");
    int unused = ngrams.find(text, 0, text.length);
    assertThat(hashes(3, "a b c")).doesNotContain(ngrams.hashes()[0]);
  }

  @Test
  void hashesAreThoseOfTheFilesThatExist() {
    assertThat(hashes(3, "a bcdefghij klmnopqrstuvwxyz!").stream().map(Long::toHexString))
        .containsExactly(FROZEN);
  }

  private static final String[] FROZEN = {"77b5929f61b6388d", "89eca1e247a6e7a3"};

  @Test
  void lengthsHaveALimit() {
    assertThat(new Ngrams(Ngrams.MAX_LENGTH, HashFunction.xxh3(0)).length()).isEqualTo(1000);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Ngrams(Ngrams.MAX_LENGTH + 1, HashFunction.xxh3(0)))
        .withMessage("an n-gram must have 1 to 1000 words, got 1001");
    assertThatIllegalArgumentException().isThrownBy(() -> new Ngrams(0, HashFunction.xxh3(0)));
  }

  private static List<String> words(String text) {
    Ngrams ngrams = new Ngrams(1, HashFunction.xxh3(0));
    byte[] bytes = bytes(text);
    int count = ngrams.find(bytes, 0, bytes.length);
    String[] words = new String[count];
    Arrays.setAll(
        words,
        i ->
            new String(
                bytes, ngrams.start(i), ngrams.end(i) - ngrams.start(i), StandardCharsets.UTF_8));
    return List.of(words);
  }

  private static List<Long> hashes(int length, String text) {
    Ngrams ngrams = new Ngrams(length, HashFunction.xxh3(0));
    byte[] bytes = bytes(text);
    int count = ngrams.find(bytes, 0, bytes.length);
    return Arrays.stream(ngrams.hashes(), 0, count).boxed().toList();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
