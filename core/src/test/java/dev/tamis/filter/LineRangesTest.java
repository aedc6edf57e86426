package dev.tamis.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.sizing.Layout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges of cache lines: every bit is in exactly one. */
class LineRangesTest {

  private static final long LARGEST = Layout.MAX_BITS;

  /** The last one requests more ranges than there are lines. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 9_999, 10_000, 10_001})
  void everyBitIsInOneRange(int most) {
    LineRanges ranges = LineRanges.of(512L * 10_000, most);
    long next = 0;
    for (int range = 0; range < ranges.count(); range++) {
      assertThat(ranges.firstBit(range)).isEqualTo(next);
      next += ranges.bits(range);
      assertThat(ranges.rangeOf(ranges.firstBit(range))).isEqualTo(range);
      assertThat(ranges.rangeOf(next - 1)).isEqualTo(range);
      assertThat(next % 512).isZero();
    }
    assertThat(next).isEqualTo(ranges.bits());
    assertThat(ranges.count()).isLessThanOrEqualTo(most);
  }

  /** The number of lines times the index of a range overflowed from 2^28 ranges on. */
  @ParameterizedTest
  @ValueSource(ints = {(1 << 28) - 1, 1 << 28, (1 << 28) + 1, Integer.MAX_VALUE})
  void theLargestFilterHasAsManyRangesAsThereMayBe(int most) {
    LineRanges ranges = LineRanges.of(LARGEST, most);
    int last = ranges.count() - 1;
    assertThat(last).isBetween(most / 2, most - 1);
    assertThat(ranges.firstBit(last) + ranges.bits(last)).isEqualTo(LARGEST);
    assertThat(ranges.rangeOf(LARGEST - 1)).isEqualTo(last);
    assertThat(ranges.rangeOf(ranges.firstBit(last))).isEqualTo(last);
    assertThat(ranges.rangeOf(ranges.firstBit(last) - 1)).isEqualTo(last - 1);
  }

  @Test
  void anArrayThatIsNotBlockedMayEndWithinALine() {
    LineRanges ranges = LineRanges.of(512 + 64, 1);
    assertThat(ranges.count()).isEqualTo(1);
    assertThat(ranges.bits(0)).isEqualTo(512 + 64);
  }

  @Test
  void keysOfOneLineStayInOneRange() {
    for (Layout layout : Layout.values()) {
      assertThat(LineRanges.keepKeysTogether(layout))
          .isEqualTo(layout == Layout.LINE || layout == Layout.SPLIT);
    }
  }

  @Test
  void boundsAreChecked() {
    assertThatThrownBy(() -> LineRanges.of(0, 1)).hasMessage("bits must be at least 1, got 0");
    assertThatThrownBy(() -> LineRanges.of(512, 0)).hasMessage("most must be at least 1, got 0");
    assertThatThrownBy(() -> new LineRanges(512, 511))
        .hasMessage("bitsPerRange must be a multiple of 512, got 511");
    long most = 512L * Integer.MAX_VALUE;
    assertThat(new LineRanges(most - 512, 512).count()).isEqualTo(Integer.MAX_VALUE - 1);
    assertThat(new LineRanges(most, 512).count()).isEqualTo(Integer.MAX_VALUE);
    assertThatThrownBy(() -> new LineRanges(most + 1, 512))
        .hasMessage("ranges must be 1 to 2147483647, got 2147483648");
  }
}
