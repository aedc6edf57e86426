package dev.tamis.internal.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.internal.bits.Words;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Packed counters compared with an array of plain numbers. */
class CountersTest {

  static int[] widths() {
    return IntStream.rangeClosed(2, 16).toArray();
  }

  @ParameterizedTest
  @MethodSource("widths")
  void countLikePlainNumbersThatStick(int bits) {
    for (int length : new int[] {1_000 + bits, 2_000}) {
      Counters counters = new Counters(length, bits);
      long most = (1L << bits) - 1;
      long[] plain = new long[length];
      SplittableRandom random = new SplittableRandom(bits);
      for (int step = 0; step < 50_000; step++) {
        int index = random.nextInt(length);
        if (random.nextInt(3) == 0) {
          assertThat(counters.decrement(index)).isEqualTo(plain[index]);
          plain[index] -= plain[index] == 0 || plain[index] == most ? 0 : 1;
        } else {
          long times = random.nextLong(most / 3 + 2);
          assertThat(counters.add(index, times)).isEqualTo(plain[index]);
          plain[index] = Math.min(most, plain[index] + times);
        }
      }
      long nonZero = 0;
      for (int index = 0; index < length; index++) {
        assertThat(counters.get(index)).isEqualTo(plain[index]);
        boolean bit = (counters.nonZeros().get(index / 64) >>> index & 1) == 1;
        assertThat(bit).isEqualTo(plain[index] > 0);
        nonZero += plain[index] > 0 ? 1 : 0;
        if (index % 100 != 0) {
          index += 6; // a look at some of the bits will do
        }
      }
      assertThat(counters.count(0)).isEqualTo(Arrays.stream(plain).filter(v -> v == 0).count());
      assertThat(nonZero).isPositive();
      assertThat(counters.unusedBitsAreZero()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("widths")
  void everyBitThatBelongsToNoCounterIsSeen(int bits) {
    int perWord = 64 / bits;
    for (int length : new int[] {1, perWord - 1, perWord, perWord + 1, 5 * perWord}) {
      Counters counters = new Counters(length, bits);
      Words words = counters.words();
      for (int bit = 0; bit < 64 * words.count(); bit++) {
        boolean used = bit % 64 / bits < perWord && bit / 64 * perWord + bit % 64 / bits < length;
        words.set(bit / 64, 1L << bit);
        assertThat(counters.unusedBitsAreZero()).as("bit %d of %d", bit, length).isEqualTo(used);
        words.set(bit / 64, 0);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, Words.MAX_COUNT * 16 + 1})
  void lengthsOutOfRangeAreRefused(long length) {
    assertThatThrownBy(() -> Counters.wordCount(length, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("counters of 4 bits must be 1 to %d, got %d", Words.MAX_COUNT * 16, length);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, Words.MAX_COUNT * 16 - 1, Words.MAX_COUNT * 16})
  void lengthsInRangeAreTaken(long length) {
    assertThat(Counters.wordCount(length, 4)).isEqualTo((length + 15) / 16);
  }
}
