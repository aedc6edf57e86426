package dev.tamis.internal.bits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SetBitsTest {

  private static final int BITS = 20 * Long.SIZE;

  @Test
  void countsNoneInZeros() {
    assertThat(SetBits.count(Words.allocate(10))).isZero();
    assertThat(SetBits.count(Words.allocate(0))).isZero();
  }

  @Test
  void countsEveryBitOfOnes() {
    assertThat(SetBits.count(filled(10))).isEqualTo(640);
  }

  @Test
  void countsWholeWordsFromStartUpToEnd() {
    Words words = WordArrays.of(1, 3, 7, 15);

    assertThat(SetBits.countWords(words, 1, 3)).isEqualTo(5);
    assertThat(SetBits.countWords(words, 2, 2)).isZero();
    assertThat(SetBits.countWords(words, 0, 4)).isEqualTo(SetBits.count(words));
  }

  @Test
  void countsEveryRangeOfBitsInOnes() {
    Words words = filled(20);
    for (long start = 0; start < BITS; start++) {
      for (long end = start + 1; end <= BITS; end++) {
        assertThat(SetBits.count(words, start, end)).isEqualTo(end - start);
      }
    }
  }

  @Test
  void countsEveryRangeOfBitsAsABitSetDoes() {
    long[] values = new SplittableRandom(1).longs(20).toArray();
    Words words = WordArrays.of(values);
    BitSet bits = BitSet.valueOf(values);
    for (int start = 0; start < BITS; start++) {
      for (int end = start + 1; end <= BITS; end++) {
        assertThat(SetBits.count(words, start, end))
            .as("from %d to %d", start, end)
            .isEqualTo(bits.get(start, end).cardinality());
      }
    }
  }

  @Test
  void countsTheUnion() {
    Words odd = WordArrays.of(0x5555555555555555L, 0, -1);
    Words even = WordArrays.of(0xAAAAAAAAAAAAAAAAL, 1, 2);

    assertThat(SetBits.countUnion(odd, even)).isEqualTo(64 + 1 + 64);
    assertThat(SetBits.countUnion(odd, odd)).isEqualTo(SetBits.count(odd));
  }

  private static Words filled(int words) {
    long[] filled = new long[words];
    Arrays.fill(filled, -1);
    return WordArrays.of(filled);
  }
}
