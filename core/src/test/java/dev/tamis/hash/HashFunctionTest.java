package dev.tamis.hash;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Script;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The same bytes give the same hash, whichever way they come. */
class HashFunctionTest {

  private static final int LONGEST = 300;
  private static final List<HashFunction> FUNCTIONS =
      List.of(
          HashFunction.xxh3(0),
          HashFunction.xxh3(42),
          HashFunction.xxh3(-1),
          HashFunction.sipHash(HashKey.of(new byte[HashKey.BYTES])));

  /** Over lengths 0 to 1100: XXH3 as the reference xxHash 0.8.3 in C, SipHash as elsewhere. */
  @Test
  void bytesOfEveryLengthHashAsTheReferenceDoes() {
    assertThat(fingerprint(HashFunction::xxh3)).isEqualTo("930494f963c1682c"); // as many seeds
    assertThat(fingerprint(length -> sipHash)).isEqualTo("e46fde290fb6acf2");
  }

  private static String fingerprint(IntFunction<HashFunction> functions) {
    byte[] bytes = new byte[1_100];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i * i % 251);
    }
    long fingerprint = 0;
    for (int length = 0; length <= bytes.length; length++) {
      fingerprint = 31 * fingerprint + functions.apply(length).hashBytes(bytes, 0, length);
    }
    return Long.toHexString(fingerprint);
  }

  @Test
  void aRangeIsTheBytesInIt() {
    byte[] bytes = bytes(LONGEST);
    forEachLengthAndFunction(
        (length, function) -> {
          byte[] surrounded = new byte[length + 7];
          Arrays.fill(surrounded, (byte) 0xA5);
          System.arraycopy(bytes, 0, surrounded, 3, length);
          assertThat(function.hashBytes(surrounded, 3, length))
              .isEqualTo(function.hashBytes(bytes, 0, length));
        });
  }

  @Test
  void buffersOfEveryKindAreTheBytesBetweenPositionAndLimit() {
    byte[] bytes = bytes(LONGEST);
    forEachLengthAndFunction(
        (length, function) -> {
          long expected = function.hashBytes(bytes, 0, length);
          buffers(bytes, length)
              .forEach(buffer -> assertThat(function.hashBuffer(buffer)).isEqualTo(expected));
        });
  }

  @Test
  void buffersAreLeftAsTheyWere() {
    buffers(bytes(100), 100)
        .forEach(
            buffer -> {
              ByteBuffer before = buffer.duplicate().order(buffer.order());
              FUNCTIONS.get(0).hashBuffer(buffer);
              assertThat(buffer.position()).isEqualTo(before.position());
              assertThat(buffer.limit()).isEqualTo(before.limit());
              assertThat(buffer.order()).isEqualTo(before.order());
              assertThat(buffer).isEqualTo(before);
            });
  }

  @ParameterizedTest
  @EnumSource
  void textIsItsUtf8AtEveryLengthInEveryScript(Script script) {
    forEachLengthAndFunction(
        (length, function) -> {
          String text = script.text(length);
          byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
          long expected = function.hashBytes(utf8, 0, utf8.length);
          assertThat(function.hashText(text)).isEqualTo(expected);
          assertThat(function.hashText(builder(text))).isEqualTo(expected);
          assertThat(function.hashText(CharBuffer.wrap(text))).isEqualTo(expected);
        });
  }

  @Test
  void aSingleForeignCharacterIsSeenWhereverItStands() {
    HashFunction function = FUNCTIONS.get(0);
    for (int at = 0; at < LONGEST; at++) {
      StringBuilder text = builder("a".repeat(LONGEST));
      text.setCharAt(at, '\u0161'); // 'a' plus a high byte that a cast to byte would drop
      byte[] utf8 = text.toString().getBytes(StandardCharsets.UTF_8);
      assertThat(function.hashText(text)).isEqualTo(function.hashBytes(utf8, 0, utf8.length));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ud83d", "\ude00", "a\ud83d", "\ud83da", "\ude00\ud83d", "a\ude00b"})
  void halfASurrogatePairIsAQuestionMark(String text) {
    String replaced = text.replace('\ud83d', '?').replace('\ude00', '?');
    for (HashFunction function : FUNCTIONS) {
      assertThat(function.hashText(text)).isEqualTo(function.hashText(replaced));
      assertThat(function.hashText(builder(text))).isEqualTo(function.hashText(replaced));
    }
  }

  @Test
  void numbersAreTheirLittleEndianBytes() {
    ByteBuffer bytes = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 1_000; i++) {
      long first = random.nextLong();
      long second = random.nextLong();
      bytes.putLong(0, first).putLong(8, second);
      for (HashFunction function : FUNCTIONS) {
        assertThat(function.hashInt((int) first))
            .isEqualTo(function.hashBytes(bytes.array(), 0, 4));
        assertThat(function.hashLong(first)).isEqualTo(function.hashBytes(bytes.array(), 0, 8));
        assertThat(function.hashLongs(first, second))
            .isEqualTo(function.hashBytes(bytes.array(), 0, 16));
      }
    }
  }

  @Test
  void anIntIsNotTheSameLong() {
    HashFunction function = FUNCTIONS.get(0);
    assertThat(function.hashInt(1)).isNotEqualTo(function.hashLong(1));
  }

  @Test
  void seedsGiveUnrelatedHashes() {
    long[] differences =
        IntStream.range(0, 1_000)
            .mapToLong(key -> FUNCTIONS.get(0).hashLong(key) ^ FUNCTIONS.get(1).hashLong(key))
            .toArray();
    double meanBits = Arrays.stream(differences).mapToInt(Long::bitCount).average().orElseThrow();

    assertThat(meanBits).isBetween(31.0, 33.0);
    assertThat(differences).doesNotHaveDuplicates();
  }

  @Test
  void aRangeOutsideTheBytesIsRefused() {
    HashFunction function = FUNCTIONS.get(0);
    byte[] bytes = new byte[10];
    assertThat(function.hashBytes(bytes, 10, 0)).isEqualTo(function.hashBytes(new byte[0], 0, 0));
    for (int[] range : new int[][] {{-1, 1}, {0, -1}, {0, 11}, {10, 1}, {5, Integer.MAX_VALUE}}) {
      refuses(IndexOutOfBoundsException.class, () -> function.hashBytes(bytes, range[0], range[1]));
    }
  }

  @Test
  void nullIsRefused() {
    HashFunction function = FUNCTIONS.get(0);
    refuses(NullPointerException.class, () -> function.hashText(null));
    refuses(NullPointerException.class, () -> function.hashBuffer(null));
    refuses(NullPointerException.class, () -> function.hashBytes(null, 0, 0));
  }

  @ParameterizedTest
  @EnumSource
  void textIsItsUtf8AroundTheLongestThatHasABufferReady(Script script) {
    for (int length : new int[] {255, 256, 257, 4_095, 4_096, 4_097, 10_000, 100}) {
      String text = script.text(length);
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
      for (HashFunction function : FUNCTIONS) {
        assertThat(function.hashText(text)).isEqualTo(function.hashBytes(utf8, 0, utf8.length));
      }
    }
  }

  private static StringBuilder builder(String text) {
    StringBuilder builder = new StringBuilder();
    builder.append(text);
    return builder;
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(length).nextBytes(bytes);
    return bytes;
  }

  /** Returns the first {@code length} of {@code bytes} in buffers of every kind. */
  private static Stream<ByteBuffer> buffers(byte[] bytes, int length) {
    ByteBuffer heap = ByteBuffer.wrap(bytes, 0, length);
    ByteBuffer direct = copyOf(ByteBuffer.allocateDirect(length + 7), heap);
    ByteBuffer inner = copyOf(ByteBuffer.allocate(length + 7), heap);
    return Stream.of(heap, heap.asReadOnlyBuffer(), inner, inner.slice(), direct, direct.slice())
        .flatMap(buffer -> Stream.of(buffer, buffer.asReadOnlyBuffer()))
        .flatMap(
            buffer ->
                Stream.of(
                    buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN),
                    buffer.duplicate().order(ByteOrder.BIG_ENDIAN)));
  }

  private static ByteBuffer copyOf(ByteBuffer target, ByteBuffer content) {
    target.position(3).put(content.duplicate());
    return target.flip().position(3);
  }

  private static void forEachLengthAndFunction(Check check) {
    for (int length = 0; length <= LONGEST; length++) {
      for (HashFunction function : FUNCTIONS) {
        check.check(length, function);
      }
    }
  }

  private interface Check {
    void check(int length, HashFunction function);
  }

  /**
   * SipHash-2-4, the first of the reference's vectors: key 00 01 … 0f, messages of 0, 1, … bytes 00
   * 01 ….
   */
  private static final long[] VECTORS = {
    0x726fdb47dd0e0e31L,
    0x74f839c593dc67fdL,
    0x0d6c8009d9a94f5aL,
    0x85676696d7fb7e2dL,
    0xcf2794e0277187b7L,
    0x18765564cd99a68dL,
    0xcbc9466e58fee3ceL,
    0xab0200f58b01d137L,
    0x93f5f5799a932462L,
    0x9e0082df0ba9e4b0L,
    0x7a5dbbc594ddb9f3L,
    0xf4b32f46226bada7L,
    0x751e8fbc860ee5fbL,
    0x14ea5627c0843d90L,
    0xf723ca908e7af2eeL,
    0xa129ca6149be45e5L, // the one in the paper's appendix
  };

  private final HashFunction sipHash = HashFunction.sipHash(HashKey.of(counting(HashKey.BYTES)));

  @Test
  void givesTheReferenceVectors() {
    for (int length = 0; length < VECTORS.length; length++) {
      assertThat(sipHash.hashBytes(counting(length), 0, length)).isEqualTo(VECTORS[length]);
    }
  }

  private static byte[] counting(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }
}
