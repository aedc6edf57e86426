package dev.tamis.internal.bits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kernel that this JVM has, against one bit at a time. The build runs it twice: as it is, and
 * with the module for vectors.
 */
class LineKernelTest {

  private static final int ROUNDS = 20_000;
  private static final int LINES = 5;
  private static final int WORDS = 8;

  @Test
  void vectorsAreChosenWhereTheJvmHasThem() {
    boolean hasVectors = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
    assumeThat(System.getProperty("os.arch")).isEqualTo("amd64"); // elsewhere they may be short
    assertThat(LineKernel.FASTEST.getClass().getSimpleName())
        .isEqualTo(hasVectors ? "VectorLineKernel" : "ScalarLineKernel");
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void setsAndTestsOneBitInEachWord(LineKernel kernel) {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < ROUNDS; round++) {
      long[] words = randomLines(random);
      long[] expected = words.clone();
      int first = random.nextInt(LINES) * WORDS + Words.FIRST;
      long draw = random.nextLong();
      boolean isNew = setBits(expected, first, draw);

      assertThat(kernel.mightContain(words, first, draw)).isEqualTo(!isNew);
      assertThat(kernel.put(words, first, draw)).isEqualTo(isNew);
      assertThat(words).isEqualTo(expected);
      assertThat(kernel.mightContain(words, first, draw)).isTrue();
      assertThat(kernel.put(words, first, draw)).isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void setsTwoBitsInEachWord(LineKernel kernel) {
    SplittableRandom random = new SplittableRandom(2);
    for (int round = 0; round < ROUNDS; round++) {
      long[] words = randomLines(random);
      long[] expected = words.clone();
      int first = random.nextInt(LINES) * WORDS + Words.FIRST;
      long draw = random.nextLong();
      long second = random.nextInt(4) == 0 ? draw : random.nextLong();
      boolean isNew = setBits(expected, first, draw);
      isNew |= setBits(expected, first, second);

      assertThat(kernel.put(words, first, draw, second)).isEqualTo(isNew);
      assertThat(words).isEqualTo(expected);
      assertThat(kernel.put(words, first, draw, second)).isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void missesAKeyOnceAnyOneOfItsBitsIsZero(LineKernel kernel) {
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < ROUNDS; round++) {
      long[] words = new long[Words.FIRST + WORDS];
      long draw = random.nextLong();
      setBits(words, Words.FIRST, draw);
      words[Words.FIRST + round % WORDS] = ~words[Words.FIRST + round % WORDS];
      assertThat(kernel.mightContain(words, Words.FIRST, draw)).isFalse();
    }
  }

  static Stream<LineKernel> kernels() {
    return Stream.of(new ScalarLineKernel(), LineKernel.FASTEST);
  }

  /** Returns lines in which most draws find nearly all of their bits set. */
  private static long[] randomLines(SplittableRandom random) {
    long[] words = new long[Words.FIRST + LINES * WORDS];
    for (int i = Words.FIRST; i < words.length; i++) {
      for (int ones = 0; ones < 4; ones++) {
        words[i] |= random.nextLong();
      }
    }
    return words;
  }

  /** The reference implementation of kernels, from docs/format.md. */
  private static boolean setBits(long[] words, int first, long draw) {
    boolean isNew = false;
    for (int i = 0; i < WORDS; i++) {
      long bit = 1L << (draw >>> (58 - 6 * i) & 63);
      isNew |= (words[first + i] & bit) == 0;
      words[first + i] |= bit;
    }
    return isNew;
  }
}
