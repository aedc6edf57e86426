package dev.tamis.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import com.dynatrace.hash4j.distinctcount.UltraLogLog;
import dev.tamis.Estimate;
import dev.tamis.Keys;
import dev.tamis.Thorough;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The promise of a distinct counter: its number is right, and its interval is honest. */
class DistinctErrorTest {

  /** Give or take four standard deviations of the share of intervals that hold the truth. */
  @ParameterizedTest
  @CsvSource({
    "1, 2000",
    "2, 2000",
    "3, 2000",
    "5, 2000",
    "10, 2000",
    "30, 2000",
    "100, 2000",
    "300, 2000",
    "1000, 2000",
    "10000, 1000",
    "100000, 200"
  })
  void theIntervalHoldsTheTruthNineteenTimesInTwenty(int keys, int most) {
    int trials = Thorough.or(most / 4, most);
    for (int precision : new int[] {3, 4, 5, 6, 8, 10, 12}) {
      long held = estimates(precision, keys, trials).filter(count -> holds(count, keys)).count();
      assertThat((double) held)
          .as("precision %s", precision)
          .isGreaterThan(0.95 * trials - 4 * Math.sqrt(0.0475 * trials));
      if (keys >= 100 << precision) {
        assertThat((double) held)
            .as("precision %s", precision)
            .isLessThan(0.95 * trials + 4 * Math.sqrt(0.0475 * trials));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {6, 12, 14})
  void aMillionKeysAreCounted(int precision) {
    int trials = Thorough.or(15, 60);
    long held =
        estimates(precision, 1_000_000, trials).filter(count -> holds(count, 1_000_000)).count();
    assertThat((double) held).isGreaterThan(0.95 * trials - 4 * Math.sqrt(0.0475 * trials));
  }

  private static boolean holds(Estimate count, double keys) {
    return count.low() <= keys && keys <= count.high();
  }

  /** Few registers have 6 % more error than the formula says, many have no more. */
  @ParameterizedTest
  @CsvSource({"3, 1.12", "4, 1.1", "6, 1.08", "8, 1.05", "10, 1.05"})
  void theErrorIsAsStated(int precision, double most) {
    int keys = 100 << precision;
    int trials = 2_000;
    double squares =
        estimates(precision, keys, trials)
            .mapToDouble(count -> Math.pow(count.value() / keys - 1, 2))
            .average()
            .orElseThrow();
    double error = empty(precision).standardError();
    // the error of an error from 2,000 trials is 1.6 %
    assertThat(Math.sqrt(squares) / error).isBetween(0.95, most);
  }

  @ParameterizedTest
  @CsvSource({"8, 1000", "12, 10", "12, 100", "12, 1000", "12, 20000"})
  void theCountIsRightInTheMean(int precision, int keys) {
    int trials = 1_000;
    double mean =
        estimates(precision, keys, trials).mapToDouble(Estimate::value).average().orElseThrow();
    double slack = 4 * empty(precision).standardError() / Math.sqrt(trials);
    assertThat(mean / keys).isBetween(1 - slack, 1 + slack);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 8, 26})
  void nothingIsZero(int precision) {
    assertThat(empty(precision).approximateElementCount()).isEqualTo(new Estimate(0, 0, 0));
  }

  /** Whatever a reader accepts can be counted, and counted again after a merge. */
  @Test
  void anyPossibleRegistersGiveANumber() {
    SplittableRandom random = new SplittableRandom(1);
    for (int trial = 0; trial < 50_000; trial++) {
      int precision = 3 + random.nextInt(6);
      DistinctCounter<Long> counter = anything(precision, random);
      assertThat(counter.approximateElementCount().value()).isGreaterThanOrEqualTo(0);
      counter.putAll(anything(precision + random.nextInt(3), random));
      assertThat(counter.approximateElementCount().low()).isGreaterThanOrEqualTo(0);
      for (byte register : state(counter)) {
        assertThat(Precision.isPossible(Byte.toUnsignedInt(register), precision)).isTrue();
      }
    }
  }

  private static DistinctCounter<Long> anything(int precision, SplittableRandom random) {
    byte[] registers = new byte[1 << precision];
    int least = random.nextInt(256);
    int most = Math.min(255, least + random.nextInt(256));
    boolean sparse = random.nextInt(4) == 0;
    for (int i = 0; i < registers.length; i++) {
      int register = random.nextInt(least, most + 1);
      if (Precision.isPossible(register, precision) && (!sparse || random.nextInt(10) == 0)) {
        registers[i] = (byte) register;
      }
    }
    return new DistinctCounter<>(BoundHasher.of(KeyHasher.longs(), 0), UltraLogLog.wrap(registers));
  }

  private static byte[] state(DistinctCounter<Long> counter) {
    byte[] bytes = counter.toByteArray();
    return Arrays.copyOfRange(bytes, 128, bytes.length - 4);
  }

  @Test
  void fullRegistersAreBeyondCounting() {
    byte[] registers = new byte[8];
    Arrays.fill(registers, (byte) 255);
    Estimate count =
        new DistinctCounter<Long>(BoundHasher.of(KeyHasher.longs(), 0), UltraLogLog.wrap(registers))
            .approximateElementCount();
    assertThat(count.isBounded()).isFalse();
    assertThat(count.low()).isZero();
  }

  private static Stream<Estimate> estimates(int precision, int keys, int trials) {
    return IntStream.range(0, trials)
        .mapToObj(
            trial -> {
              DistinctCounter<Long> counter = empty(precision);
              Keys.hashes(1_000L * keys + trial, keys).forEach(counter::putHash);
              return counter.approximateElementCount();
            });
  }

  private static DistinctCounter<Long> empty(int precision) {
    return DistinctCounter.create(KeyHasher.longs(), precision);
  }
}
