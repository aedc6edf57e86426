package dev.tamis.interop;

import static dev.tamis.Refusal.refuses;
import static dev.tamis.interop.DcsoFiles.bytes;
import static dev.tamis.interop.DcsoFiles.keys;
import static dev.tamis.interop.DcsoFiles.packed;
import static dev.tamis.interop.DcsoFiles.read;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.HashedFilter;
import dev.tamis.filter.Filters;
import dev.tamis.format.FormatException;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DcsoBloomFilterTest {

  private static final int HEADER = 48;

  @ParameterizedTest
  @CsvSource({
    "plain.bloom, plain.answers",
    "packed.bloom.gz, plain.answers",
    "data.bloom, plain.answers",
    "flor.bloom, flor.answers"
  })
  void answersForTenThousandKeysAsTheProgramThatMadeTheFile(String file, String answers)
      throws IOException {
    DcsoBloomFilter<CharSequence> filter = read(file);
    assertThat(keys(0, 10_000).stream().filter(filter::mightContain))
        .containsExactlyElementsOf(DcsoFiles.lines(answers));
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain.bloom", "data.bloom", "flor.bloom"})
  void writesTheBytesThatItRead(String file) throws IOException {
    assertThat(read(file).toForeignBytes()).isEqualTo(bytes(file));
  }

  @Test
  void unpacksWhatGzipPacked() throws IOException {
    assertThat(read("packed.bloom.gz").toForeignBytes()).isEqualTo(bytes("plain.bloom"));
  }

  /** The JDK's stream overflows the stack at some ten thousand empty members. */
  @Test
  void unpacksAsManyMembersAsThereAreWithPaddingBehindThem() throws IOException {
    byte[] plain = bytes("plain.bloom");
    ByteArrayOutputStream members = new ByteArrayOutputStream();
    members.writeBytes(packed(Arrays.copyOf(plain, 60)));
    byte[] empty = packed(new byte[0]);
    for (int i = 0; i < 100_000; i++) {
      members.writeBytes(empty);
    }
    members.writeBytes(packed(Arrays.copyOfRange(plain, 60, plain.length)));
    members.writeBytes(new byte[100]);
    assertThat(read(members.toByteArray()).toForeignBytes()).isEqualTo(plain);
    members.write(1);
    refuses(FormatException.class, () -> read(members.toByteArray()), "the end of the input");
  }

  @Test
  void skipsAHeaderWithAllItsFieldsUpToALimit() throws IOException {
    byte[] packed = packed(bytes("plain.bloom"));
    for (int length : new int[] {0, 1 << 16, (1 << 16) + 1}) {
      ByteArrayOutputStream named = new ByteArrayOutputStream();
      named.writeBytes(Arrays.copyOf(packed, 3));
      named.write(0x1E); // a checksum, an extra field, a name and a comment
      named.write(packed, 4, 6);
      named.writeBytes(new byte[] {2, 0, 7, 7});
      named.writeBytes("n".repeat(length).getBytes(UTF_8));
      named.writeBytes("\0comment\0cc".getBytes(UTF_8));
      named.write(packed, 10, packed.length - 10);
      if (length <= 1 << 16) {
        assertThat(read(named.toByteArray()).toForeignBytes()).isEqualTo(bytes("plain.bloom"));
      } else {
        refuses(FormatException.class, () -> read(named.toByteArray()), "more than 65536 bytes");
      }
    }
  }

  @Test
  void makesTheBytesThatTheProgramMakesOfTheSameKeys() throws IOException {
    DcsoBloomFilter<CharSequence> filter = DcsoBloomFilter.create(KeyHasher.text(), 100, 0.01);
    keys(0, 100).forEach(filter::put);
    assertThat(filter.toForeignBytes()).isEqualTo(bytes("plain.bloom"));
    filter.setData("{\"from\":\"a test\"}\n".getBytes(UTF_8));
    assertThat(filter.toForeignBytes()).isEqualTo(bytes("data.bloom"));
  }

  @Test
  void knowsWhatTheHeaderSays() throws IOException {
    DcsoBloomFilter<CharSequence> filter = read("flor.bloom");
    assertThat(filter.expectedKeys()).isEqualTo(200);
    assertThat(filter.fpp()).isEqualTo(0.001);
    assertThat(filter.hashes()).isEqualTo(10);
    assertThat(filter.bitSize()).isEqualTo(2_875);
    assertThat(filter.recordedKeys()).isEqualTo(100);
    assertThat(filter.acceptedKeys()).isBetween(95L, 105L);
    assertThat(filter.data()).isEqualTo("flor".getBytes(UTF_8));
    assertThat(filter.approximateElementCount().value()).isCloseTo(100, within(15.0));
  }

  @Test
  void countsOnFromTheProgramsCount() throws IOException {
    DcsoBloomFilter<CharSequence> filter = read("plain.bloom");
    assertThat(filter.put("key-0")).isFalse();
    assertThat(filter.put("another")).isTrue();
    assertThat(filter.recordedKeys()).isEqualTo(101);
    assertThat(read(filter.toForeignBytes()).recordedKeys()).isEqualTo(101);
  }

  @Test
  void goesThroughAFrameWithItsDataAndCount() throws IOException {
    DcsoBloomFilter<CharSequence> filter = read("data.bloom");
    byte[] frame = filter.toByteArray();
    assertThat(frame).hasSize((int) filter.serializedSize());
    HashedFilter<CharSequence> back =
        (HashedFilter<CharSequence>)
            Filters.<CharSequence>readFrom(
                new ByteArrayInputStream(frame), KeyHasher.text(), DcsoFiles.LIMIT);
    assertThat(back).isEqualTo(filter);
    assertThat(((DcsoBloomFilter<CharSequence>) back).toForeignBytes())
        .isEqualTo(bytes("data.bloom"));
  }

  @Test
  void mergesAndAddsTheCountsUp() throws IOException {
    DcsoBloomFilter<CharSequence> first = read("data.bloom");
    DcsoBloomFilter<CharSequence> second = DcsoBloomFilter.create(KeyHasher.text(), 100, 0.01);
    keys(50, 100).forEach(second::put);
    first.putAll(second);
    assertThat(keys(0, 150)).allMatch(first::mightContain);
    assertThat(first.recordedKeys()).isEqualTo(100 + second.recordedKeys());
    assertThat(first.data()).isEqualTo(read("data.bloom").data());
  }

  @Test
  void mergesOnlyWhatTheProgramJoins() {
    DcsoBloomFilter<CharSequence> filter = DcsoBloomFilter.create(KeyHasher.text(), 100, 0.01);
    assertThat(filter.incompatibility(DcsoBloomFilter.create(KeyHasher.text(), 101, 0.01)))
        .hasValue("expected keys differs: 100 and 101");
    assertThat(filter.incompatibility(DcsoBloomFilter.create(KeyHasher.text(), 100, 0.0101)))
        .hasValue("requested fpp differs: 0.01 and 0.0101");
    assertThat(filter.incompatibility(filter.copy())).isEmpty();
  }

  @Test
  void theSmallestFilterHasOneBit() {
    DcsoBloomFilter<CharSequence> filter = DcsoBloomFilter.create(KeyHasher.text(), 1, 0.99);
    assertThat(filter.bitSize()).isOne();
    assertThat(filter.approximateElementCount().value()).isZero();
    assertThat(filter.put("key")).isTrue();
    assertThat(filter.mightContain("anything")).isTrue();
    assertThat(filter.expectedFpp()).isOne();
  }

  @Test
  void refusesEveryTruncationOfHeaderAndBits() throws IOException {
    byte[] plain = bytes("plain.bloom");
    byte[] packed = bytes("packed.bloom.gz");
    for (int length = 0; length < plain.length; length++) {
      byte[] cut = Arrays.copyOf(plain, length);
      refuses(FormatException.class, () -> read(cut));
    }
    for (int length = 0; length < packed.length; length++) {
      byte[] cut = Arrays.copyOf(packed, length);
      refuses(FormatException.class, () -> read(cut));
    }
  }

  /**
   * The header of gzip has bytes that say nothing, such as the time; all others have a checksum.
   */
  @Test
  void aFlippedBitOfAPackedFileIsRefusedOrChangesNothing() throws IOException {
    byte[] packed = bytes("packed.bloom.gz");
    byte[] plain = bytes("plain.bloom");
    int refused = 0;
    for (int bit = 0; bit < Byte.SIZE * packed.length; bit++) {
      byte[] flipped = packed.clone();
      flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      try {
        assertThat(read(flipped).toForeignBytes()).isEqualTo(plain);
      } catch (FormatException e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(Byte.SIZE * (packed.length - 10));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, version",
    "0, 2, version",
    "0, 257, version",
    "8, 0, expected keys",
    "8, -1, expected keys",
    "16, 0, fpp",
    "16, 0x3FF0000000000000, fpp",
    "16, 0x7FF8000000000000, fpp",
    "16, 0xBFE0000000000000, fpp",
    "24, 0, number of hashes",
    "24, 1076, number of hashes",
    "24, -1, number of hashes",
    "32, 0, number of bits",
    "32, -1, number of bits",
    "32, 17592186044417, number of bits",
    "32, 957, last word",
    "40, -1, keys",
    "40, 4611686018427387905, keys"
  })
  void refusesAFieldOutOfItsRangeByName(int at, String value, String field) throws IOException {
    byte[] changed = with(at, parsed(value));
    refuses(FormatException.class, () -> read(changed), field + " at byte ");
  }

  @ParameterizedTest
  @CsvSource({
    "8, 1",
    "8, 9223372036854775807",
    "16, 1",
    "16, 0x3FEFFFFFFFFFFFFF",
    "24, 1",
    "24, 1075",
    "32, 959",
    "32, 960",
    "40, 0",
    "40, 4611686018427387904"
  })
  void takesAFieldAtItsLimit(int at, String value) throws IOException {
    byte[] changed = with(at, parsed(value));
    assertThat(read(changed).toForeignBytes()).isEqualTo(changed);
  }

  @Test
  void allocatesNoMoreThanTheLimit() throws IOException {
    byte[] plain = bytes("plain.bloom");
    int words = plain.length - HEADER;
    assertThat(read(plain, words).bitSize()).isEqualTo(958);
    assertThatThrownBy(() -> read(plain, words - 1)).hasMessageContaining("within 119 bytes");
    byte[] data = bytes("data.bloom");
    assertThat(read(data, data.length - HEADER).data()).hasSize(18);
    refuses(FormatException.class, () -> read(data, data.length - HEADER - 1), "end at byte");
  }

  @Test
  void theLimitIsThatOfTheUnpackedBytes() throws IOException {
    byte[] bits = Arrays.copyOf(with(32, 8L * DcsoFiles.LIMIT + 1), 2 << 20);
    refuses(FormatException.class, () -> read(packed(bits)), "number of words");
    byte[] data = Arrays.copyOf(bytes("plain.bloom"), 64 << 20);
    refuses(FormatException.class, () -> read(packed(data)), "end at byte");
  }

  private static long parsed(String value) {
    return value.startsWith("0x")
        ? Long.parseUnsignedLong(value.substring(2), 16)
        : Long.parseLong(value);
  }

  private static byte[] with(int at, long value) throws IOException {
    byte[] changed = bytes("plain.bloom");
    ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN).putLong(at, value);
    return changed;
  }
}
