package dev.tamis.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.Sizing;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A filter on a server has few hashes, hardly more bits, and the requested fpp. */
class ServerSizingTest {

  private static Sizing file(long keys, double fpp) {
    return Sizing.builder().expectedKeys(keys).fpp(fpp).solve();
  }

  @ParameterizedTest
  @CsvSource({
    "0.1, LINE, 2",
    "0.01, LINE, 4",
    "0.001, LINE, 6",
    "1e-6, SPLIT_PAIR, 16",
  })
  void hashesAreTheFewestForATenthMoreBits(double fpp, Layout layout, int hashes) {
    for (long keys : new long[] {100_000, 20_000_000, 3_000_000_000L}) {
      Shape shape = RedisFilterBuilder.fewestHashes(file(keys, fpp), any -> true).shape();
      assertThat(shape.layout()).isEqualTo(layout);
      assertThat(shape.hashes()).isEqualTo(hashes);
      assertThat(shape.fpp(keys)).isLessThanOrEqualTo(fpp);
      assertThat((double) shape.bits()).isLessThanOrEqualTo(1.1 * file(keys, fpp).shape().bits());
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 0.5", "1, 0.01", "1, 1e-9", "2, 1e-6", "10, 0.9", "100, 0.0001"})
  void aHandfulOfKeysIsNoException(long keys, double fpp) {
    Sizing file = file(keys, fpp);
    Sizing sizing = RedisFilterBuilder.fewestHashes(file, any -> true);
    assertThat(sizing.shape().fpp(keys)).isLessThanOrEqualTo(fpp);
    assertThat(sizing.shape().hashes()).isLessThanOrEqualTo(file.shape().hashes());
    assertThat((double) sizing.shape().bits()).isLessThanOrEqualTo(1.1 * file.shape().bits());
    assertThat(sizing.expectedKeys()).isEqualTo(keys);
    assertThat(sizing.fpp()).isEqualTo(fpp);
  }

  @ParameterizedTest
  @CsvSource({"0.01", "0.001"})
  void whatNoServerCanHaveIsNotTaken(double fpp) {
    Sizing file = file(1_000, fpp);
    assertThat(RedisFilterBuilder.fewestHashes(file, shape -> false)).isEqualTo(file);
    int hashes = RedisFilterBuilder.fewestHashes(file, shape -> true).shape().hashes();
    assertThat(
            RedisFilterBuilder.fewestHashes(file, shape -> shape.hashes() > hashes)
                .shape()
                .hashes())
        .isGreaterThan(hashes);
  }
}
