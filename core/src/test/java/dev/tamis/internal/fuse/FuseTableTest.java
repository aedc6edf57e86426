package dev.tamis.internal.fuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.Keys;
import dev.tamis.Thorough;
import dev.tamis.internal.bits.PackedSlots;
import dev.tamis.internal.hashes.HashCollector;
import dev.tamis.internal.hashes.SortedHashes;
import dev.tamis.sizing.FuseSizing;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FuseTableTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 10, 63, 100, 1_000, 10_000, 300_000})
  void holdsItsKeysAtEveryWidth(int keys) {
    for (int arity = 3; arity <= 4; arity++) {
      for (int width = 1; width <= 32; width += keys > 1_000 ? 6 : 1) {
        FuseTable table = build(keys, FuseSizing.forFullestShard(keys, arity, 1), width);
        assertThat(Keys.hashes(1, keys).allMatch(table::mightContain)).isTrue();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"3, 2", "3, 16", "3, 256", "4, 2", "4, 16", "4, 256"})
  void shardsThatAreFullEmptyOrInBetweenHoldTheirKeys(int arity, int shards) {
    for (int keys : new int[] {0, 1, 10, 1_000, 100_000}) {
      SortedHashes hashes = sorted(Keys.hashes(1, keys));
      long[] counts = hashes.counts(Integer.numberOfTrailingZeros(shards));
      long fullest = LongStream.of(counts).max().orElseThrow();
      FuseTable table =
          FuseTable.build(hashes, FuseSizing.forFullestShard(fullest, arity, shards), 9, 1);
      assertThat(Keys.hashes(1, keys).allMatch(table::mightContain)).isTrue();
      assertThat(Keys.hashes(2, 100_000).filter(table::mightContain).count()).isLessThan(300);
    }
  }

  /** With segments of 64 slots or more no two shards share a word, with shorter ones they may. */
  @ParameterizedTest
  @CsvSource({"3, 128", "4, 64", "3, 4"})
  void isTheSameByHoweverManyThreads(int arity, int segmentLength) {
    SortedHashes hashes = sorted(Keys.hashes(1, 30_000));
    // too small at first, so that threads also have to agree that it must be enlarged
    FuseSizing sizing = new FuseSizing(arity, segmentLength, 1_500 / segmentLength, 16);
    FuseTable byOne = FuseTable.build(hashes, sizing, 9, 1);
    assertThat(byOne.sizing()).isNotEqualTo(sizing);
    assertThat(Keys.hashes(1, 30_000).allMatch(byOne::mightContain)).isTrue();
    for (int threads : new int[] {2, 3, 8}) {
      assertThat(FuseTable.build(hashes, sizing, 9, threads)).isEqualTo(byOne);
    }
  }

  @ParameterizedTest
  @CsvSource({"3, 1000", "3, 3000", "4, 100", "4, 1000", "4, 3000"})
  void whatCannotBeBuiltIsEnlarged(int arity, int keys) {
    int segment = FuseSizing.forFullestShard(keys, arity, 1).segmentLength();
    int segments = Math.max(1, keys / segment - (arity - 1));
    FuseSizing tooSmall = new FuseSizing(arity, segment, segments, 1);

    FuseTable table = build(keys, tooSmall, 8);

    assertThat(table.sizing().segmentCount()).isGreaterThan(segments);
    assertThat(table.sizing().slots()).isBetween((long) keys, 5L * keys);
    assertThat(Keys.hashes(1, keys).allMatch(table::mightContain)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void slotsWithMoreKeysThanCanBeCountedAreNotTakenForOthers(int arity) {
    for (int keys = 60; keys <= 140; keys += Thorough.or(10, 1)) {
      FuseTable table = build(keys, new FuseSizing(arity, 1, 1, 1), 8);
      assertThat(table.sizing().slots()).isGreaterThanOrEqualTo(keys);
      assertThat(Keys.hashes(1, keys).allMatch(table::mightContain)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void otherSeedsAreTriedBeforeThat(int arity) {
    int others = 0;
    for (int stream = 0; stream < 1_000; stream++) {
      SortedHashes hashes = sorted(Keys.hashes(stream, 10));
      FuseSizing sizing = FuseSizing.forFullestShard(10, arity, 1);
      FuseTable table = FuseTable.build(hashes, sizing, 8, 1);
      assertThat(table.sizing()).isEqualTo(sizing);
      assertThat(Keys.hashes(stream, 10).allMatch(table::mightContain)).isTrue();
      others += table.seeds()[0] == 0 ? 0 : 1;
    }
    assertThat(others).isBetween(1, 500);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void hashesThatAreNotMixedWillDo(int arity) {
    for (int shift : new int[] {0, 10, 40}) {
      LongStream hashes = LongStream.range(0, 100_000).map(i -> i << shift);
      FuseTable table =
          FuseTable.build(sorted(hashes), FuseSizing.forFullestShard(100_000, arity, 1), 8, 1);
      assertThat(LongStream.range(0, 100_000).map(i -> i << shift).allMatch(table::mightContain))
          .isTrue();
      long wrong =
          LongStream.range(100_000, 1_100_000)
              .map(i -> i << shift)
              .filter(table::mightContain)
              .count();
      // five standard deviations of 62.4 about 2^-8 of a million
      assertThat((double) wrong).isBetween(3_906 - 312.0, 3_906 + 312.0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void theSlotsOfAHashAreInSegmentsThatFollowOneAnother(int arity) {
    FuseSizing sizing = new FuseSizing(arity, 64, 100, 1);
    FuseTable table = new FuseTable(sizing, 8);
    boolean[] used = new boolean[sizing.shardSlots()];
    Keys.hashes(1, 100_000)
        .forEach(
            hash -> {
              for (int index = 0; index < arity; index++) {
                int slot = table.slot(hash, index);
                assertThat(slot / 64).isEqualTo(table.slot(hash, 0) / 64 + index);
                used[slot] = true;
              }
            });
    assertThat(used).doesNotContain(false);
  }

  private static FuseTable build(int keys, FuseSizing sizing, int width) {
    return FuseTable.build(sorted(Keys.hashes(1, keys)), sizing, width, 1);
  }

  private static SortedHashes sorted(LongStream hashes) {
    HashCollector collector = new HashCollector();
    hashes.forEach(collector::put);
    return collector.sorted(1);
  }

  private static final int LARGE_KEYS = 2_000_000;

  @Tag("thorough")
  @Test
  void usesAllOfThreeBillionSlots() {
    FuseSizing sizing = new FuseSizing(3, 1 << 18, 10, 1 << 10);
    assertThat(sizing.slots()).isGreaterThan(3_000_000_000L);
    HashCollector collector = new HashCollector();
    Keys.hashes(1, LARGE_KEYS).forEach(collector::put);

    FuseTable table = FuseTable.build(collector.sorted(1), sizing, 2, 2);

    assertThat(table.sizing()).isEqualTo(sizing);
    assertThat(Keys.hashes(1, LARGE_KEYS).allMatch(table::mightContain)).isTrue();
    // the slots are nearly empty: an absent key meets three zeros, and is found if its fingerprint
    // is zero
    double wrong = (double) Keys.hashes(2, LARGE_KEYS).filter(table::mightContain).count();
    assertThat(wrong / LARGE_KEYS).isCloseTo(0.25, within(0.002));
    PackedSlots slots = table.slots();
    long past = 0;
    for (long slot = 1L << 31; slot < slots.slots(); slot += 1) {
      past += slots.get(slot) == 0 ? 0 : 1;
    }
    // a key sets one slot of its own, in three cases of four to something that is not zero
    double share = 1 - (double) (1L << 31) / sizing.slots();
    assertThat((double) past).isCloseTo(0.75 * LARGE_KEYS * share, within(0.01 * LARGE_KEYS));
  }
}
