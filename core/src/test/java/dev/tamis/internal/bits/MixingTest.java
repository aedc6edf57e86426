package dev.tamis.internal.bits;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MixingTest {

  private static final List<Long> EXTREMES =
      List.of(0L, 1L, -1L, Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1, 1L << 32, -1L << 32);

  private static final List<Long> RANGES =
      List.of(1L, 2L, 3L, 511L, 512L, (1L << 31) - 1, 1L << 31, (1L << 32) + 1, Long.MAX_VALUE);

  @Test
  void reducesAsUnlimitedArithmeticDoes() {
    for (long range : RANGES) {
      for (long hash : EXTREMES) {
        assertReduces(hash, range);
      }
      new SplittableRandom(1).longs(1_000).forEach(hash -> assertReduces(hash, range));
    }
  }

  @Test
  void reducesRandomHashesToRandomRanges() {
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 10_000; i++) {
      assertReduces(random.nextLong(), random.nextLong(1, Long.MAX_VALUE));
    }
  }

  @Test
  void reachesBothEndsOfTheRange() {
    for (long range : RANGES) {
      assertThat(Mixing.reduce(0, range)).isZero();
      assertThat(Mixing.reduce(-1, range)).isEqualTo(range - 1);
    }
  }

  @Test
  void keepsTheOrderOfHashesTakenAsUnsigned() {
    long[] hashes =
        new SplittableRandom(3)
            .longs(1_000)
            .boxed()
            .sorted(Long::compareUnsigned)
            .mapToLong(h -> h)
            .toArray();
    for (long range : RANGES) {
      assertThat(IntStream.range(0, hashes.length).mapToObj(i -> Mixing.reduce(hashes[i], range)))
          .isSorted();
    }
  }

  /** The first numbers of SplitMix64 from seed 1234567, as published with its reference code. */
  @Test
  void drawsTheSequenceOfSplitMix64() {
    assertThat(IntStream.rangeClosed(1, 5).mapToObj(k -> draw(1_234_567, k)))
        .containsExactly(
            "6457827717110365317",
            "3203168211198807973",
            "9817491932198370423",
            "4593380528125082431",
            "16408922859458223821");
  }

  @Test
  void drawsWhatTheJdkDraws() {
    SplittableRandom jdk = new SplittableRandom(42);
    for (int k = 1; k <= 100; k++) {
      assertThat(Mixing.draw(42, k)).isEqualTo(jdk.nextLong());
    }
  }

  private static String draw(long hash, int index) {
    return Long.toUnsignedString(Mixing.draw(hash, index));
  }

  private static void assertReduces(long hash, long range) {
    BigInteger expected =
        new BigInteger(Long.toUnsignedString(hash))
            .multiply(BigInteger.valueOf(range))
            .shiftRight(Long.SIZE);
    assertThat(Mixing.reduce(hash, range)).isEqualTo(expected.longValueExact());
  }
}
