package dev.tamis.cli.lines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.hash.HashFunction;
import dev.tamis.hash.HashId;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LineSetTest {

  @Test
  void knowsWhatWasPutInAndNothingElse() {
    LineSet set = new LineSet(HashFunction.xxh3(0));
    SplittableRandom random = new SplittableRandom(1);
    Set<String> expected = new HashSet<>();
    for (int i = 0; i < 200_000; i++) {
      String text = Long.toString(random.nextInt(100_000), 36);
      add(set, line(text));
      expected.add(text);
    }
    assertThat(set.size()).isEqualTo(expected.size());
    for (int i = 0; i < 100_000; i++) {
      String text = Long.toString(i, 36);
      assertThat(ask(set, line(text)) != LineSet.Answer.ABSENT).isEqualTo(expected.contains(text));
    }
  }

  @Test
  void marksALineWhenItIsAskedForFirst() {
    LineSet set = new LineSet(HashFunction.xxh3(0));
    add(set, line("a"));
    add(set, line("b"));
    assertThat(ask(set, line("a"))).isEqualTo(LineSet.Answer.FIRST);
    assertThat(ask(set, line("a"))).isEqualTo(LineSet.Answer.REPEATED);
    assertThat(ask(set, line("b"))).isEqualTo(LineSet.Answer.FIRST);
    assertThat(ask(set, line("c"))).isEqualTo(LineSet.Answer.ABSENT);
    assertThat(ask(set, line("c"))).isEqualTo(LineSet.Answer.ABSENT);
  }

  @Test
  void tellsLinesApartWhoseHashesAreEqual() {
    LineSet set = new LineSet(constantHash());
    for (int i = 0; i < 2000; i++) {
      add(set, line("line " + i));
    }
    assertThat(set.size()).isEqualTo(2000);
    for (int i = 0; i < 2000; i++) {
      assertThat(ask(set, line("line " + i))).isEqualTo(LineSet.Answer.FIRST);
    }
    assertThat(ask(set, line("line 2000"))).isEqualTo(LineSet.Answer.ABSENT);
  }

  @Test
  void keepsLinesOfAnyLength() {
    LineSet set = new LineSet(HashFunction.xxh3(0));
    int[] lengths = {
      0, 1, 127, 128, 129, 16383, 16384, (1 << 20) - 6, 1 << 20, 2_097_151, 2_097_152
    };
    for (int length : lengths) {
      add(set, line("x".repeat(length)));
      add(set, line("y"));
    }
    assertThat(set.size()).isEqualTo(lengths.length + 1);
    for (int length : lengths) {
      assertThat(ask(set, line("x".repeat(length)))).isEqualTo(LineSet.Answer.FIRST);
      assertThat(ask(set, line("x".repeat(length + 1) + "z"))).isEqualTo(LineSet.Answer.ABSENT);
    }
  }

  @Test
  void takesLittleMoreMemoryThanTheLines() {
    LineSet set = new LineSet(HashFunction.xxh3(0));
    int lines = 75_000;
    int lineBytes = 40;
    for (int i = 0; i < lines; i++) {
      add(set, line(String.format(Locale.ROOT, "%0" + lineBytes + "d", i)));
    }
    assertThat(set.sizeInBytes()).isBetween(lines * (lineBytes + 9L), lines * (lineBytes + 24L));
  }

  private static void add(LineSet set, Line line) {
    set.prefetch(new long[] {set.hashOf(line)}, 1);
    set.add(set.hashOf(line), line);
  }

  private static LineSet.Answer ask(LineSet set, Line line) {
    set.prefetch(new long[] {set.hashOf(line)}, 1);
    return set.query(set.hashOf(line), line);
  }

  private static Line line(String text) {
    return LineWriterTest.line(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Returns a hash to which all keys are alike. */
  private static HashFunction constantHash() {
    return (HashFunction)
        Proxy.newProxyInstance(
            HashFunction.class.getClassLoader(),
            new Class<?>[] {HashFunction.class},
            (proxy, method, args) ->
                method.getName().equals("id")
                    ? new HashId(HashId.Algorithm.XXH3, 0)
                    : Long.valueOf(-1));
  }
}
