package dev.tamis.filter;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.Estimate;
import dev.tamis.Keys;
import dev.tamis.filter.BloomFilter.FillState;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What a Bloom filter can do beyond the suites, for every kind of it. */
@ParameterizedClass
@MethodSource("dev.tamis.filter.BloomSpec#all")
class BloomFilterTest {

  @Parameter BloomSpec spec;

  @Test
  void goesOnWhenAllItsBitsAreOnes() {
    BloomFilter<Long> filter = full();

    assertThat(filter.expectedFpp()).isEqualTo(1);
    assertThat(Keys.hashes(2, 1_000).allMatch(filter::mightContainHash)).isTrue();
    assertThat(Keys.hashes(2, 1_000).noneMatch(filter::putHash)).isTrue();
    assertThat(filter.expectedWrongDrops()).isPositive().isFinite();
    assertThat(filter.fillState().fractionFilled()).isEqualTo(1);
  }

  @Test
  void cannotBeCountedWhenAllItsBitsAreOnes() {
    BloomFilter<Long> filter = full();
    Estimate keys = filter.approximateElementCount();
    assertThat(keys.isBounded()).isFalse();
    assertThat(keys.value()).isInfinite();
    assertThat(keys.low()).isPositive().isFinite();
    assertThat(filter.estimateOverlap(filter).intersection().isBounded()).isFalse();
  }

  @Test
  void isCopiedMergedAndReadWhenAllItsBitsAreOnes() throws IOException {
    BloomFilter<Long> filter = full();
    assertThat(filter.copy()).isEqualTo(filter);
    BloomFilter<Long> read = read(bytesOf(filter), Long.MAX_VALUE);
    assertThat(read).isEqualTo(filter);
    assertThat(read.acceptedKeys()).isPositive();
    assertThat(read.expectedWrongDrops()).isZero();
    read.putAll(filter);
    assertThat(read).isEqualTo(filter);
    assertThat(read.acceptedKeys()).isPositive();
    assertThat(read.putHash(1)).isFalse();
  }

  @Test
  void tellsHowFullItIs() {
    BloomFilter<Long> filter = spec.create(10_000, 0.01);
    assertThat(filter.fillState())
        .isEqualTo(new FillState(0, filter.bitSize(), new Estimate(0, 0, 0), 10_000, 0));
    assertThat(filter.fillState().fractionFilled()).isZero();

    Keys.hashes(1, 10_000).forEach(filter::putHash);
    FillState full = filter.fillState();
    assertThat(full.bits()).isEqualTo(filter.bitSize());
    assertThat(full.fractionFilled()).isBetween(0.3, 0.75); // most with sixteen hashes
    assertThat(full.fpp()).isEqualTo(filter.expectedFpp());
    assertThat(full.keys()).isEqualTo(filter.approximateElementCount());
    assertThat(full.keys().rounded()).isLessThan(10_200);

    Keys.hashes(2, 5_000).forEach(filter::putHash);
    assertThat(filter.fillState().keys().rounded()).isBetween(14_800L, 15_200L);
  }

  @Test
  void theActionRunsOnceWhenTheKeysReachTheNumber() {
    AtomicInteger runs = new AtomicInteger();
    BloomFilter<Long> filter =
        spec.builder()
            .expectedKeys(1_000)
            .fpp(0.01)
            .whenKeysReach(100, runs::incrementAndGet)
            .build();
    long key = 0;
    while (filter.acceptedKeys() < 99) {
      filter.put(key++);
    }
    assertThat(runs).hasValue(0);
    while (!filter.put(key)) {
      key++;
    }
    assertThat(runs).hasValue(1);
    LongStream.range(0, 5_000).forEach(filter::put);
    assertThat(runs).hasValue(1);
  }

  @Test
  void whatTheActionThrowsComesOutOfThePutWithTheKeyIn() {
    BloomFilter<Long> filter =
        spec.builder()
            .expectedKeys(10)
            .fpp(0.01)
            .whenKeysReach(
                1,
                () -> {
                  throw new IllegalStateException("enough");
                })
            .build();
    assertThatThrownBy(() -> filter.put(7L))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("enough");
    assertThat(filter.mightContain(7L)).isTrue();
    assertThat(filter.acceptedKeys()).isEqualTo(1);
    filter.put(8L);
    assertThat(filter.acceptedKeys()).isEqualTo(2);
  }

  @Test
  void namesWhatDiffersWithBothValues() {
    BloomFilter<Long> filter = spec.builder().expectedKeys(10).fpp(0.01).seed(3).build();
    BloomFilter<Long> other = spec.builder().expectedKeys(10).fpp(0.01).seed(4).build();
    assertThat(filter.incompatibility(other))
        .hasValueSatisfying(reason -> assertThat(reason).contains("seed", "3", "4"));
    assertThat(filter.isCompatible(other)).isFalse();
    assertThat(filter.isCompatible(filter.copy())).isTrue();
    assertThat(filter.incompatibility(filter.copy())).isEmpty();
    refuses(() -> filter.estimateOverlap(other), "seed");
  }

  @Test
  void theModeIsNoPartOfEquality() {
    BloomFilter<Long> filter = spec.create(1_000, 0.01);
    BloomFilter<Long> other = new BloomSpec(spec.layout(), !spec.threadSafe()).create(1_000, 0.01);
    Keys.hashes(1, 500).forEach(filter::putHash);
    Keys.hashes(1, 500).forEach(other::putHash);
    assertThat(filter).isEqualTo(other).hasSameHashCodeAs(other);
    filter.putAll(other);
    assertThat(filter).isEqualTo(other);
  }

  @Test
  void copiesKeepTheMode() {
    assertThat(spec.create(10, 0.01).isThreadSafe()).isEqualTo(spec.threadSafe());
    assertThat(spec.create(10, 0.01).copy().isThreadSafe()).isEqualTo(spec.threadSafe());
  }

  @Test
  void whatIsReadGoesOnAsIfNothingHadHappened() throws IOException {
    BloomFilter<Long> written = spec.create(1_000, 0.01);
    Keys.hashes(1, 800).forEach(written::putHash);
    BloomFilter<Long> read = read(bytesOf(written), Long.MAX_VALUE);
    assertThat(read.expectedKeys()).isEqualTo(1_000);
    assertThat(read.fpp()).isEqualTo(0.01);
    assertThat(read.shape()).isEqualTo(written.shape());
    Keys.hashes(2, 3_000)
        .forEach(hash -> assertThat(read.putHash(hash)).isEqualTo(written.putHash(hash)));
    assertThat(read).isEqualTo(written);
    assertThat(read.expectedWrongDrops())
        .isCloseTo(written.expectedWrongDrops(), within(0.1 * written.expectedWrongDrops()));
  }

  @Test
  void theModeIsNoPartOfTheBytes() throws IOException {
    BloomFilter<Long> filter = spec.create(1_000, 0.01);
    BloomFilter<Long> other = new BloomSpec(spec.layout(), !spec.threadSafe()).create(1_000, 0.01);
    assertThat(bytesOf(filter)).isEqualTo(bytesOf(other));
    assertThat(read(bytesOf(other), Long.MAX_VALUE).isThreadSafe()).isTrue();
  }

  @Test
  void differentSeedsPutTheSameKeysElsewhere() {
    BloomFilter<Long> one = spec.builder().expectedKeys(1_000).fpp(0.01).seed(1).build();
    BloomFilter<Long> two = spec.builder().expectedKeys(1_000).fpp(0.01).seed(2).build();
    LongStream.range(0, 1_000).forEach(one::put);
    LongStream.range(0, 1_000).forEach(two::put);
    assertThat(one).isNotEqualTo(two);
    long bothWrong =
        IntStream.range(1_000, 101_000)
            .filter(key -> one.mightContain((long) key) && two.mightContain((long) key))
            .count();
    assertThat(bothWrong).isLessThan(50); // 10 if the two are independent
  }

  /** Returns a filter so small and so overfull that all of its bits are ones. */
  private BloomFilter<Long> full() {
    BloomFilter<Long> filter = spec.create(20, 0.1);
    Keys.hashes(1, 100_000).forEach(filter::putHash);
    assertThat(filter.fillState().setBits()).isEqualTo(filter.bitSize());
    return filter;
  }

  private static BloomFilter<Long> read(byte[] bytes, long maxBytes) throws IOException {
    return BloomFilter.readFrom(new ByteArrayInputStream(bytes), KeyHasher.longs(), maxBytes);
  }

  private static byte[] bytesOf(BloomFilter<Long> filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }
}
