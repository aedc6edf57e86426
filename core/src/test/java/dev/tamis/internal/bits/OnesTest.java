package dev.tamis.internal.bits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class OnesTest {

  private static final int BITS = 5 * Long.SIZE;

  @Test
  void countsNoneInZeros() {
    assertThat(Ones.count(new long[10])).isZero();
    assertThat(Ones.count(new long[0])).isZero();
  }

  @Test
  void countsEveryBitOfOnes() {
    assertThat(Ones.count(filled(10))).isEqualTo(640);
  }

  @Test
  void countsWholeWordsFromStartUpToEnd() {
    long[] words = {1, 3, 7, 15};

    assertThat(Ones.count(words, 1, 3)).isEqualTo(5);
    assertThat(Ones.count(words, 2, 2)).isZero();
    assertThat(Ones.count(words, 0, 4)).isEqualTo(Ones.count(words));
  }

  @Test
  void countsEveryRangeOfBitsInOnes() {
    long[] words = filled(5);
    for (long start = 0; start < BITS; start++) {
      for (long end = start + 1; end <= BITS; end++) {
        assertThat(Ones.count(words, start, end)).isEqualTo(end - start);
      }
    }
  }

  @Test
  void countsEveryRangeOfBitsAsABitSetDoes() {
    long[] words = new SplittableRandom(1).longs(5).toArray();
    BitSet bits = BitSet.valueOf(words);
    for (int start = 0; start < BITS; start++) {
      for (int end = start + 1; end <= BITS; end++) {
        assertThat(Ones.count(words, (long) start, (long) end))
            .as("from %d to %d", start, end)
            .isEqualTo(bits.get(start, end).cardinality());
      }
    }
  }

  @Test
  void countsTheUnion() {
    long[] odd = {0x5555555555555555L, 0, -1};
    long[] even = {0xAAAAAAAAAAAAAAAAL, 1, 2};

    assertThat(Ones.countUnion(odd, even)).isEqualTo(64 + 1 + 64);
    assertThat(Ones.countUnion(odd, odd)).isEqualTo(Ones.count(odd));
  }

  private static long[] filled(int words) {
    long[] filled = new long[words];
    Arrays.fill(filled, -1);
    return filled;
  }
}
