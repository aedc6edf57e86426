package dev.tamis.internal.bits;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PackedSlotsTest {

  private static final int SLOTS = 200;

  static IntStream widths() {
    return IntStream.rangeClosed(1, 32);
  }

  @ParameterizedTest
  @MethodSource("widths")
  void holdsWhatWasSet(int width) {
    PackedSlots slots = new PackedSlots(SLOTS, width);
    SplittableRandom random = new SplittableRandom(width);
    int[] model = new int[SLOTS];
    for (int change = 0; change < 50 * SLOTS; change++) {
      int index = random.nextInt(SLOTS);
      model[index] = random.nextInt() >>> (32 - width);
      slots.set(index, model[index]);
    }
    for (int i = 0; i < SLOTS; i++) {
      assertThat(slots.get(i)).isEqualTo(model[i]);
    }
  }

  /** Bit w·i + j of all the words, taken as one number, is bit j of slot i. */
  @ParameterizedTest
  @MethodSource("widths")
  void slotsLieOneBehindTheOtherFromTheLowestBitOn(int width) {
    PackedSlots slots = new PackedSlots(SLOTS, width);
    SplittableRandom random = new SplittableRandom(width);
    BigInteger expected = BigInteger.ZERO;
    for (int i = 0; i < SLOTS; i++) {
      int value = random.nextInt() >>> (32 - width);
      slots.set(i, value);
      BigInteger unsigned = BigInteger.valueOf(Integer.toUnsignedLong(value));
      expected = expected.or(unsigned.shiftLeft(width * i));
    }
    BigInteger found = BigInteger.ZERO;
    for (long i = slots.words().count() - 1; i >= 0; i--) {
      BigInteger word = new BigInteger(Long.toUnsignedString(slots.words().get(i)));
      found = found.shiftLeft(Long.SIZE).or(word);
    }
    assertThat(found).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("widths")
  void readsAsManySlotsTogetherAsALongHolds(int width) {
    PackedSlots slots = new PackedSlots(SLOTS, width);
    SplittableRandom random = new SplittableRandom(width);
    for (int i = 0; i < SLOTS; i++) {
      slots.set(i, random.nextInt() >>> (32 - width));
    }
    for (int count = 1; count <= Math.min(SLOTS, Long.SIZE / width); count++) {
      for (int start = 0; start + count <= SLOTS; start++) {
        long expected = 0;
        for (int i = count - 1; i >= 0; i--) {
          expected = expected << width | Integer.toUnsignedLong(slots.get(start + i));
        }
        assertThat(slots.getTogether(start, count)).isEqualTo(expected);
      }
    }
  }

  @Test
  void whatIsTooWideForASlotIsCutOff() {
    PackedSlots slots = new PackedSlots(3, 5);
    slots.set(1, -1);
    assertThat(slots.get(0)).isZero();
    assertThat(slots.get(1)).isEqualTo(31);
    assertThat(slots.get(2)).isZero();
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 1", "64, 1, 1", "65, 1, 2", "2, 32, 1", "3, 32, 2", "64, 7, 7", "65, 7, 8"})
  void hasNoSpareWord(long slots, int width, int words) {
    assertThat(new PackedSlots(slots, width).words().count()).isEqualTo(words);
    assertThat(PackedSlots.words(slots, width)).isEqualTo(words);
  }

  @ParameterizedTest
  @MethodSource("widths")
  void seesOnesPastTheLastSlot(int width) {
    for (int slots = 1; slots <= 65; slots++) {
      PackedSlots row = new PackedSlots(slots, width);
      row.words().set(row.words().count() - 1, -1);
      assertThat(row.endsInZeros()).isEqualTo(slots * width % Long.SIZE == 0);
      for (int i = 0; i < slots; i++) {
        row.set(i, -1);
      }
      PackedSlots clean = new PackedSlots(slots, width);
      for (int i = 0; i < slots; i++) {
        clean.set(i, -1);
      }
      assertThat(clean.endsInZeros()).isTrue();
    }
  }

  @Test
  void copiesAndClears() {
    PackedSlots one = new PackedSlots(100, 13);
    PackedSlots other = new PackedSlots(100, 13);
    one.set(99, 4711);
    other.copyFrom(one);
    one.clear();
    assertThat(other.get(99)).isEqualTo(4711);
    assertThat(one.get(99)).isZero();
    assertThat(one.slots()).isEqualTo(100);
    assertThat(one.width()).isEqualTo(13);
  }

  /** A quarter of a gigabyte: the index of a slot is past an int, as is that of its first bit. */
  @ParameterizedTest
  @ValueSource(longs = {(1L << 31) + 77, (1L << 31) - 1, 1L << 31})
  void reachesPastTwoToThe31Slots(long count) {
    PackedSlots slots = new PackedSlots(count, 1);
    for (long index : new long[] {0, count / 2, count - 65, count - 1}) {
      slots.set(index, 1);
    }
    assertThat(SetBits.count(slots.words())).isEqualTo(4);
    assertThat(slots.get(count - 1)).isOne();
    assertThat(slots.get(count - 2)).isZero();
    assertThat(slots.get(count - 65)).isOne();
  }

  /** Slots past 2³² bits that straddle two words. */
  @Tag("thorough")
  @Test
  void reachesPastTwoToThe32Bits() {
    PackedSlots slots = new PackedSlots((1L << 32) / 31 + 1_000, 31);
    SplittableRandom random = new SplittableRandom(1);
    long start = slots.slots() - 2_000;
    int[] values = random.ints(2_000, 0, Integer.MAX_VALUE).toArray();
    for (int i = 0; i < values.length; i++) {
      slots.set(start + i, values[i]);
    }
    for (int i = 0; i < values.length; i++) {
      assertThat(slots.get(start + i)).isEqualTo(values[i]);
    }
    assertThat(slots.get(0)).isZero();
    assertThat(slots.get(start - 1)).isZero();
  }

  static Stream<long[]> impossible() {
    return Stream.of(
        new long[] {0, 1},
        new long[] {-1, 1},
        new long[] {1, 0},
        new long[] {1, 33},
        new long[] {1, -1},
        new long[] {PackedSlots.MAX_BITS + 1, 1},
        new long[] {PackedSlots.MAX_BITS / 7 + 1, 7},
        new long[] {Long.MAX_VALUE, 32});
  }

  @ParameterizedTest
  @MethodSource("impossible")
  void refusesWhatCannotBe(long[] shape) {
    assertThatThrownBy(() -> new PackedSlots(shape[0], (int) shape[1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("(width|slots of \\d+ bits) must be 1 to \\d+, got -?\\d+");
  }

  @Test
  void theMostBitsFillTheMostWords() {
    assertThat(PackedSlots.words(PackedSlots.MAX_BITS, 1)).isEqualTo(Words.MAX_COUNT);
    assertThat(PackedSlots.words(PackedSlots.MAX_BITS / 32, 32)).isEqualTo(Words.MAX_COUNT);
  }

  @Test
  void refusesMoreThanTheHeapHolds() {
    long bits = PackedSlots.MAX_BITS;
    assertThat(Runtime.getRuntime().maxMemory()).isLessThan(bits / 8);
    refuses(() -> new PackedSlots(bits, 1), "-Xmx");
  }
}
