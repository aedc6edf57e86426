package dev.tamis.internal.bits;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Words in segments. The build runs it twice: with segments of a gigabyte and of one line. */
class WordsTest {

  private static final int SEGMENT_WORDS = 1 << Integer.getInteger("dev.tamis.segmentShift", 27);

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 15, 16, 17, 1_000})
  void areArraysFromTheFirstToTheLastWord(int count) {
    long[] values = new SplittableRandom(count).longs(count).toArray();
    Words words = WordArrays.of(values);

    assertThat(words.count()).isEqualTo(count);
    assertThat(words.bytes()).isEqualTo(8L * count);
    assertThat(
            Arrays.stream(words.segments())
                .flatMapToLong(segment -> Arrays.stream(segment, Words.FIRST, segment.length))
                .toArray())
        .isEqualTo(values);
    assertThat(words.segments().length)
        .isEqualTo(Math.max(1, (count + SEGMENT_WORDS - 1) / SEGMENT_WORDS));
    for (int i = 0; i < count; i++) {
      assertThat(words.segment(i)[words.at(i)]).isEqualTo(values[i]).isEqualTo(words.get(i));
    }
  }

  @Test
  void aLineIsInOneSegment() {
    Words words = Words.allocate(1_000);
    for (long first = 0; first < 1_000; first += 8) {
      assertThat(words.segment(first)).isSameAs(words.segment(first + 7));
      assertThat(words.at(first + 7)).isEqualTo(words.at(first) + 7);
      assertThat(words.run(first, 1_000)).isGreaterThanOrEqualTo(8);
    }
  }

  @Test
  void aRunEndsWithItsSegment() {
    Words words = Words.allocate(1_000);
    for (int start = 0; start <= 1_000; start++) {
      int inSegment = SEGMENT_WORDS - start % SEGMENT_WORDS;
      assertThat(words.run(start, 1_000)).isEqualTo(Math.min(inSegment, 1_000 - start));
      assertThat(words.run(start, start)).isZero();
    }
  }

  @Test
  void clearingAPartLeavesTheRest() {
    for (int start = 0; start <= 40; start++) {
      for (int end = start; end <= 40; end++) {
        long[] values = new SplittableRandom(1).longs(40).toArray();
        Words words = WordArrays.of(values);
        words.clear(start, end);
        Arrays.fill(values, start, end, 0);
        assertThat(WordArrays.of(words)).isEqualTo(values);
      }
    }
  }

  @Test
  void aCopyIsEqualAndIndependent() {
    Words words = WordArrays.of(new SplittableRandom(2).longs(100).toArray());
    Words copy = words.copy();
    assertThat(copy).isEqualTo(words).hasSameHashCodeAs(words);
    for (long word : new long[] {0, 50, 99}) {
      copy.set(word, ~copy.get(word));
      assertThat(copy).isNotEqualTo(words);
      copy.set(word, words.get(word));
    }
    assertThat(copy).isEqualTo(words).isNotEqualTo(Words.allocate(100));
    assertThat(Words.allocate(99)).isNotEqualTo(Words.allocate(100));
    copy.clear();
    assertThat(copy).isEqualTo(Words.allocate(100)).isNotEqualTo(words);
  }

  @Test
  void theUnionWithAPartLeavesTheRest() {
    long[] one = new SplittableRandom(5).longs(64).toArray();
    long[] part = new SplittableRandom(6).longs(20).toArray();
    for (int start = 0; start <= 44; start++) {
      Words union = WordArrays.of(one);
      union.or(start, WordArrays.of(part));
      for (int i = 0; i < 64; i++) {
        boolean inPart = i >= start && i < start + 20;
        assertThat(union.get(i)).isEqualTo(inPart ? one[i] | part[i - start] : one[i]);
      }
    }
  }

  @Test
  void moreThanTheHeapHasIsRefusedAtOnce() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Words.allocate(Words.MAX_COUNT))
        .withMessageStartingWith("the filter needs 2199023255552 bytes, this JVM's heap has at");
  }

  /** Three segments of a gigabyte: the first word, the last, and those at the seams. */
  @Tag("thorough")
  @Test
  void wordsOfSeveralGigabytesAreDistinct() {
    long seam = 1L << 27;
    Words words = Words.allocate(2 * seam + 1);
    long[] places = {0, seam - 1, seam, seam + 1, 2 * seam - 1, 2 * seam};
    for (long place : places) {
      words.set(place, place + 1);
    }
    for (long place : places) {
      assertThat(words.get(place)).isEqualTo(place + 1);
    }
    assertThat(SetBits.count(words))
        .isEqualTo(Arrays.stream(places).map(p -> Long.bitCount(p + 1)).sum());
    words.clear(seam - 1, seam + 1);
    assertThat(words.get(seam - 1) | words.get(seam)).isZero();
    assertThat(words.get(seam + 1)).isEqualTo(seam + 2);
  }

  private static final long HEAP = Runtime.getRuntime().maxMemory();

  @Test
  void letsPassWhatTheHeapCouldHold() {
    assertThatCode(() -> HeapLimit.check(0)).doesNotThrowAnyException();
    assertThatCode(() -> HeapLimit.check(HEAP - 1)).doesNotThrowAnyException();
    assertThatCode(() -> HeapLimit.check(HEAP)).doesNotThrowAnyException();
  }

  @Test
  void refusesWhatIsLargerThanTheHeapWithBothNumbers() {
    refuses(() -> HeapLimit.check(HEAP + 1), Long.toString(HEAP + 1), Long.toString(HEAP), "-Xmx");
  }
}
