package dev.tamis.filter;

import static dev.tamis.Refusal.refuses;
import static dev.tamis.Refusal.refusesSaying;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Keys;
import dev.tamis.RoundTripConformance;
import dev.tamis.StaticFilterConformance;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.FuseSizing;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FuseFilterTest {

  @Nested
  @ParameterizedClass
  @ValueSource(ints = {3, 4})
  class Conformance extends StaticFilterConformance<FuseFilter<Long>> {
    @Parameter int arity;

    @Override
    protected FuseFilterBuilder<Long> builder() {
      return FuseFilter.<Long>builder(KeyHasher.longs()).arity(arity);
    }
  }

  @Nested
  class RoundTrip extends RoundTripConformance<FuseFilter<Long>> {

    @Override
    protected FuseFilter<Long> filled(long expectedKeys, int keys) {
      return filter(keys, builder().fpp(0.01));
    }

    @Override
    protected FuseFilter<Long> read(InputStream in, long maxBytes) throws IOException {
      return FuseFilter.readFrom(in, KeyHasher.longs(), maxBytes);
    }
  }

  @ParameterizedTest
  @CsvSource({"1000000, 3", "1000000, 4", "4300000, 3", "4300000, 4"})
  void theSlotsAreThosePromised(int keys, int arity) {
    FuseFilter<Long> filter = filter(keys, builder().fingerprintBits(5).arity(arity));

    double oneShard = FuseSizing.forFullestShard(keys, arity, 1).slots();
    assertThat(filter.bitSize() / 5.0 / oneShard).isBetween(0.999, 1.01);
    assertThat(filter.shards()).isEqualTo(keys < 1 << 22 ? 1 : 2);
    assertThat(Keys.hashes(1, keys).allMatch(filter::mightContainHash)).isTrue();
    assertThat(Keys.hashes(2, 1_000_000).filter(filter::mightContainHash).count())
        .isBetween(31_250L - 900, 31_250L + 900);
  }

  @Test
  void severalShardsComeBack() throws IOException {
    FuseFilter<Long> filter = filter(8_400_000, builder().fpp(0.1));
    assertThat(filter.shards()).isEqualTo(4);
    FuseFilter<Long> read = read(filter.toByteArray());
    assertThat(read).isEqualTo(filter);
    assertThat(Keys.hashes(1, 8_400_000).allMatch(read::mightContainHash)).isTrue();
  }

  @Test
  void hashesThatFillOneShardOnlyAreNotSharded() {
    int keys = 5_000_000;
    FuseFilterBuilder<Long> builder = builder().fingerprintBits(8);
    LongStream.range(0, keys).forEach(builder::putHash);
    FuseFilter<Long> filter = builder.build();

    assertThat(filter.shards()).isEqualTo(1);
    assertThat(filter.bitSize()).isLessThan(8L * keys * 8 / 7);
    assertThat(LongStream.range(0, keys).allMatch(filter::mightContainHash)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 8, 13, 31, 32})
  void anyWidthWillDo(int bits) throws IOException {
    FuseFilter<Long> filter = filter(5_000, builder().fingerprintBits(bits).arity(4));

    assertThat(filter.fingerprintBits()).isEqualTo(bits);
    assertThat(filter.expectedFpp()).isBetween(Math.scalb(1.0, -bits), Math.scalb(1.001, -bits));
    assertThat(filter.fpp()).isEqualTo(Math.scalb(1.0, -bits));
    assertThat(read(filter.toByteArray())).isEqualTo(filter);
    assertThat(Keys.hashes(1, 5_000).allMatch(filter::mightContainHash)).isTrue();
  }

  @Test
  void whatDiffersIsNotEqual() {
    FuseFilter<Long> filter = filter(100, builder().fpp(0.01));
    assertThat(filter)
        .isEqualTo(filter(100, builder().fpp(0.01)))
        .isNotEqualTo(filter(101, builder().fpp(0.01)))
        .isNotEqualTo(filter(100, builder().fpp(0.011)))
        .isNotEqualTo(filter(100, builder().fpp(0.001)))
        .isNotEqualTo(filter(100, builder().fpp(0.01).arity(4)))
        .isNotEqualTo(filter(100, builder().fpp(0.01).seed(1)))
        .isNotEqualTo("a filter");
  }

  @Test
  void settingsAreChecked() {
    for (int bits : new int[] {0, -1, 33}) {
      refusesSaying(
          "fingerprint bits must be 1 to 32, got " + bits, () -> builder().fingerprintBits(bits));
    }
    for (int arity : new int[] {2, 5}) {
      refusesSaying("arity must be 3 or 4, got " + arity, () -> builder().arity(arity));
    }
    refuses(() -> builder().fpp(1e-10), "fpp must be at least 2^-32");
    KeyHasher<Long> keyed = KeyHasher.longs().keyedBy(HashKey.of(new byte[16]));
    refuses(IllegalStateException.class, () -> FuseFilter.<Long>builder(keyed).seed(7));
  }

  private static FuseFilterBuilder<Long> builder() {
    return FuseFilter.builder(KeyHasher.longs());
  }

  private static FuseFilter<Long> filter(int keys, FuseFilterBuilder<Long> builder) {
    Keys.hashes(1, keys).forEach(builder::putHash);
    return builder.build();
  }

  private static FuseFilter<Long> read(byte[] file) throws IOException {
    return FuseFilter.readFrom(new ByteArrayInputStream(file), KeyHasher.longs(), Long.MAX_VALUE);
  }
}
