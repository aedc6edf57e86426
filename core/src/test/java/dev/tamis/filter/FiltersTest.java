package dev.tamis.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.HashedFilter;
import dev.tamis.HashedMutableFilter;
import dev.tamis.Keys;
import dev.tamis.Storable;
import dev.tamis.format.FormatException;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reading filters without knowing beforehand of which kind they are. */
class FiltersTest {

  @ParameterizedTest
  @MethodSource("dev.tamis.filter.BloomSpec#allSingleThreaded")
  void readsBloomFilters(BloomSpec spec) throws IOException {
    BloomFilter<Long> written = spec.create(1_000, 0.01);
    Keys.hashes(1, 500).forEach(written::putHash);
    assertThat(read(written)).isEqualTo(written).isInstanceOf(BloomFilter.class);
  }

  @Test
  void readsScalableBloomFilters() throws IOException {
    ScalableBloomFilter<Long> written = ScalableBloomFilter.create(KeyHasher.longs(), 100, 0.01);
    Keys.hashes(1, 500).forEach(written::putHash);
    assertThat(read(written)).isEqualTo(written).isInstanceOf(ScalableBloomFilter.class);
  }

  @Test
  void aWindowOfTimeIsReadWithAClockOnly() throws IOException {
    Instant start = Instant.parse("2020-01-02T03:04:05Z");
    WindowedBloomFilter<Long> written =
        WindowedBloomFilter.<Long>builder(KeyHasher.longs())
            .window(Duration.ofMinutes(10))
            .expectedKeys(100)
            .fpp(0.01)
            .clock(InstantSource.fixed(start))
            .build();
    written.put(42L);
    Instant later = start.plus(Duration.ofHours(1));
    HashedFilter<Long> soon =
        (HashedFilter<Long>)
            Filters.<Long>readFrom(
                bytes(written), KeyHasher.longs(), 1_000_000, InstantSource.fixed(start));
    HashedFilter<Long> late =
        (HashedFilter<Long>)
            Filters.<Long>readFrom(
                bytes(written), KeyHasher.longs(), 1_000_000, InstantSource.fixed(later));
    assertThat(soon.mightContain(42L)).isTrue();
    assertThat(late.mightContain(42L)).isFalse();
    assertThatThrownBy(() -> Filters.readFrom(bytes(written), KeyHasher.longs(), 1_000_000))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("needs a clock");
  }

  @Test
  void readsOneFilterAfterTheOther() throws IOException {
    BloomFilter<Long> bloom = BloomFilter.create(KeyHasher.longs(), 10, 0.01);
    ScalableBloomFilter<Long> scalable = ScalableBloomFilter.create(KeyHasher.longs(), 10, 0.01);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    bloom.writeTo(out);
    scalable.writeTo(out);
    bloom.writeTo(out);
    InputStream in = new ByteArrayInputStream(out.toByteArray());

    assertThat(Filters.readFrom(in, KeyHasher.longs(), 1_000_000)).isEqualTo(bloom);
    assertThat(Filters.readFrom(in, KeyHasher.longs(), 1_000_000)).isEqualTo(scalable);
    assertThat(Filters.readFrom(in, KeyHasher.longs(), 1_000_000)).isEqualTo(bloom);
    assertThat(in.read()).isEqualTo(-1);
  }

  @Test
  void aFilterOfAnotherKindIsRefusedWhereOneKindIsWanted() {
    BloomFilter<Long> bloom = BloomFilter.create(KeyHasher.longs(), 10, 0.01);
    ScalableBloomFilter<Long> scalable = ScalableBloomFilter.create(KeyHasher.longs(), 10, 0.01);
    assertThatThrownBy(() -> BloomFilter.readFrom(bytes(scalable), KeyHasher.longs(), 1_000_000))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("kind")
        .hasMessageContaining("expected 1, got 2");
    assertThatThrownBy(
            () -> ScalableBloomFilter.readFrom(bytes(bloom), KeyHasher.longs(), 1_000_000))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("expected 2, got 1");
  }

  @Test
  void theCallersLimitHolds() throws IOException {
    BloomFilter<Long> filter = BloomFilter.create(KeyHasher.longs(), 1_000, 0.01);
    long payload = filter.bitSize() / Byte.SIZE;
    assertThat(Filters.readFrom(bytes(filter), KeyHasher.longs(), payload)).isEqualTo(filter);
    assertThatThrownBy(() -> Filters.readFrom(bytes(filter), KeyHasher.longs(), payload - 1))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("at most " + (payload - 1));
  }

  private static HashedFilter<Long> read(HashedMutableFilter<Long> filter) throws IOException {
    return (HashedFilter<Long>)
        Filters.<Long>readFrom(bytes(filter), KeyHasher.longs(), Long.MAX_VALUE);
  }

  private static InputStream bytes(HashedMutableFilter<Long> filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ((Storable) filter).writeTo(out);
    return new ByteArrayInputStream(out.toByteArray());
  }
}
