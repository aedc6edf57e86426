package dev.tamis.tools.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.StandInServer;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Several deduplicators, as if in processes of their own, with one filter. */
class SharedDeduplicatorTest {

  private final StandInServer<Long> server =
      new StandInServer<>(
          () ->
              BloomFilter.<Long>builder(KeyHasher.longs()).expectedKeys(100_000).fpp(1e-9).build());
  private final Deduplicator<Long> ours = Deduplicator.over(server.open());
  private final Deduplicator<Long> theirs = Deduplicator.over(server.open());

  @Test
  void racingOverTheSameElementsTheyTakeEachOnceInAll() {
    List<long[]> batches =
        new SplittableRandom(1)
                .longs(40_000, 0, 10_000)
                .boxed()
                .collect(java.util.stream.Collectors.groupingBy(x -> x % 40))
                .values()
                .stream()
                .map(batch -> batch.stream().mapToLong(ours::hashOf).toArray())
                .toList();
    long elements = batches.stream().mapToLong(batch -> batch.length).sum();
    long distinct = batches.stream().flatMapToLong(Arrays::stream).distinct().count();
    List.of(ours, theirs).parallelStream()
        .forEach(
            dedup ->
                batches.forEach(
                    batch ->
                        dedup.firstSeenHashes(batch, batch.length, new boolean[batch.length])));

    assertThat(ours.unique() + theirs.unique()).isEqualTo(distinct);
    assertThat(ours.seen()).isEqualTo(elements);
    assertThat(theirs.seen()).isEqualTo(elements);
  }

  @Test
  void theAccountIsOfWhatThisOneWasAsked() {
    LongStream.range(0, 1_000).forEach(theirs::firstSeen);
    LongStream.range(500, 1_500).forEach(ours::firstSeen);
    DedupSummary summary = ours.summary();
    assertThat(summary.seen()).isEqualTo(1_000);
    assertThat(summary.unique()).isEqualTo(500);
    assertThat(summary.duplicates()).isEqualTo(500);
    assertThat(summary.fpp()).isEqualTo(theirs.summary().fpp()).isPositive();
  }

  @Test
  void aBatchIsOneCall() {
    long[] hashes = LongStream.range(0, 1_000).map(ours::hashOf).toArray();
    ours.firstSeenHashes(hashes, hashes.length, new boolean[hashes.length]);
    assertThat(server.calls.get()).isEqualTo(1);
  }

  @Test
  void whatTheFilterThrowsComesOutAndIsNotCounted() {
    ours.firstSeen(1L);
    server.cutOff();
    assertThatThrownBy(() -> ours.firstSeen(2L)).isInstanceOf(StandInServer.Unreachable.class);
    assertThatThrownBy(() -> ours.firstSeenHashes(new long[3], 3, new boolean[3]))
        .isInstanceOf(StandInServer.Unreachable.class);
    server.connect();
    server.flush();
    assertThatThrownBy(() -> ours.firstSeen(1L)).isInstanceOf(StandInServer.Lost.class);
    assertThat(ours.seen()).isEqualTo(1);
    assertThat(ours.unique()).isEqualTo(1);
  }
}
