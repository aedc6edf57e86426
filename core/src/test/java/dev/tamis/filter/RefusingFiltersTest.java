package dev.tamis.filter;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.FilterFullException;
import dev.tamis.HashedMutableFilter;
import dev.tamis.Keys;
import dev.tamis.Race;
import dev.tamis.Storable;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters built with {@code refuseWhenFull()}. */
class RefusingFiltersTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 1_000})
  void takeTheExpectedKeysAndNotOneMore(int expectedKeys) {
    for (HashedMutableFilter<Long> filter : filters(expectedKeys, false)) {
      long hash = 0;
      while (filter.acceptedKeys() < expectedKeys) {
        filter.putHash(Keys.hashes(hash++, 1).findFirst().orElseThrow());
      }
      byte[] before = ((Storable) filter).toByteArray();

      long refused =
          Keys.hashes(77, 1_000)
              .filter(more -> !filter.mightContainHash(more))
              .peek(
                  more ->
                      assertThatThrownBy(() -> filter.putHash(more))
                          .isInstanceOf(FilterFullException.class)
                          .hasMessageContaining(
                              "filter is full: limit is " + expectedKeys + " keys"))
              .count();

      assertThat(refused).isGreaterThan(900);
      assertThat(((Storable) filter).toByteArray()).isEqualTo(before);
      assertThat(filter.acceptedKeys()).isEqualTo(expectedKeys);
      for (long known = 0; known < hash; known++) {
        assertThat(filter.putHash(Keys.hashes(known, 1).findFirst().orElseThrow())).isFalse();
      }
    }
  }

  @Test
  void aKeyThatLeavesMakesRoom() {
    CountingBloomFilter<Long> filter = counting(2, false).build();
    filter.put(1L);
    filter.put(2L);
    refuses(FilterFullException.class, () -> filter.put(3L));
    filter.remove(1L);
    assertThat(filter.put(3L)).isTrue();
  }

  @Test
  void copiesRefuseToo() {
    BloomFilter<Long> filter = bloom(1, false).build();
    filter.put(1L);
    refuses(FilterFullException.class, () -> filter.copy().put(2L));
    CountingBloomFilter<Long> counting = counting(1, false).build();
    counting.put(1L);
    refuses(FilterFullException.class, () -> counting.copy().put(2L));
  }

  @Test
  void theCountingFilterIsPassedByNoMoreThanThereAreThreads() {
    HashedMutableFilter<Long> filter = counting(10_000, true).build();
    assertThat(raceBeyondTheLimit(filter, 0)).isGreaterThan(9_000);
    assertThat(filter.acceptedKeys()).isBetween(10_000L, 10_004L);
  }

  @ParameterizedTest
  @EnumSource
  void threadsTogetherGetInTheExpectedKeysAndNotOneMore(Layout layout) {
    for (int round = 0; round < 20; round++) {
      BloomFilter<Long> filter = bloom(10_000, true).layout(layout).build();
      int refused = raceBeyondTheLimit(filter, round);
      assertThat(filter.acceptedKeys()).isEqualTo(10_000);
      assertThat(refused).isGreaterThan(9_000);
    }
  }

  @Test
  void theLimitHoldsInBulkToo() {
    BloomFilter<Long> filter = bloom(100, true).build();
    long[] hashes = Keys.hashes(1, 200).toArray();
    boolean[] isNew = new boolean[200];
    refuses(FilterFullException.class, () -> filter.putHashes(hashes, 200, isNew));
    assertThat(filter.acceptedKeys()).isEqualTo(100);
    List<Long> keys = LongStream.range(0, 200).boxed().toList();
    BloomFilter<Long> other = bloom(100, true).build();
    refuses(FilterFullException.class, () -> other.putAll(keys));
    assertThat(other.acceptedKeys()).isEqualTo(100);
  }

  /** Puts twice as many keys as there is room for from four threads; returns the refusals. */
  private static int raceBeyondTheLimit(HashedMutableFilter<Long> filter, int round) {
    AtomicInteger refused = new AtomicInteger();
    Race.run(
        4,
        thread ->
            Keys.hashes(4L * round + thread, 5_000)
                .forEach(
                    hash -> {
                      try {
                        filter.putHash(hash);
                      } catch (FilterFullException e) {
                        refused.incrementAndGet();
                      }
                    }));
    return refused.get();
  }

  private static List<HashedMutableFilter<Long>> filters(long expectedKeys, boolean concurrent) {
    return List.of(
        bloom(expectedKeys, concurrent).build(), counting(expectedKeys, concurrent).build());
  }

  private static BloomFilterBuilder<Long> bloom(long expectedKeys, boolean concurrent) {
    BloomFilterBuilder<Long> builder =
        BloomFilter.<Long>builder(KeyHasher.longs())
            .expectedKeys(expectedKeys)
            .fpp(0.01)
            .refuseWhenFull();
    return concurrent ? builder : builder.singleThreaded();
  }

  private static CountingBloomFilterBuilder<Long> counting(long expectedKeys, boolean concurrent) {
    CountingBloomFilterBuilder<Long> builder =
        CountingBloomFilter.<Long>builder(KeyHasher.longs())
            .expectedKeys(expectedKeys)
            .fpp(0.01)
            .refuseWhenFull();
    return concurrent ? builder : builder.singleThreaded();
  }
}
