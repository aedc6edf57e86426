package dev.tamis.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.Keys;
import dev.tamis.RoundTripConformance;
import dev.tamis.StaticFilterConformance;
import dev.tamis.format.FormatException;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.FuseSizing;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
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
      assertThatThrownBy(() -> builder().fingerprintBits(bits))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("fingerprint bits must be 1 to 32, got " + bits);
    }
    for (int arity : new int[] {2, 5}) {
      assertThatThrownBy(() -> builder().arity(arity))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("arity must be 3 or 4, got " + arity);
    }
    assertThatThrownBy(() -> builder().fpp(1e-10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("fpp must be at least 2^-32");
    KeyHasher<Long> keyed = KeyHasher.longs().keyedBy(HashKey.of(new byte[16]));
    assertThatThrownBy(() -> FuseFilter.<Long>builder(keyed).seed(7))
        .isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "26, 2, 2",
    "26, 2, 5",
    "28, 4, 0",
    "28, 4, 6",
    "28, 4, 8",
    "28, 4, 4294967295",
    "32, 8, 0",
    "32, 8, 2",
    "32, 8, 3",
    "32, 8, 131072",
    "32, 8, 4294967297",
    "32, 8, -1",
    "48, 8, -1",
    "48, 8, 193",
    "56, 8, 0",
    "56, 8, 4607182418800017408",
    "56, 8, -1",
    "64, 4, 0",
    "64, 4, 63",
    "64, 4, 128",
    "64, 4, 524288",
    "64, 4, 2147483648",
    "68, 4, 0",
    "68, 4, 2",
    "68, 4, 4294967295",
    "68, 4, 2147483647",
    "72, 1, 1",
    "123, 1, 1",
    "129, 1, 1",
    "135, 1, 255",
    "16, 8, 0"
  })
  void fieldsThatCannotBeAreRefused(int at, int length, long value) {
    byte[] file = filter(100, builder().fpp(0.01)).toByteArray();
    assertThatThrownBy(() -> read(repaired(with(file, at, length, value))))
        .isInstanceOf(FormatException.class);
  }

  @Test
  void bitsPastTheLastSlotAreRefused() {
    byte[] file = filter(10, builder().fingerprintBits(9)).toByteArray();
    int last = file.length - 5;
    assertThat(file[last]).isZero();
    assertThatThrownBy(() -> read(repaired(with(file, last, 1, 0x80))))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("last word");
  }

  @Test
  void hugeClaimsAreRefusedBeforeAnythingIsAllocated() {
    byte[] file = filter(100, builder().fpp(0.01)).toByteArray();
    // 2^16 shards of 2^31 slots; then 2^33 slots of 7 bits, with a payload length that fits
    byte[] tooMany = with(with(file, 32, 8, 1 << 16), 68, 4, (1 << 25) - 4098);
    assertThatThrownBy(() -> read(repaired(tooMany))).isInstanceOf(FormatException.class);
    long slots = 512L * 64 * ((1 << 18) + 2);
    byte[] large = with(with(file, 32, 8, 512), 68, 4, 1 << 18);
    byte[] fitting = with(large, 16, 8, 8 * (64 + (slots * 7 + 63) / 64));
    assertThatThrownBy(() -> read(repaired(fitting)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("heap");
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

  private static byte[] with(byte[] file, int at, int length, long value) {
    byte[] changed = file.clone();
    for (int i = 0; i < length; i++) {
      changed[at + i] = (byte) (value >>> (i * Byte.SIZE));
    }
    return changed;
  }

  private static byte[] repaired(byte[] file) {
    ByteBuffer bytes = ByteBuffer.wrap(file.clone()).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(124, crc32c(bytes.array(), 124));
    bytes.putInt(file.length - 4, crc32c(bytes.array(), file.length - 4));
    return bytes.array();
  }

  private static int crc32c(byte[] bytes, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, length);
    return (int) checksum.getValue();
  }
}
