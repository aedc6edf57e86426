package dev.tamis.internal.hashes;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Keys;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HashCollectorTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 16, 17, 1_000, 32_768, 65_537, 100_000, 3_000_000})
  void givesBackWhatCame(int count) {
    long[] hashes = Keys.hashes(1, count).toArray();
    assertThat(sorted(hashes)).isEqualTo(ascending(hashes));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void anyNumberOfThreadsSorts(int threads) {
    long[] hashes = Keys.hashes(1, 300_000).toArray();
    assertThat(all(collector(hashes).sorted(threads))).isEqualTo(ascending(hashes));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1_000, 50_000, 300_000})
  void repeatsCountOnce(int count) {
    long[] hashes = Keys.hashes(1, count).toArray();
    long[] thrice =
        LongStream.range(0, 3L * count).map(i -> hashes[(int) (i * 7 % count)]).toArray();
    assertThat(sorted(thrice)).isEqualTo(ascending(thrice));
  }

  @Test
  void extremesAreInUnsignedOrder() {
    long[] hashes = {-1, 0, Long.MAX_VALUE, Long.MIN_VALUE, 1, -1, -2, 0};
    assertThat(sorted(hashes)).containsExactly(0, 1, Long.MAX_VALUE, Long.MIN_VALUE, -2, -1);
  }

  @Test
  void hashesThatAreNotMixedAreSortedToo() {
    long[] lowBits = LongStream.range(0, 500_000).map(i -> i * 7 % 500_000).toArray();
    long[] highBits = Arrays.stream(lowBits).map(i -> i << 40).toArray();
    long[] crowded =
        Arrays.stream(lowBits).map(i -> i % 2 == 0 ? 5L << 60 | i : Long.reverse(i)).toArray();

    for (long[] hashes : new long[][] {lowBits, highBits, crowded}) {
      assertThat(sorted(hashes)).isEqualTo(ascending(hashes));
    }
  }

  @Test
  void repeatsAreDroppedAsTheyCome() {
    HashCollector collector = new HashCollector();
    long room = 0;
    for (int i = 0; i < 3_000_000; i++) {
      collector.put(i % 1_000 * 0x9E3779B97F4A7C15L);
      room = Math.max(room, i % 10_000 == 0 ? collector.capacity() : 0);
    }
    assertThat(collector.sorted(1).count()).isEqualTo(1_000);
    assertThat(room).isLessThan(5_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 1_000, 60_000, 100_000, 1_000_000, 5_000_000})
  void littleRoomIsWasted(int count) {
    HashCollector collector = collector(Keys.hashes(1, count).toArray());
    assertThat(collector.capacity()).isLessThanOrEqualTo((long) (count * 1.07) + 16 * 1024L);
    if (count < 60_000) {
      assertThat(collector.capacity()).isLessThanOrEqualTo((long) (count * 1.07) + 64);
    }
  }

  @Test
  void moreCanComeAfterwards() {
    long[] hashes = Keys.hashes(1, 200_000).toArray();
    HashCollector collector = new HashCollector();
    for (int i = 0; i < hashes.length; i++) {
      collector.put(hashes[i]);
      if (i % 30_000 == 0) {
        assertThat(collector.sorted(1).count()).isEqualTo(i + 1);
      }
    }
    assertThat(all(collector.sorted(1))).isEqualTo(ascending(hashes));
    assertThat(all(collector.sorted(1))).isEqualTo(ascending(hashes));
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 1_000, 200_000})
  void countsByPrefixAddUp(int count) {
    long[] hashes = Keys.hashes(1, count).toArray();
    SortedHashes sorted = collector(hashes).sorted(1);
    for (int bits : new int[] {1, 2, 10, 13, 24}) {
      long[] expected = new long[1 << bits];
      for (long hash : hashes) {
        expected[(int) (hash >>> -bits)]++;
      }
      assertThat(sorted.counts(bits)).isEqualTo(expected);
    }
    assertThat(sorted.counts(0)).containsExactly(count);
  }

  @Test
  void readersGoOnWhereTheyWere() {
    long[] hashes = Keys.hashes(1, 150_000).toArray();
    SortedHashes.Reader reader = collector(hashes).sorted(1).reader();
    long[] read = new long[hashes.length];
    int done = 0;
    for (int part = 0; done < read.length; part = Math.min(3 * part + 1, read.length - done)) {
      long[] target = new long[part];
      reader.read(target, part);
      System.arraycopy(target, 0, read, done, part);
      done += part;
    }
    assertThat(read).isEqualTo(ascending(hashes));
    refuses(IndexOutOfBoundsException.class, () -> reader.read(new long[1], 1));
    refuses(IndexOutOfBoundsException.class, () -> reader.read(new long[1], 2));
  }

  @Test
  void readersSkipAndAreCopied() {
    long[] hashes = Keys.hashes(1, 150_000).toArray();
    long[] ascending = ascending(hashes);
    SortedHashes.Reader reader = collector(hashes).sorted(1).reader();
    reader.skip(70_001);
    SortedHashes.Reader copy = reader.copy();
    long[] read = new long[3];
    for (SortedHashes.Reader each : new SortedHashes.Reader[] {reader, copy}) {
      each.read(read, 3);
      assertThat(read).isEqualTo(Arrays.copyOfRange(ascending, 70_001, 70_004));
    }
    reader.skip(150_000 - 70_004);
    refuses(IndexOutOfBoundsException.class, () -> reader.skip(1));
    refuses(IndexOutOfBoundsException.class, () -> copy.skip(150_000));
  }

  private static HashCollector collector(long[] hashes) {
    HashCollector collector = new HashCollector();
    for (long hash : hashes) {
      collector.put(hash);
    }
    return collector;
  }

  private static long[] sorted(long[] hashes) {
    return all(collector(hashes).sorted(1));
  }

  private static long[] all(SortedHashes sorted) {
    long[] all = new long[(int) sorted.count()];
    sorted.reader().read(all, all.length);
    return all;
  }

  private static long[] ascending(long[] hashes) {
    return Arrays.stream(hashes)
        .map(hash -> hash ^ Long.MIN_VALUE)
        .sorted()
        .distinct()
        .map(hash -> hash ^ Long.MIN_VALUE)
        .toArray();
  }
}
