package dev.tamis.sizing;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FuseSizingTest {

  static Stream<OracleTable.Row> oracle() throws IOException {
    return OracleTable.read("binary-fuse-sizes.csv").rows().stream();
  }

  @ParameterizedTest
  @MethodSource("oracle")
  void oneShardIsAsThePaperSays(OracleTable.Row row) {
    FuseSizing sizing = FuseSizing.forFullestShard(keys(row), row.integer("arity"), 1);

    assertThat(sizing.segmentLength()).isEqualTo(row.integer("segment_length"));
    assertThat(sizing.segmentCount()).isEqualTo(row.integer("segment_count"));
    assertThat(sizing.slots()).isEqualTo(keys(row, "array_length"));
  }

  @ParameterizedTest
  @MethodSource("oracle")
  void shardsCostLessThanOnePercent(OracleTable.Row row) {
    FuseSizing sizing = FuseSizing.forKeys(keys(row), row.integer("arity"));

    assertThat((double) sizing.slots())
        .isBetween(0.99 * keys(row, "array_length"), 1.01 * keys(row, "array_length"));
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void shardsCostLessThanOnePercentAtAnySize(int arity) {
    for (double keys = 1e6; keys < 1e9; keys *= 1.01) {
      double slots = FuseSizing.forKeys((long) keys, arity).slots();
      double oneShard = FuseSizing.forFullestShard((long) keys, arity, 1).slots();
      assertThat(slots / oneShard).as("%s keys", keys).isBetween(0.999, 1.01);
    }
  }

  /** The table in the Javadoc of FuseFilter, at 8 bits a fingerprint. */
  @ParameterizedTest
  @CsvSource({
    "10, 38.4, 20.8",
    "100, 15.4, 13.4",
    "1000, 11.3, 11.0",
    "10000, 10.2, 9.8",
    "100000, 9.5, 9.0",
    "1000000, 9.0, 8.6"
  })
  void bitsAKeyAreAsDocumented(long keys, double arity3, double arity4) {
    assertThat(8.0 * FuseSizing.forKeys(keys, 3).slots() / keys).isCloseTo(arity3, within(0.051));
    assertThat(8.0 * FuseSizing.forKeys(keys, 4).slots() / keys).isCloseTo(arity4, within(0.051));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1",
    "1, 1",
    "4194303, 1",
    "4194304, 2",
    "8388607, 2",
    "8388608, 4",
    "1000000000, 256",
    "137438953472, 65536",
    "2199023255551, 524288",
    "2199023255552, 1048576",
    "9223372036854775807, 1048576"
  })
  void shardsHaveTwoToFourMillionKeys(long keys, int shards) {
    assertThat(FuseSizing.shards(keys)).isEqualTo(shards);
  }

  @ParameterizedTest
  @CsvSource({
    "0.99, 1",
    "0.5, 1",
    "0.4999999, 2",
    "0.25, 2",
    "0.01, 7",
    "0.00390625, 8",
    "0.0039, 9",
    "1e-3, 10",
    "1e-6, 20",
    "2.3283064365386963e-10, 32"
  })
  void fingerprintsAreTheLeastThatWillDo(double fpp, int bits) {
    assertThat(FuseSizing.fingerprintBits(fpp)).isEqualTo(bits);
    assertThat(Math.scalb(1.0, -bits)).isLessThanOrEqualTo(fpp);
    assertThat(Math.scalb(1.0, 1 - bits)).isGreaterThan(fpp);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1, -1, Double.NaN, 2.3283064365386960e-10, Double.MIN_VALUE})
  void fppsWithoutAFingerprintAreRefused(double fpp) {
    assertThatThrownBy(() -> FuseSizing.fingerprintBits(fpp))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("fpp must be")
        .hasMessageEndingWith("got " + FppText.exact(fpp));
  }

  @Test
  void enlargingAddsASixteenthAndAtLeastOneSegment() {
    assertThat(new FuseSizing(3, 4, 1, 1).enlarged()).isEqualTo(new FuseSizing(3, 4, 2, 1));
    assertThat(new FuseSizing(4, 64, 157, 8).enlarged()).isEqualTo(new FuseSizing(4, 64, 167, 8));
  }

  @Test
  void whatIsOutOfRangeIsRefused() {
    refuses(() -> new FuseSizing(2, 4, 1, 1), "arity must be 3 or 4, got 2");
    refuses(() -> new FuseSizing(5, 4, 1, 1), "arity must be 3 or 4, got 5");
    refuses(() -> FuseSizing.forFullestShard(1, 5, 1), "arity must be 3 or 4, got 5");
    for (int length : new int[] {0, -1, 3, 1 << 19, Integer.MIN_VALUE}) {
      refuses(() -> new FuseSizing(3, length, 1, 1), "segment length must be");
    }
    for (int count : new int[] {0, -1, (1 << 13) - 2, Integer.MAX_VALUE}) {
      refuses(() -> new FuseSizing(3, 1 << 18, count, 1), "1 to 8189, got " + count);
    }
    for (int shards : new int[] {0, -1, 3, 1 << 21, Integer.MIN_VALUE}) {
      refuses(() -> new FuseSizing(3, 4, 1, shards), "shards must be");
    }
    refuses(() -> FuseSizing.forKeys(-1, 3), "keys must be at least 0, got -1");
    refuses(() -> FuseSizing.forFullestShard(-1, 3, 1), "keys of a shard must be");
    refuses(() -> FuseSizing.forFullestShard((1L << 30) + 1, 3, 1), "keys of a shard must be");
  }

  @Test
  void theLargestShapesCanBeHad() {
    int most = FuseSizing.MAX_SHARD_SLOTS;
    assertThat(new FuseSizing(3, 1 << 18, 8189, 1 << 20).slots()).isEqualTo(((long) most) << 20);
    assertThat(new FuseSizing(4, 1, most - 3, 1).shardSlots()).isEqualTo(most);
    assertThat(FuseSizing.forFullestShard(1L << 30, 3, 1).slots()).isGreaterThan(1L << 30);
  }

  private static long keys(OracleTable.Row row) {
    return keys(row, "n");
  }

  private static long keys(OracleTable.Row row, String column) {
    return Long.parseLong(row.text(column));
  }
}
