package dev.tamis.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Keys;
import dev.tamis.format.FormatException;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The header of kind 5: where its fields lie, and which numbers they may have. */
class WindowedFramesTest {

  private static final Instant START = Instant.ofEpochSecond(1_600_000_000, 123_456_789);
  private static final InstantSource CLOCK = () -> START;
  private static final long MAX_BITS = 17_592_186_044_416L / 30 / 64 * 64;

  @Test
  void aWindowOfPutsIsWrittenAsTheFormatSays() {
    ByteBuffer file = view(puts());
    assertThat(file.getShort(10)).isEqualTo((short) 5);
    assertThat(file.getLong(16)).isEqualTo(30 * 128 / 8);
    assertThat(file.getShort(24)).isEqualTo((short) 1);
    assertThat(file.getShort(26)).isEqualTo((short) 10);
    assertThat(file.getInt(28)).isEqualTo(20);
    assertThat(file.getLong(32)).isEqualTo(128);
    assertThat(file.getLong(40)).isEqualTo(42);
    assertThat(file.getLong(48)).isEqualTo(5);
    assertThat(file.getDouble(56)).isEqualTo(0.01);
    assertThat(file.getLong(64)).isZero();
    assertThat(file.getLong(72)).isEqualTo(3);
    // 53 puts: ten generations have ended, and each moved the youngest slice down by one
    assertThat(file.getInt(80)).isEqualTo(20);
  }

  @Test
  void aWindowOfTimeIsWrittenAsTheFormatSays() {
    ByteBuffer file = view(time());
    long generations = file.getInt(28);
    assertThat(file.getLong(64)).isEqualTo((3_600_000_000_000L - 1) / generations + 1);
    assertThat(file.getLong(72)).isEqualTo(1_600_000_000_123_456_789L);
    assertThat(file.getInt(80)).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "26, 2, 0, hashes",
    "26, 2, 65, hashes",
    "26, 2, 65535, hashes",
    "28, 4, 0, generations",
    "28, 4, 1025, generations",
    "28, 4, 4294967295, generations",
    "32, 8, 0, bits of a slice",
    "32, 8, 65, bits of a slice",
    "32, 8, -64, bits of a slice",
    "32, 8, 9223372036854775744, bits of a slice",
    "48, 8, 0, keys of a generation",
    "48, 8, -1, keys of a generation",
    "48, 8, 461168601842738791, keys of a generation",
    "56, 8, 0, fpp",
    "56, 8, 4607182418800017408, fpp",
    "56, 8, -1, fpp",
    "72, 8, 6, state",
    "72, 8, -1, state",
    "80, 4, 30, youngest slice",
    "80, 4, 4294967295, youngest slice",
    "84, 1, 1, reserved byte",
    "123, 1, 1, reserved byte",
    "16, 8, 472, payload length",
    "28, 4, 21, payload length",
    "32, 8, 192, payload length",
  })
  void aParameterOutOfRangeIsBlamedByItsName(int at, int length, String value, String field) {
    long number = value.startsWith("-") ? Long.parseLong(value) : Long.parseUnsignedLong(value);
    int blamed = field.equals("payload length") ? 16 : at;
    FormatException refusal = refusal(with(puts(), at, length, number));
    assertThat(refusal).hasMessageContaining(field + " at byte " + blamed);
    assertThat(refusal.offset()).isEqualTo(blamed);
  }

  @Test
  void limitsOfTheParametersHoldOnBothSides() throws IOException {
    assertThat(read(with(puts(), 48, 8, Long.MAX_VALUE / 20)).sizing().generationKeys())
        .isEqualTo(Long.MAX_VALUE / 20);
    assertThat(read(with(puts(), 72, 8, 5)).mightContainHash(1)).isFalse();
    assertThat(read(with(puts(), 80, 4, 29)).bitSize()).isEqualTo(30 * 128);
    assertThat(refusal(with(puts(), 32, 8, MAX_BITS))).hasMessageContaining("payload length");
    assertThat(refusal(with(puts(), 32, 8, MAX_BITS + 64))).hasMessageContaining("bits of a slice");
    long most = Long.MAX_VALUE / view(time()).getInt(28);
    assertThat(read(with(time(), 64, 8, most)).duration().orElseThrow().toNanos())
        .isEqualTo(most * view(time()).getInt(28));
    for (long nanos : new long[] {most + 1, -1, Long.MIN_VALUE}) {
      assertThat(refusal(with(time(), 64, 8, nanos)))
          .hasMessageContaining("nanoseconds of a generation at byte 64: expected 0 to " + most);
    }
  }

  @Test
  void anyInstantMayHaveBeenTheLast() throws IOException {
    for (long start : new long[] {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE}) {
      for (long nanos : new long[] {1, 1_000, Long.MAX_VALUE / view(time()).getInt(28)}) {
        byte[] file = with(with(time(), 72, 8, start), 64, 8, nanos);
        WindowedBloomFilter<Long> read = read(file);
        assertThat(read.toByteArray()).isEqualTo(file);
        read.put(7L);
        assertThat(read.mightContain(7L)).isTrue();
      }
    }
  }

  @Test
  void whateverIsReadWritesItselfBack() {
    SplittableRandom random = new SplittableRandom(1);
    int read = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] file = random.nextBoolean() ? puts() : time();
      for (int change = random.nextInt(3); change >= 0; change--) {
        int at = 24 + random.nextInt(64);
        file[at] = (byte) random.nextInt(random.nextBoolean() ? 4 : 256);
      }
      repair(file);
      try {
        WindowedBloomFilter<Long> filter = read(file);
        assertThat(filter.toByteArray()).isEqualTo(file);
        filter.put(7L);
        assertThat(filter.mightContain(7L)).isTrue();
        assertThat(filter.expectedFpp()).isBetween(0.0, 1.0);
        assertThat(filter.expectedWrongDrops()).isNotNegative();
        read++;
      } catch (IOException e) {
        assertThat(e).isInstanceOf(FormatException.class);
      }
    }
    assertThat(read).isGreaterThan(1_000);
  }

  private static byte[] puts() {
    WindowedBloomFilter<Long> filter =
        WindowedBloomFilter.<Long>builder(KeyHasher.longs()).window(100).fpp(0.01).seed(42).build();
    Keys.hashes(1, 53).forEach(filter::putHash);
    return filter.toByteArray();
  }

  private static byte[] time() {
    WindowedBloomFilter<Long> filter =
        WindowedBloomFilter.<Long>builder(KeyHasher.longs())
            .window(Duration.ofHours(1))
            .expectedKeys(100)
            .fpp(0.01)
            .clock(CLOCK)
            .build();
    Keys.hashes(1, 53).forEach(filter::putHash);
    return filter.toByteArray();
  }

  private static ByteBuffer view(byte[] file) {
    return ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] with(byte[] file, int at, int length, long value) {
    for (int i = 0; i < length; i++) {
      file[at + i] = (byte) (value >>> (8 * i));
    }
    return repair(file);
  }

  private static byte[] repair(byte[] file) {
    CRC32C header = new CRC32C();
    header.update(file, 0, 124);
    view(file).putInt(124, (int) header.getValue());
    CRC32C all = new CRC32C();
    all.update(file, 0, file.length - 4);
    view(file).putInt(file.length - 4, (int) all.getValue());
    return file;
  }

  private static WindowedBloomFilter<Long> read(byte[] file) throws IOException {
    return WindowedBloomFilter.readFrom(
        new ByteArrayInputStream(file), KeyHasher.longs(), Long.MAX_VALUE, CLOCK);
  }

  private static FormatException refusal(byte[] file) {
    try {
      read(file);
    } catch (FormatException e) {
      return e;
    } catch (IOException e) {
      throw new AssertionError("refused in the wrong way", e);
    }
    throw new AssertionError("taken for a filter");
  }
}
