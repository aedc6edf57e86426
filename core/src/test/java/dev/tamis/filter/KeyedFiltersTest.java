package dev.tamis.filter;

import static dev.tamis.Refusal.refuses;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.HashedFilter;
import dev.tamis.Storable;
import dev.tamis.format.FormatException;
import dev.tamis.hash.HashId;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Filters whose hash has a secret key: the bytes name it, do not hold it, and need it. */
class KeyedFiltersTest {

  private static final byte[] SECRET = {
    0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x08, 0x19, 0x2a, 0x3b, 0x4c, 0x5d, 0x6e, 0x7f, 0x01
  };
  private static final HashKey KEY = HashKey.of(SECRET);
  private static final KeyHasher<CharSequence> KEYED = KeyHasher.text().keyedBy(KEY);
  private static final KeyHasher<CharSequence> OTHER =
      KeyHasher.text().keyedBy(HashKey.of(new byte[HashKey.BYTES]));

  @Test
  void aKeyedFilterHoldsItsKeys() {
    BloomFilter<String> filter = filled(KEYED);
    for (int i = 0; i < 1_000; i++) {
      assertThat(filter.mightContain("key-" + i)).isTrue();
    }
    assertThat(filter.expectedFpp()).isLessThan(0.012);
    assertThat(filter.hashId()).isEqualTo(new HashId(HashId.Algorithm.SIPHASH, KEY.id()));
    assertThat(filter.toString()).contains("siphash-2-4").doesNotContain("@");
  }

  @Test
  void theBytesNameTheKeyAndDoNotHoldIt() {
    byte[] bytes = filled(KEYED).toByteArray();
    for (int length : new int[] {4, 8, 16}) {
      for (int from = 0; from + length <= SECRET.length; from++) {
        byte[] part = Arrays.copyOfRange(SECRET, from, from + length);
        assertThat(text(Arrays.copyOf(bytes, 128))).doesNotContain(text(part));
      }
    }
    assertThat(text(bytes)).doesNotContain(text(SECRET));
    assertThat(bytes)
        .containsSequence(
            ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(KEY.id()).array());
  }

  @Test
  void theSameKeyReadsIt() throws IOException {
    BloomFilter<String> filter = filled(KEYED);
    assertThat(read(filter.toByteArray(), KEYED)).isEqualTo(filter);
    assertThat(read(grown(KEYED).toByteArray(), KEYED)).isEqualTo(grown(KEYED));
  }

  @Test
  void anotherKeyOrNoneDoesNotReadIt() {
    for (HashedFilter<String> filter : Arrays.asList(filled(KEYED), grown(KEYED))) {
      byte[] bytes = ((Storable) filter).toByteArray();
      refuses(
          FormatException.class,
          () -> read(bytes, OTHER),
          "hash at byte",
          "key id " + filter.hashId().printedNumber());
      refuses(FormatException.class, () -> read(bytes, KeyHasher.text()), "one without a key");
    }
    refuses(
        FormatException.class,
        () -> read(filled(KeyHasher.text()).toByteArray(), KEYED),
        "xxh3 with seed 0");
  }

  @Test
  void anotherKeyOrNoneDoesNotMerge() {
    BloomFilter<String> filter = filled(KEYED);
    refuses(() -> filter.putAll(filled(OTHER)), "key id differs");
    refuses(() -> filter.putAll(filled(KeyHasher.text())), "hash differs");
    assertThat(filter).isEqualTo(filled(KEYED)).isNotEqualTo(filled(OTHER));
    filter.putAll(filled(KEYED));
    assertThat(filter).isEqualTo(filled(KEYED));
  }

  @Test
  void aKeyTakesThePlaceOfTheSeed() {
    assertThatThrownBy(
            () -> BloomFilter.<String>builder(KEYED).expectedKeys(10).fpp(0.01).seed(1).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a filter with a hash key has no seed, got 1");
  }

  @Test
  void partsOfAKeyAreHashedUnderTheSameSecret() {
    KeyHasher<String> byLength = KeyHasher.ints().keyedBy(KEY).on(String::length);
    BloomFilter<String> filter = BloomFilter.create(byLength, 100, 0.01);
    assertThat(filter.hashId().algorithm()).isEqualTo(HashId.Algorithm.SIPHASH);
    assertThat(filter.hashOf("abc")).isEqualTo(filter.hashOf("xyz"));

    KeyHasher<String> fields =
        KeyHasher.<String>fields(KeyHasher.text(), KeyHasher.ints().on(String::length));
    assertThat(BloomFilter.create(fields.keyedBy(KEY), 100, 0.01).hashOf("abc"))
        .isNotEqualTo(BloomFilter.create(fields, 100, 0.01).hashOf("abc"));
    refuses(
        () -> KeyHasher.<String>fields(KeyHasher.text(), byLength),
        "keyedBy on the hasher of all fields");
  }

  private static BloomFilter<String> filled(KeyHasher<CharSequence> hasher) {
    BloomFilter<String> filter = BloomFilter.create(hasher, 1_000, 0.01);
    for (int i = 0; i < 1_000; i++) {
      filter.put("key-" + i);
    }
    return filter;
  }

  private static ScalableBloomFilter<String> grown(KeyHasher<CharSequence> hasher) {
    ScalableBloomFilter<String> filter = ScalableBloomFilter.create(hasher, 100, 0.01);
    for (int i = 0; i < 1_000; i++) {
      filter.put("key-" + i);
    }
    return filter;
  }

  private static HashedFilter<String> read(byte[] bytes, KeyHasher<CharSequence> hasher)
      throws IOException {
    return (HashedFilter<String>)
        Filters.<String>readFrom(new ByteArrayInputStream(bytes), hasher, bytes.length);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, ISO_8859_1);
  }
}
