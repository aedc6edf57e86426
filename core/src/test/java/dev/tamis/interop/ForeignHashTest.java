package dev.tamis.interop;

import static dev.tamis.Refusal.refuses;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.hash.HashId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A foreign hash gives the same for the same bytes, whichever way they come. */
class ForeignHashTest {

  static Stream<ForeignHash> hashes() {
    return Stream.of(
        GuavaBloomFilter.Murmur128.LOWER,
        GuavaBloomFilter.Murmur128.UPPER,
        new SparkBloomFilter.SparkHash(0),
        new SparkBloomFilter.SparkHash(-5),
        ParquetBloomFilter.Xxh64.INSTANCE,
        DcsoBloomFilter.Fnv1.INSTANCE);
  }

  @ParameterizedTest
  @MethodSource("hashes")
  void bytesAreHashedWhereTheyLie(ForeignHash hash) {
    byte[] bytes = new byte[100];
    new Random(1).nextBytes(bytes);
    for (int length = 0; length <= 70; length++) {
      byte[] alone = new byte[length];
      System.arraycopy(bytes, 13, alone, 0, length);
      long expected = hash.hashBytes(alone, 0, length);
      assertThat(hash.hashBytes(bytes, 13, length)).isEqualTo(expected);
      ByteBuffer slice = ByteBuffer.wrap(bytes, 5, 90).slice().position(8).limit(8 + length);
      assertThat(hash.hashBuffer(slice)).isEqualTo(expected);
      assertThat(hash.hashBuffer(slice.asReadOnlyBuffer())).isEqualTo(expected);
      ByteBuffer direct = ByteBuffer.allocateDirect(100).put(bytes).position(13).limit(13 + length);
      assertThat(hash.hashBuffer(direct)).isEqualTo(expected);
      assertThat(direct.position()).isEqualTo(13);
    }
  }

  @ParameterizedTest
  @MethodSource("hashes")
  void numbersAreTheirLittleEndianBytes(ForeignHash hash) {
    ByteBuffer bytes = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(0, -123_456_789_012L).putLong(8, 42);
    assertThat(hash.hashLongs(-123_456_789_012L, 42))
        .isEqualTo(hash.hashBytes(bytes.array(), 0, 16));
    assertThat(hash.hashLong(-123_456_789_012L)).isEqualTo(hash.hashBytes(bytes.array(), 0, 8));
    assertThat(hash.hashInt(bytes.getInt(0))).isEqualTo(hash.hashBytes(bytes.array(), 0, 4));
  }

  @ParameterizedTest
  @MethodSource("hashes")
  void textIsItsUtf8BytesAndHalfAPairAQuestionMark(ForeignHash hash) {
    byte[] utf8 = "\u00FC?\u6F22".getBytes(UTF_8);
    assertThat(hash.hashText(CharBuffer.wrap("\u00FC\uD83D\u6F22")))
        .isEqualTo(hash.hashBytes(utf8, 0, utf8.length));
  }

  @ParameterizedTest
  @MethodSource("hashes")
  void aRangeThatIsNotThereIsRefused(ForeignHash hash) {
    for (int[] range : new int[][] {{-1, 1}, {0, 5}, {4, 1}, {2, -1}}) {
      refuses(
          IndexOutOfBoundsException.class, () -> hash.hashBytes(new byte[4], range[0], range[1]));
    }
  }

  @ParameterizedTest
  @MethodSource("hashes")
  void theNameSaysWhichItIs(ForeignHash hash) {
    HashId.Algorithm algorithm = hash.id().algorithm();
    assertThat(algorithm.id()).isBetween(16, 19);
    assertThat(algorithm.isKeyed()).isFalse();
    assertThat(HashId.Algorithm.ofId(algorithm.id())).isEqualTo(algorithm);
  }
}
