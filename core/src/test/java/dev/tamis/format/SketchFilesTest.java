package dev.tamis.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tamis.Storable;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.Filters;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sketch.CountMinSketch;
import dev.tamis.sketch.DistinctCounter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of sketches: read for ever, refused when damaged, and never taken for filters. */
class SketchFilesTest {

  static Stream<String> names() {
    return GoldenFiles.SKETCHES.stream();
  }

  @ParameterizedTest
  @MethodSource("names")
  void sameKeysMakeTheSameBytes(String name) {
    assertThat(GoldenFiles.sketch(name).toByteArray()).isEqualTo(GoldenFiles.read(name));
  }

  @ParameterizedTest
  @MethodSource("names")
  void fileIsReadAndWritesItselfBack(String name) throws IOException {
    byte[] file = GoldenFiles.read(name);
    Storable read = read(name, in(file));
    assertThat(read).isEqualTo(GoldenFiles.sketch(name));
    assertThat(read.toByteArray()).isEqualTo(file);
    assertThat(read.serializedSize()).isEqualTo(file.length);
  }

  @Test
  void settingsComeBack() throws IOException {
    for (String name : new String[] {"v1-count-min", "v1-count-min-conservative"}) {
      CountMinSketch<CharSequence> sketch = counts(in(GoldenFiles.read(name)));
      assertThat(sketch.width()).isEqualTo(14);
      assertThat(sketch.depth()).isEqualTo(3);
      assertThat(sketch.totalCount()).isEqualTo(550);
      assertThat(sketch.isConservative()).isEqualTo(name.endsWith("conservative"));
      assertThat(sketch.hashId().number()).isEqualTo(GoldenFiles.SEED);
      for (int i = 0; i < GoldenFiles.KEYS; i++) {
        assertThat(sketch.approximateCount(GoldenFiles.key(i)))
            .isGreaterThanOrEqualTo(GoldenFiles.times(i));
      }
    }
    DistinctCounter<CharSequence> counter = distinct(in(GoldenFiles.read("v1-distinct")));
    assertThat(counter.precision()).isEqualTo(6);
    assertThat(counter.hashId().number()).isEqualTo(GoldenFiles.SEED);
    assertThat(counter.approximateElementCount().value()).isBetween(80.0, 120.0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1-count-min", "v1-count-min-conservative"})
  void theSpecificationGivesTheSameCounters(String name) {
    SketchReference.Counters reference =
        new SketchReference.Counters(3, 14, name.endsWith("conservative"));
    for (int i = 0; i < GoldenFiles.KEYS; i++) {
      reference.put(hash(i), GoldenFiles.times(i));
    }
    assertThat(reference.payload()).isEqualTo(payload(GoldenFiles.read(name)));
  }

  @Test
  void theSpecificationGivesTheSameRegisters() {
    SketchReference.Registers reference = new SketchReference.Registers(6);
    for (int i = 0; i < GoldenFiles.KEYS; i++) {
      reference.put(hash(i));
    }
    assertThat(reference.payload()).isEqualTo(payload(GoldenFiles.read("v1-distinct")));
  }

  private static long hash(int key) {
    return ReferencePositions.hashOfText(GoldenFiles.SEED, GoldenFiles.key(key));
  }

  private static byte[] payload(byte[] file) {
    return Arrays.copyOfRange(file, 128, file.length - 4);
  }

  @ParameterizedTest
  @MethodSource("names")
  void whateverTheHeaderSaysIsRefusedOrWrittenBack(String name) throws IOException {
    byte[] file = GoldenFiles.read(name);
    for (int at = 0; at < 124; at++) {
      for (int value = 0; value < 256; value += 5) {
        check(name, Bytes.repaired(Bytes.with(file, at, 1, value)));
      }
    }
    for (int at = 16; at < 64; at += 8) {
      for (long value : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32, 1L << 31}) {
        check(name, Bytes.repaired(Bytes.with(file, at, 8, value)));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void whateverThePayloadIsItIsRefusedOrWrittenBack(String name) throws IOException {
    byte[] file = GoldenFiles.read(name);
    for (int at = 128; at < file.length - 4; at++) {
      for (int value = 0; value < 256; value += 5) {
        check(name, Bytes.repaired(Bytes.with(file, at, 1, value)));
      }
    }
    SplittableRandom random = new SplittableRandom(1);
    for (int trial = 0; trial < 2_000; trial++) {
      byte[] payload = new byte[file.length - 132];
      random.nextBytes(payload);
      byte[] changed = file.clone();
      System.arraycopy(payload, 0, changed, 128, payload.length);
      check(name, Bytes.repaired(changed));
    }
  }

  /** Each parameter is blamed by its own name, at its own place. */
  @ParameterizedTest
  @CsvSource({
    "v1-count-min, 24, 2, 3, hash",
    "v1-count-min, 26, 2, 0, update",
    "v1-count-min, 26, 2, 3, update",
    "v1-count-min, 28, 4, 0, depth",
    "v1-count-min, 28, 4, 45, depth",
    "v1-count-min, 28, 4, 4294967295, depth",
    "v1-count-min, 32, 8, 2, width",
    "v1-count-min, 32, 8, 91625968982, width",
    "v1-count-min, 32, 8, -1, width",
    "v1-count-min, 48, 8, -1, total",
    "v1-count-min, 48, 8, 549, sum of row 0",
    "v1-count-min, 48, 8, 551, sum of row 0",
    "v1-count-min-conservative, 48, 8, 100000, total",
    "v1-count-min-conservative, 48, 8, 1, sum of row 0",
    "v1-count-min, 128, 8, -1, counter",
    "v1-count-min, 128, 8, -9223372036854775808, counter",
    "v1-count-min, 56, 1, 1, reserved byte",
    "v1-distinct, 26, 2, 2, precision",
    "v1-distinct, 26, 2, 27, precision",
    "v1-distinct, 26, 2, 7, payload length",
    "v1-distinct, 28, 1, 1, reserved byte",
    "v1-distinct, 48, 1, 1, reserved byte",
    "v1-distinct, 128, 1, 19, register",
    "v1-distinct, 191, 1, 21, register",
  })
  void parameterIsNamed(String name, int at, int length, long value, String field) {
    byte[] changed = Bytes.repaired(Bytes.with(GoldenFiles.read(name), at, length, value));
    assertThat(refusal(name, changed)).hasMessageStartingWith("not a valid sketch: " + field);
  }

  /** A header of which not a byte follows, and which claims 2 TiB. */
  @Test
  void claimIsRefusedBeforeAnythingIsAllocated() {
    byte[] claim = Arrays.copyOf(GoldenFiles.read("v1-count-min"), 128);
    ReferenceFrame.set(claim, 16, 8, 2_199_023_255_552L);
    ReferenceFrame.set(claim, 28, 4, 1);
    ReferenceFrame.set(claim, 32, 8, 274_877_906_944L);
    byte[] header = Bytes.repaired(claim);
    assertRefused(header, 2_199_023_255_551L, "at most 2199023255551 bytes");
    assumeThat(Runtime.getRuntime().maxMemory()).isLessThan(2_199_023_255_552L);
    assertRefused(header, Long.MAX_VALUE, "does not fit into the heap (the sketch needs");
  }

  private static void assertRefused(byte[] header, long limit, String message) {
    ThrowingCallable reading = () -> CountMinSketch.readFrom(in(header), KeyHasher.text(), limit);
    assertThatThrownBy(reading).isInstanceOf(FormatException.class).hasMessageContaining(message);
    assertThat(Allocation.leastOf(reading)).isLessThan(32 << 10);
  }

  @Test
  void aSketchWithAHashKeyIsReadWithThatKeyOnly() throws IOException {
    KeyHasher<CharSequence> keyed = KeyHasher.text().keyedBy(HashKey.of(new byte[16]));
    CountMinSketch<CharSequence> counts = CountMinSketch.create(keyed, 0.1, 0.1);
    DistinctCounter<CharSequence> distinct = DistinctCounter.create(keyed, 6);
    for (int i = 0; i < GoldenFiles.KEYS; i++) {
      counts.put(GoldenFiles.key(i));
      distinct.put(GoldenFiles.key(i));
    }
    assertThat(CountMinSketch.readFrom(in(counts.toByteArray()), keyed, Bytes.LIMIT))
        .isEqualTo(counts);
    assertThat(DistinctCounter.readFrom(in(distinct.toByteArray()), keyed, Bytes.LIMIT))
        .isEqualTo(distinct);
    assertThat(Refusals.of(counts.toByteArray(), SketchFilesTest::counts))
        .hasMessageContaining("hash at byte 24");
    assertThat(Refusals.of(distinct.toByteArray(), SketchFilesTest::distinct))
        .hasMessageContaining("hash at byte 24");
  }

  @ParameterizedTest
  @CsvSource({"v1-count-min, count-min", "v1-distinct, distinct"})
  void aSketchIsNoFilter(String name, String label) {
    byte[] file = GoldenFiles.read(name);
    assertThatThrownBy(() -> Filters.readFrom(in(file), KeyHasher.text(), Bytes.LIMIT))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("kind at byte 10: expected a filter, got " + label);
    assertThatThrownBy(() -> BloomFilter.readFrom(in(file), KeyHasher.text(), Bytes.LIMIT))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("kind at byte 10: expected 1, got ");
  }

  @ParameterizedTest
  @MethodSource("dev.tamis.format.GoldenFiles#names")
  void aFilterIsNoSketch(String name) {
    byte[] file = GoldenFiles.read(name);
    assertThat(Refusals.of(file, SketchFilesTest::counts))
        .hasMessageContaining("kind at byte 10: expected 8, got ");
    assertThat(Refusals.of(file, SketchFilesTest::distinct))
        .hasMessageContaining("kind at byte 10: expected 9, got ");
  }

  @Test
  void oneSketchIsNotTheOther() {
    assertThat(Refusals.of(GoldenFiles.read("v1-distinct"), SketchFilesTest::counts))
        .hasMessageContaining("expected 8, got 9");
    assertThat(Refusals.of(GoldenFiles.read("v1-count-min"), SketchFilesTest::distinct))
        .hasMessageContaining("expected 9, got 8");
  }

  private static void check(String name, byte[] file) throws IOException {
    Storable read;
    try {
      read = read(name, in(file));
    } catch (FormatException e) {
      refusal(name, file);
      return;
    }
    assertThat(read.toByteArray()).isEqualTo(file);
    if (read instanceof DistinctCounter<?> counter) {
      assertThat(counter.approximateElementCount().value()).isGreaterThanOrEqualTo(0);
    }
  }

  private static FormatException refusal(String name, byte[] file) {
    return Refusals.of(file, in -> read(name, in));
  }

  private static Storable read(String name, InputStream in) throws IOException {
    return name.equals("v1-distinct") ? distinct(in) : counts(in);
  }

  private static CountMinSketch<CharSequence> counts(InputStream in) throws IOException {
    return CountMinSketch.readFrom(in, KeyHasher.text(), Bytes.LIMIT);
  }

  private static DistinctCounter<CharSequence> distinct(InputStream in) throws IOException {
    return DistinctCounter.readFrom(in, KeyHasher.text(), Bytes.LIMIT);
  }

  private static InputStream in(byte[] file) {
    return new ByteArrayInputStream(file);
  }
}
