package dev.tamis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Sized.Capacity;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.hash.KeyHasher;
import org.junit.jupiter.api.Test;

class CapacityTest {

  private static final Capacity CAPACITY = new Capacity(1000, 0.01);

  @Test
  void isThatOfTheBuilder() {
    assertThat(Capacity.of(BloomFilter.create(KeyHasher.longs(), 1000, 0.01))).hasValue(CAPACITY);
    assertThat(Capacity.of(CountingBloomFilter.create(KeyHasher.longs(), 1000, 0.01)))
        .hasValue(CAPACITY);
    assertThat(Capacity.of(ScalableBloomFilter.create(KeyHasher.longs(), 1000, 0.01))).isEmpty();
  }

  @Test
  void isExceededByMoreKeysAndAFppThatShowsIt() {
    assertThat(CAPACITY.isExceeded(1000, 0.012)).isFalse();
    assertThat(CAPACITY.isExceeded(1001, 0.011)).isFalse();
    assertThat(CAPACITY.isExceeded(1001, 0.01101)).isTrue();
  }

  @Test
  void isOverfullFromTenTimesTheFppOrHalfWayToOne() {
    assertThat(CAPACITY.isOverfull(0.1)).isFalse();
    assertThat(CAPACITY.isOverfull(0.1001)).isTrue();
    Capacity coarse = new Capacity(1000, 0.3);
    assertThat(coarse.isOverfull(0.65)).isFalse();
    assertThat(coarse.isOverfull(0.6501)).isTrue();
  }
}
