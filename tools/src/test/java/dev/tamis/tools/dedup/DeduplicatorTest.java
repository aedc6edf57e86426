package dev.tamis.tools.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.Storable;
import dev.tamis.Thorough;
import dev.tamis.file.FilterFile;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeduplicatorTest {

  @TempDir Path directory;

  @Test
  void passesTheFirstOfEachInTheirOrder() {
    Deduplicator<String> dedup = Deduplicator.<String>builder(KeyHasher.text()).fpp(1e-6).build();
    assertThat(Stream.of("b", "a", "b", "", "a", "").filter(dedup::firstSeen))
        .containsExactly("b", "a", "");
  }

  @Test
  void theAccountAddsUp() {
    Deduplicator<Long> dedup = growing(1e-6);
    assertThat(dedup.summary().seen() + dedup.summary().unique()).isZero();
    assertThat(dedup.summary().expectedWrongDrops()).hasValue(0);
    LongStream.range(0, 1000).forEach(i -> dedup.firstSeen(i % 300));
    DedupSummary summary = dedup.summary();
    assertThat(summary.seen()).isEqualTo(1000);
    assertThat(summary.unique()).isEqualTo(300);
    assertThat(summary.duplicates()).isEqualTo(700);
    assertThat(summary.memoryBytes()).isEqualTo(dedup.filter().bitSize() / 8);
    assertThat(dedup.seen()).isEqualTo(1000);
    assertThat(dedup.unique()).isEqualTo(300);
  }

  @Test
  void wrongDropsAreAsManyAsTheAccountExpects() {
    int keys = 500_000;
    Deduplicator<Long> dedup =
        Deduplicator.<Long>builder(KeyHasher.longs()).fpp(0.01).expectedKeys(keys).build();
    LongStream.range(0, keys).forEach(dedup::firstSeen);

    DedupSummary summary = dedup.summary(); // all were new, so every duplicate is a wrong drop
    double drops = summary.expectedWrongDrops().orElseThrow();
    assertThat(drops).isGreaterThan(500);
    assertThat((double) summary.duplicates())
        .isBetween(drops - 5 * Math.sqrt(drops), drops + 5 * Math.sqrt(drops));
    assertThat(summary.fpp()).isBetween(0.009, 0.0105);
  }

  @Test
  void growingFarPastItsStartKeepsTheFpp() {
    int keys = 300_000;
    Deduplicator<Long> dedup =
        Deduplicator.<Long>builder(KeyHasher.longs()).fpp(0.01).startingKeys(100).build();
    LongStream.range(0, keys).forEach(dedup::firstSeen);
    assertThat(dedup.summary().fpp()).isLessThan(0.01);
    assertThat((double) dedup.summary().duplicates())
        .isLessThan(0.01 * keys + 5 * Math.sqrt(0.01 * keys));
  }

  @Test
  void hashesGiveTheSameAnswers() {
    Deduplicator<Long> dedup = growing(1e-6);
    assertThat(dedup.firstSeenHash(dedup.hashOf(1L))).isTrue();
    assertThat(dedup.firstSeen(1L)).isFalse();

    long[] hashes = {dedup.hashOf(2L), dedup.hashOf(1L), dedup.hashOf(2L), dedup.hashOf(3L)};
    boolean[] first = new boolean[5];
    dedup.firstSeenHashes(hashes, 3, first);
    assertThat(first).containsExactly(true, false, false, false, false);
    assertThat(dedup.seen()).isEqualTo(5);
    assertThat(dedup.firstSeen(3L)).isTrue();
  }

  @Test
  void moreHashesThanThereAreIsRefused() {
    Deduplicator<Long> dedup = growing(0.01);
    assertThatThrownBy(() -> dedup.firstSeenHashes(new long[2], 3, new boolean[3]))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> dedup.firstSeenHashes(new long[3], 3, new boolean[2]))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(dedup.seen()).isZero();
  }

  @Test
  void aParallelStreamPassesEachElementOnce() {
    int distinct = 100_000;
    assertThatAParallelStreamPassesEachElementOnce(
        Deduplicator.<Long>builder(KeyHasher.longs()).fpp(1e-9).expectedKeys(distinct).build());
    assertThatAParallelStreamPassesEachElementOnce(
        Deduplicator.<Long>builder(KeyHasher.longs()).fpp(1e-9).startingKeys(100).build());
  }

  private static void assertThatAParallelStreamPassesEachElementOnce(Deduplicator<Long> dedup) {
    int distinct = 100_000;
    long[] elements =
        new SplittableRandom(1)
            .longs(Thorough.or(300_000, 1_000_000), 0, distinct)
            .map(x -> x * x)
            .toArray();
    List<Long> passed =
        LongStream.of(elements).parallel().boxed().filter(dedup::firstSeen).toList();

    assertThat(passed).doesNotHaveDuplicates();
    assertThat(passed).hasSize(distinct(elements));
    assertThat(dedup.summary().seen()).isEqualTo(elements.length);
    assertThat(dedup.summary().unique()).isEqualTo(passed.size());
  }

  @Test
  void goesOnFromWhatWasSaved() throws IOException {
    Path path = directory.resolve("seen");
    Deduplicator<String> before =
        Deduplicator.over(ScalableBloomFilter.<String>create(KeyHasher.text(), 10, 1e-6));
    before.firstSeen("a");
    FilterFile.save(path, (Storable) before.filter());

    Deduplicator<String> after = Deduplicator.over(FilterFile.loadScalable(path, KeyHasher.text()));
    assertThat(after.firstSeen("a")).isFalse();
    assertThat(after.firstSeen("b")).isTrue();
    assertThat(after.summary().seen()).isEqualTo(2);
    assertThat(after.summary().unique()).isEqualTo(1);
    assertThat(after.filter()).isInstanceOf(ScalableBloomFilter.class);
  }

  @Test
  void eachHasAKeyOfItsOwn() {
    Deduplicator<Long> fixed =
        Deduplicator.<Long>builder(KeyHasher.longs()).fpp(0.01).expectedKeys(10).build();
    Deduplicator<Long> growing = Deduplicator.<Long>builder(KeyHasher.longs()).fpp(0.01).build();
    long unkeyed = BloomFilter.<Long>create(KeyHasher.longs(), 10, 0.01).hashOf(1L);
    assertThat(Set.of(fixed.hashOf(1L), growing.hashOf(1L), unkeyed)).hasSize(3);
    HashKey key = HashKey.of(new byte[16]);
    assertThat(keyed(key).hashOf(1L)).isEqualTo(keyed(key).hashOf(1L));
  }

  private static Deduplicator<Long> keyed(HashKey key) {
    return Deduplicator.<Long>builder(KeyHasher.longs().keyedBy(key)).fpp(0.01).build();
  }

  @Test
  void saysWhenItsFilterIsOverCapacityAndThatItIsOverfull() {
    AtomicLong over = new AtomicLong();
    Deduplicator<Long> dedup =
        Deduplicator.<Long>builder(KeyHasher.longs())
            .fpp(1e-6)
            .expectedKeys(1000)
            .whenOverCapacity(over::incrementAndGet)
            .build();
    LongStream.range(0, 1000).forEach(dedup::firstSeen);
    assertThat(over).hasValue(0);
    assertThat(dedup.summary().overfull()).isFalse();
    LongStream.range(1000, 10_000).forEach(dedup::firstSeen);
    assertThat(over).hasValue(1);
    assertThat(dedup.summary().overfull()).isTrue();
    assertThatThrownBy(
            () ->
                Deduplicator.<Long>builder(KeyHasher.longs())
                    .fpp(1e-6)
                    .whenOverCapacity(() -> {})
                    .build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("needs expectedKeys");
  }

  @Test
  void settingsAreCheckedAtOnceAndTogether() {
    var builder = Deduplicator.<Long>builder(KeyHasher.longs());
    assertThatThrownBy(builder::build).hasMessage("call fpp(probability) first");
    assertThatThrownBy(() -> builder.fpp(1)).hasMessage("fpp must be in (0, 1), got 1");
    assertThatThrownBy(() -> builder.fpp(Double.NaN)).hasMessage("fpp must be in (0, 1), got NaN");
    assertThatThrownBy(() -> builder.expectedKeys(0))
        .hasMessage("expectedKeys must be at least 1, got 0");
    assertThatThrownBy(() -> builder.startingKeys(0))
        .hasMessage("startingKeys must be at least 1, got 0");
    assertThatThrownBy(() -> builder.fpp(0.1).expectedKeys(1).startingKeys(1).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("leave one of them out");
  }

  @Test
  @SuppressWarnings("NullAway") // the point of the test
  void refusesNull() {
    assertThatThrownBy(() -> growing(0.1).firstSeen(null)).isInstanceOf(NullPointerException.class);
  }

  private static int distinct(long[] elements) {
    return (int) LongStream.of(elements).distinct().count();
  }

  private static Deduplicator<Long> growing(double fpp) {
    return Deduplicator.<Long>builder(KeyHasher.longs()).fpp(fpp).build();
  }
}
