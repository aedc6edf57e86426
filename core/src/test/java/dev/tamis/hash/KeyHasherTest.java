package dev.tamis.hash;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ready-made hashers against hashes computed by the reference xxHash 0.8.3, written in C. */
class KeyHasherTest {

  private static final HashFunction SEED_0 = HashFunction.xxh3(0);
  private static final HashFunction SEED_42 = HashFunction.xxh3(42);
  private static final HashFunction SEED_MINUS_1 = HashFunction.xxh3(-1);

  @ParameterizedTest
  @CsvSource({
    "'', 2d06800538d394c2, b029411ff43d84d2",
    "a, e6c632b61e964e1f, 4c437dd47f0716f4",
    "abc, 78af5f94892f3950, d8438def21bbdcc3",
    "'hello, world', 302cd5fba73d006c, cd7d61ba2e742302",
    "h\u00e9llo \u4e16\u754c \ud83d\ude00, f9bd91d7f3175808, 19c2ca15109259c4",
  })
  void textIsItsUtf8(String text, String seed0, String seed42) {
    assertThat(hash(KeyHasher.text(), text, SEED_0)).isEqualTo(seed0);
    assertThat(hash(KeyHasher.text(), text, SEED_42)).isEqualTo(seed42);
  }

  @Test
  void seedsUseAllTheirBits() {
    assertThat(hash(KeyHasher.text(), "abc", SEED_MINUS_1)).isEqualTo("291c3db09146c9c9");
    assertThat(hash(KeyHasher.text(), "z".repeat(300), SEED_MINUS_1)).isEqualTo("fe937e7f59788a95");
  }

  @Test
  void longsAreEightBytes() {
    assertThat(hash(KeyHasher.longs(), 1L, SEED_0)).isEqualTo("2fbc593564db792e");
    assertThat(hash(KeyHasher.longs(), -2L, SEED_42)).isEqualTo("6b1bf69d8790c44a");
    assertThat(hash(KeyHasher.longs(), 0L, SEED_0)).isEqualTo("c77b3abb6f87acd9");
    assertThat(hash(KeyHasher.longs(), Long.MIN_VALUE, SEED_0)).isEqualTo("828f2476789a0e5f");
    assertThat(hash(KeyHasher.longs(), Long.MAX_VALUE, SEED_42)).isEqualTo("d995a1454d388792");
  }

  @Test
  void intsAreFourBytes() {
    assertThat(hash(KeyHasher.ints(), 7, SEED_0)).isEqualTo("57ae44811628c14c");
    assertThat(hash(KeyHasher.ints(), -7, SEED_42)).isEqualTo("3c659c6c62f26a8d");
  }

  @Test
  void uuidsAreSixteenBytesAsPrinted() {
    UUID uuid = UUID.fromString("123e4567-e89b-12d3-a456-426614174000");
    byte[] printed =
        ByteBuffer.allocate(16)
            .putLong(uuid.getMostSignificantBits())
            .putLong(uuid.getLeastSignificantBits())
            .array();

    assertThat(hash(KeyHasher.uuids(), uuid, SEED_0)).isEqualTo("0bb452c5ab5577f8");
    assertThat(hash(KeyHasher.uuids(), uuid, SEED_42)).isEqualTo("5b3c71cd91705915");
    assertThat(hash(KeyHasher.bytes(), printed, SEED_42)).isEqualTo("5b3c71cd91705915");
  }

  @Test
  void bytesAreTakenWhole() {
    byte[] abc = "abc".getBytes(StandardCharsets.US_ASCII);
    assertThat(hash(KeyHasher.bytes(), abc, SEED_0)).isEqualTo("78af5f94892f3950");
    assertThat(hash(KeyHasher.bytes(), new byte[0], SEED_42)).isEqualTo("b029411ff43d84d2");
  }

  @Test
  void buffersAreTheRangeOfBytesBetweenPositionAndLimit() {
    ByteBuffer range =
        ByteBuffer.wrap("xabcx".getBytes(StandardCharsets.US_ASCII), 1, 3).asReadOnlyBuffer();
    assertThat(hash(KeyHasher.buffers(), range, SEED_0)).isEqualTo("78af5f94892f3950");
  }

  @Test
  void fieldsAreHashedOneByOneThenTogether() {
    assertThat(hash(pairs(), new Pair("ab", "cd"), SEED_0)).isEqualTo("851d3a059b494d0e");
    assertThat(hash(pairs(), new Pair("ab", "cd"), SEED_42)).isEqualTo("ebbe74499957b94e");
  }

  @Test
  void fieldsOfDifferentTypesGoTogether() {
    KeyHasher<Numbered> hasher =
        KeyHasher.fields(
            KeyHasher.text().on(Numbered::name), KeyHasher.longs().on(Numbered::number));
    assertThat(hash(hasher, new Numbered("ab", 7), SEED_42)).isEqualTo("9975573859798dfe");
  }

  @Test
  void fieldsDoNotRunIntoEachOther() {
    assertDifferent(new Pair("ab", "cd"), new Pair("a", "bcd"));
    assertDifferent(new Pair("ab", "cd"), new Pair("abcd", ""));
    assertDifferent(new Pair("a", ""), new Pair("", "a"));
    assertDifferent(new Pair("", ""), new Pair("", "\0"));
  }

  @Test
  void fieldsKeepTheirOrder() {
    assertDifferent(new Pair("ab", "cd"), new Pair("cd", "ab"));
  }

  @Test
  void fewerFieldsAreAnotherKey() {
    KeyHasher<String> once = KeyHasher.fields(KeyHasher.text());
    KeyHasher<String> twice = KeyHasher.fields(KeyHasher.text(), KeyHasher.text());
    String plain = hash(KeyHasher.text(), "a", SEED_0);

    assertThat(hash(once, "a", SEED_0)).isNotEqualTo(plain);
    assertThat(hash(twice, "a", SEED_0)).isNotEqualTo(plain).isNotEqualTo(hash(once, "a", SEED_0));
  }

  @Test
  void aRecordNeedsAField() {
    refuses(KeyHasher::fields, "at least one field");
  }

  @Test
  void partsMayBeOfASubtype() {
    KeyHasher<Pair> first = KeyHasher.text().on(Pair::first); // String is a CharSequence
    KeyHasher<Object> printed = KeyHasher.text().on(Object::toString);
    KeyHasher<Pair> both = KeyHasher.fields(first, printed); // Pair is an Object

    assertThat(hash(first, new Pair("abc", "d"), SEED_0)).isEqualTo("78af5f94892f3950");
    assertThat(hash(both, new Pair("abc", "d"), SEED_0))
        .isNotEqualTo(hash(both, new Pair("abc", "e"), SEED_0));
  }

  @Test
  void aPartIsRequired() {
    refuses(NullPointerException.class, () -> KeyHasher.text().on(null));
  }

  private static KeyHasher<Pair> pairs() {
    return KeyHasher.fields(KeyHasher.text().on(Pair::first), KeyHasher.text().on(Pair::second));
  }

  private static void assertDifferent(Pair one, Pair other) {
    assertThat(hash(pairs(), one, SEED_0)).isNotEqualTo(hash(pairs(), other, SEED_0));
  }

  private static <T> String hash(KeyHasher<? super T> hasher, T key, HashFunction function) {
    return HexFormat.of().toHexDigits(hasher.hash(key, function));
  }

  private record Pair(String first, String second) {}

  private record Numbered(String name, long number) {}
}
