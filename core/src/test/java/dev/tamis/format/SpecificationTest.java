package dev.tamis.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.format.ReferenceFrame.Bloom;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** docs/format.md is complete: what is written from it alone agrees bit by bit. */
class SpecificationTest {

  private static final long SEED = 0x1234_5678_9ABC_DEF0L;

  @ParameterizedTest
  @MethodSource("shapes")
  void referenceWritesTheSameBytes(Shape shape) throws IOException {
    assertThat(reference(shape).toBytes()).isEqualTo(Bytes.of(filter(shape)));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void referenceReadsWhatIsWritten(Shape shape) throws Exception {
    List<Bloom> stages = ReferenceFrame.read(Bytes.of(filter(shape)));
    assertThat(stages).hasSize(1);
    assertThat(stages.get(0).toBytes()).isEqualTo(reference(shape).toBytes());
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void whatTheReferenceWritesIsRead(Shape shape) throws IOException {
    Bloom reference = reference(shape);
    byte[] bytes = reference.toBytes();
    BloomFilter<CharSequence> read =
        BloomFilter.readFrom(new ByteArrayInputStream(bytes), KeyHasher.text(), bytes.length);

    assertThat(read).isEqualTo(filter(shape));
    for (int i = 0; i < 2_000; i++) {
      String key = "key-" + i;
      assertThat(read.mightContain(key))
          .isEqualTo(reference.mightContain(ReferencePositions.hashOfText(SEED, key)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void largeFiltersAgreeToo(Layout layout) throws IOException {
    // past 2^31 / 512 lines nothing new happens, but odd and large numbers of them do
    long bits = 512L * 8 * 4_999;
    Shape shape = new Shape(layout, bits, 16);
    assertThat(reference(shape).toBytes()).isEqualTo(Bytes.of(filter(shape)));
  }

  @Test
  void hashesOfKeysAreThoseOfTheirBytes() {
    Random random = new Random(7);
    BloomFilter<CharSequence> text = empty(KeyHasher.text());
    for (String key :
        List.of(
            "", "a", "key", "Tamis", "ключ", "篩", "\uD83D\uDE00", "half \uD83D", "x".repeat(999))) {
      assertThat(text.hashOf(key)).isEqualTo(ReferencePositions.hashOfText(SEED, key));
    }
    for (int i = 0; i < 100; i++) {
      long number = random.nextLong();
      UUID uuid = new UUID(random.nextLong(), random.nextLong());
      assertThat(empty(KeyHasher.longs()).hashOf(number))
          .isEqualTo(ReferencePositions.hashOfLong(SEED, number));
      assertThat(empty(KeyHasher.ints()).hashOf((int) number))
          .isEqualTo(ReferencePositions.hashOfInt(SEED, (int) number));
      assertThat(empty(KeyHasher.uuids()).hashOf(uuid))
          .isEqualTo(ReferencePositions.hashOfUuid(SEED, uuid));
      assertThat(empty(KeyHasher.bytes()).hashOf(uuid.toString().getBytes(StandardCharsets.UTF_8)))
          .isEqualTo(ReferencePositions.hashOfText(SEED, uuid.toString()));
    }
  }

  @Test
  void hashesOfFieldsAreChained() {
    KeyHasher<List<String>> pair =
        KeyHasher.fields(
            KeyHasher.text().on((List<String> key) -> key.get(0)),
            KeyHasher.text().on((List<String> key) -> key.get(1)));
    KeyHasher<List<String>> single =
        KeyHasher.fields(KeyHasher.text().on((List<String> key) -> key.get(0)));
    long ab = ReferencePositions.hashOfText(SEED, "ab");
    long cd = ReferencePositions.hashOfText(SEED, "cd");

    assertThat(empty(pair).hashOf(List.of("ab", "cd")))
        .isEqualTo(ReferencePositions.hashOfFields(SEED, ab, cd));
    assertThat(empty(single).hashOf(List.of("ab")))
        .isEqualTo(ReferencePositions.hashOfFields(SEED, ab));
  }

  @Test
  void scalableFilterIsFramesInAFrame() throws Exception {
    ScalableBloomFilter<CharSequence> filter =
        ScalableBloomFilter.<CharSequence>builder(KeyHasher.text())
            .initialKeys(20)
            .fpp(0.01)
            .seed(SEED)
            .build();
    IntStream.range(0, 300).forEach(i -> filter.put("key-" + i));
    byte[] bytes = Bytes.of(filter);

    List<Bloom> stages = ReferenceFrame.read(bytes);
    assertThat(stages).hasSize(filter.stages().size()).hasSizeGreaterThan(3);
    assertThat(ReferenceFrame.scalable(0.01, stages)).isEqualTo(bytes);
    for (int i = 0; i < 2_000; i++) {
      long hash = ReferencePositions.hashOfText(SEED, "key-" + i);
      assertThat(filter.mightContainHash(hash))
          .isEqualTo(stages.stream().anyMatch(stage -> stage.mightContain(hash)));
    }
  }

  /** The table of the specification, once in plain bytes. */
  @Test
  void headerLooksLikeThis() throws IOException {
    BloomFilter<CharSequence> filter =
        BloomFilter.<CharSequence>builder(KeyHasher.text())
            .layout(Layout.PARTITIONED)
            .expectedKeys(0x0102)
            .fpp(0.5)
            .hashes(3)
            .seed(-2)
            .build();
    byte[] bytes = Bytes.of(filter);
    long bits = filter.bitSize();

    assertThat(bytes).startsWith(0x89, 'T', 'A', 'M', 'I', 'S', 0x0D, 0x0A);
    assertThat(hex(bytes, 8, 16)).isEqualTo("01 00 01 00 80 00 00 00");
    assertThat(hex(bytes, 16, 24))
        .isEqualTo(String.format(Locale.ROOT, "%02x 00 00 00 00 00 00 00", bytes.length - 132));
    assertThat(hex(bytes, 24, 32)).isEqualTo("01 00 02 00 03 00 00 00");
    assertThat(ReferenceFrame.get(bytes, 32, 8)).isEqualTo(bits).isLessThan(2_000);
    assertThat(hex(bytes, 40, 48)).isEqualTo("fe ff ff ff ff ff ff ff");
    assertThat(hex(bytes, 48, 56)).isEqualTo("02 01 00 00 00 00 00 00");
    assertThat(hex(bytes, 56, 64)).isEqualTo("00 00 00 00 00 00 e0 3f");
    assertThat(hex(bytes, 64, 124)).isEqualTo("00 ".repeat(60).trim());
    assertThat(bytes).hasSize((int) (128 + 8 * ((bits + 63) / 64) + 4));
  }

  @Test
  void payloadIsARedisStringWithTheBitsOfEachByteTurnedRound() throws IOException {
    Shape shape = new Shape(Layout.CLASSIC, 1000, 7);
    byte[] bytes = Bytes.of(filter(shape));
    byte[] payload = Arrays.copyOfRange(bytes, 128, bytes.length - 4);
    for (int i = 0; i < 500; i++) {
      long hash = ReferencePositions.hashOfText(SEED, "key-" + i);
      boolean inRedis = true;
      for (long bit : ReferencePositions.of(1, 7, 1000, hash)) {
        long offset = bit ^ 7; // GETBIT counts from the most significant bit of a byte
        inRedis &= (payload[(int) (offset / 8)] >> (7 - offset % 8) & 1) == 1;
      }
      assertThat(inRedis).isEqualTo(filter(shape).mightContainHash(hash));
    }
  }

  /** The check value of the catalogue of CRCs, for the reference itself. */
  @Test
  void checksumIsCrc32c() {
    byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
    assertThat(ReferenceFrame.crc32c(digits, 9)).isEqualTo(0xE306_9283L);
  }

  static Stream<Shape> shapes() {
    Stream<Shape> every =
        Stream.of(Layout.values())
            .flatMap(
                layout ->
                    IntStream.iterate(
                            layout.minHashes(),
                            k -> k <= layout.maxHashes(),
                            k -> k + layout.hashStep())
                        .mapToObj(k -> new Shape(layout, 512L * 3 * k, k)));
    Stream<Shape> smallest =
        Stream.of(
            new Shape(Layout.CLASSIC, 64, 3),
            new Shape(Layout.CLASSIC, 65, 3),
            new Shape(Layout.CLASSIC, 127, 3),
            new Shape(Layout.PARTITIONED, 2, 1),
            new Shape(Layout.PARTITIONED, 7 * 31, 7),
            new Shape(Layout.LINE, 512, 4),
            new Shape(Layout.SPLIT, 512, 8),
            new Shape(Layout.SPLIT, 512, 16),
            new Shape(Layout.SPLIT_PAIR, 1024, 16),
            new Shape(Layout.SPLIT_PAIR, 1536, 32));
    return Stream.concat(every, smallest);
  }

  private static BloomFilter<CharSequence> filter(Shape shape) {
    BloomFilter<CharSequence> filter =
        BloomFilter.<CharSequence>builder(KeyHasher.text())
            .layout(shape.layout())
            .bits(shape.bits())
            .hashes(shape.hashes())
            .expectedKeys(100)
            .seed(SEED)
            .build();
    for (int i = 0; i < 100; i++) {
      filter.put("key-" + i);
    }
    return filter;
  }

  private static Bloom reference(Shape shape) {
    Bloom reference =
        Bloom.empty(shape.layout().id(), shape.hashes(), shape.bits(), SEED, 100, shape.fpp(100));
    for (int i = 0; i < 100; i++) {
      reference.put(ReferencePositions.hashOfText(SEED, "key-" + i));
    }
    return reference;
  }

  private static <T> BloomFilter<T> empty(KeyHasher<? super T> hasher) {
    return BloomFilter.<T>builder(hasher).expectedKeys(1).fpp(0.5).seed(SEED).build();
  }

  private static String hex(byte[] bytes, int start, int end) {
    return HexFormat.ofDelimiter(" ").formatHex(bytes, start, end);
  }
}
