package dev.tamis.corpus;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WordBreakTest {

  /** Of every class, and blanks, with ASCII first. */
  private static final String LETTERS =
      "ab1_:,.;'\" \t\r\n\u000b-+Zé\u0301\u200d\u00ad\u05d0\u30a1\ud83c\uddeb\ud83d\ude42©\u00a0";

  private static final int ASCII_LETTERS = 18;

  @Test
  void allCasesOfUnicodePass() throws IOException {
    int cases = 0;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                requireNonNull(getClass().getResourceAsStream("word-break-test.txt")),
                StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("#")) {
          continue;
        }
        cases++;
        StringBuilder text = new StringBuilder();
        List<Integer> expected = new ArrayList<>();
        for (String word : line.split(" ", -1)) {
          if (word.equals("÷")) {
            expected.add(utf8(text.toString()).length);
          } else if (!word.equals("×")) {
            text.appendCodePoint(Integer.parseInt(word, 16));
          }
        }
        byte[] bytes = utf8(text.toString());
        assertThat(boundaries(bytes)).as(line).isEqualTo(expected);
        assertThat(generalBoundaries(bytes)).as(line).isEqualTo(expected);
      }
    }
    assertThat(cases).isEqualTo(1823);
  }

  @Test
  void theFastPathForAsciiFindsTheSameBoundaries() {
    SplittableRandom random = new SplittableRandom(1);
    int[] letters = LETTERS.codePoints().toArray();
    for (int i = 0; i < 300_000; i++) {
      int some = i % 3 == 0 ? letters.length : ASCII_LETTERS;
      StringBuilder text = new StringBuilder();
      random.ints(1 + i % 12, 0, some).forEach(each -> text.appendCodePoint(letters[each]));
      byte[] bytes = utf8(text.toString());
      assertThat(boundaries(bytes)).as("%s", text).isEqualTo(generalBoundaries(bytes));
    }
  }

  @Test
  void bytesThatAreNotUtf8AreCharactersOfTheirOwn() {
    assertThat(boundaries(new byte[] {'a', (byte) 0xC3, 'b'})).containsExactly(0, 1, 2, 3);
    assertThat(boundaries(new byte[] {(byte) 0xF0, (byte) 0x9F, (byte) 0x99}))
        .containsExactly(0, 1, 2, 3);
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 100_000; i++) {
      byte[] bytes = new byte[1 + i % 9];
      random.nextBytes(bytes);
      List<Integer> found = boundaries(bytes);
      assertThat(found).isSorted().doesNotHaveDuplicates().endsWith(bytes.length);
    }
  }

  @Test
  void aSpaceWithAnAccentIsNotBlank() {
    byte[] text = utf8("  \u0301");
    assertThat(boundaries(text)).containsExactly(0, 4);
    assertThat(WordBreak.isBlank(text, 0, 4)).isFalse();
    assertThat(WordBreak.isBlank(text, 0, 2)).isTrue();
    assertThat(WordBreak.isBlank(utf8("\u00a0\u3000"), 0, 5)).isTrue();
  }

  private static List<Integer> boundaries(byte[] text) {
    List<Integer> found = new ArrayList<>(List.of(0));
    for (int at = 0; at < text.length; ) {
      at = WordBreak.end(text, at, text.length);
      found.add(at);
    }
    return found;
  }

  private static List<Integer> generalBoundaries(byte[] text) {
    List<Integer> found = new ArrayList<>(List.of(0));
    for (int at = 0; at < text.length; ) {
      at = WordBreak.anyEnd(text, at, text.length);
      found.add(at);
    }
    return found;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
