package dev.tamis.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tamis.FilterFullException;
import dev.tamis.Keys;
import dev.tamis.Storable;
import dev.tamis.format.FormatException;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Merging a filter that is in a stream must be as merging one that is in memory. */
class PutAllFromStreamTest {

  /** The bits of a piece, as merging reads them. */
  private static final long PIECE_BITS = 1L << 21;

  @ParameterizedTest
  @MethodSource("dev.tamis.filter.BloomSpec#all")
  void isTheUnion(BloomSpec spec) throws IOException {
    BloomFilter<Long> filter = filled(spec.create(1_000, 0.01), 1, 400);
    BloomFilter<Long> other = filled(spec.create(1_000, 0.01), 2, 300);
    BloomFilter<Long> union = filter.copy();
    union.putAll(other);
    ByteArrayInputStream in = new ByteArrayInputStream(bytes(other, other));
    Filters.putAll(filter, in);
    assertThat(filter).isEqualTo(union);
    assertThat(filter.acceptedKeys()).isEqualTo(union.acceptedKeys());
    assertThat(in.available()).isEqualTo(bytes(other).length);
  }

  @ParameterizedTest
  @ValueSource(longs = {-512, 0, 512, PIECE_BITS - 512, PIECE_BITS, PIECE_BITS + 512})
  void ofAnyNumberOfPieces(long more) throws IOException {
    for (Layout layout : new Layout[] {Layout.SPLIT, Layout.CLASSIC}) {
      for (boolean alone : new boolean[] {false, true}) {
        long bits = PIECE_BITS + more - (layout == Layout.CLASSIC ? 3 : 0);
        BloomFilter<Long> filter = filled(ofBits(layout, bits, alone), 1, 50_000);
        BloomFilter<Long> other = filled(ofBits(layout, bits, alone), 2, 50_000);
        BloomFilter<Long> union = filter.copy();
        union.putAll(other);
        Filters.putAll(filter, new ByteArrayInputStream(bytes(other)));
        assertThat(filter).isEqualTo(union);
      }
    }
  }

  @Test
  void whatIsNotCompatibleChangesNothing() throws IOException {
    BloomFilter<Long> filter = filled(ofBits(Layout.SPLIT, 4_096, false), 1, 100);
    BloomFilter<Long> before = filter.copy();
    BloomFilter<Long> larger = ofBits(Layout.SPLIT, 8_192, false);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Filters.putAll(filter, new ByteArrayInputStream(bytes(larger))))
        .withMessage("the two are not compatible: bits differs: 4096 and 8192");
    BloomFilter<Long> keyed = BloomFilter.create(KeyHasher.longs().withRandomKey(), 100, 0.01);
    assertThatExceptionOfType(FormatException.class)
        .isThrownBy(() -> Filters.putAll(filter, new ByteArrayInputStream(bytes(keyed))));
    CountingBloomFilter<Long> counting = CountingBloomFilter.create(KeyHasher.longs(), 10, 0.01);
    assertThatExceptionOfType(FormatException.class)
        .isThrownBy(() -> Filters.putAll(filter, new ByteArrayInputStream(bytes(counting))))
        .withMessageContaining("kind");
    assertThat(filter).isEqualTo(before);
  }

  @Test
  void damageIsReportedAndNoKeyIsLost() throws IOException {
    BloomFilter<Long> filter = filled(ofBits(Layout.CLASSIC, 8_190, false), 1, 300);
    byte[] whole = bytes(filled(ofBits(Layout.CLASSIC, 8_190, false), 2, 300));
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      refuses(filter.copy(), cut);
    }
    for (int at = 0; at < whole.length; at++) {
      byte[] changed = whole.clone();
      changed[at] ^= 0x40;
      refuses(filter.copy(), changed);
    }
    byte[] beyond = whole.clone();
    beyond[whole.length - Integer.BYTES - 1] |= (byte) 0x80;
    refuses(filter.copy(), beyond);
  }

  private static void refuses(BloomFilter<Long> filter, byte[] damaged) {
    InputStream in = new ByteArrayInputStream(damaged);
    try {
      Filters.putAll(filter, in);
      throw new AssertionError("damaged bytes were taken");
    } catch (IllegalArgumentException | IOException expected) {
      assertThat(expected).hasMessageNotContaining("null");
    }
    Keys.hashes(1, 300).forEach(hash -> assertThat(filter.mightContainHash(hash)).isTrue());
    assertThat(filter.acceptedKeys()).isBetween(280L, 640L);
  }

  @Test
  void aFilterThatRefusesMoreKeysDoesSoBeforehand() throws IOException {
    BloomFilter<Long> filter = filled(limited(), 1, 60);
    BloomFilter<Long> before = filter.copy();
    byte[] other = bytes(filled(limited(), 2, 60));
    assertThatExceptionOfType(FilterFullException.class)
        .isThrownBy(() -> Filters.putAll(filter, new ByteArrayInputStream(other)));
    assertThat(filter).isEqualTo(before);
    Filters.putAll(filter, new ByteArrayInputStream(bytes(filled(limited(), 2, 20))));
    assertThat(filter.acceptedKeys()).isBetween(75L, 85L);
  }

  @Test
  void theListenerIsTold() throws IOException {
    AtomicInteger told = new AtomicInteger();
    BloomFilter<Long> filter =
        BloomFilter.<Long>builder(KeyHasher.longs())
            .expectedKeys(100)
            .fpp(0.01)
            .whenKeysReach(100, told::incrementAndGet)
            .build();
    BloomFilter<Long> other = filled(BloomFilter.create(KeyHasher.longs(), 100, 0.01), 1, 150);
    Filters.putAll(filter, new ByteArrayInputStream(bytes(other)));
    assertThat(told).hasValue(1);
  }

  private static BloomFilter<Long> limited() {
    return BloomFilter.<Long>builder(KeyHasher.longs())
        .expectedKeys(100)
        .fpp(0.01)
        .refuseWhenFull()
        .build();
  }

  private static BloomFilter<Long> ofBits(Layout layout, long bits, boolean alone) {
    BloomFilterBuilder<Long> builder =
        BloomFilter.<Long>builder(KeyHasher.longs())
            .layout(layout)
            .bits(Math.max(512, bits))
            .expectedKeys(100_000);
    return (alone ? builder.singleThreaded() : builder).build();
  }

  private static BloomFilter<Long> filled(BloomFilter<Long> filter, long seed, int keys) {
    Keys.hashes(seed, keys).forEach(filter::putHash);
    return filter;
  }

  private static byte[] bytes(Storable... stored) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Storable one : stored) {
      one.writeTo(out);
    }
    return out.toByteArray();
  }
}
