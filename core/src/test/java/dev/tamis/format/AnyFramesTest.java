package dev.tamis.format;

import static dev.tamis.format.BothReaders.assertSameAnswers;
import static dev.tamis.format.BothReaders.assertTaken;
import static dev.tamis.format.ReferenceFrame.set;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.HashedFilter;
import dev.tamis.Keys;
import dev.tamis.Thorough;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.filter.RibbonFilter;
import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Frames of kinds 3, 5, 6 and 7, at random or at a limit wherever docs/format.md leaves a choice:
 * the real reader takes what that text allows, and answers as it says.
 */
class AnyFramesTest {

  private static final int FILES = Thorough.or(8, 24);
  private static final int STATIC_FILES = Thorough.or(40, 150);
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final long NOW_NANOS = NOW.getEpochSecond() * 1_000_000_000;

  private final Random random = new Random(42);

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 6})
  void anyCountersAreAFilter(int layout) throws Exception {
    int in = 0;
    for (int i = 0; i < FILES; i++) {
      int k = hashes(layout);
      int m = layout <= 2 ? k * between(33, 300) : 512 * between(2, 5);
      in += assertSameAnswers(counting(layout, k, m, between(2, 16)), NOW);
    }
    assertThat(in).isPositive();
  }

  private int hashes(int layout) {
    return switch (layout) {
      case 4 -> 8 * between(1, 2);
      case 6 -> 16 * between(1, 2);
      default -> 2 * between(1, 8);
    };
  }

  @ParameterizedTest
  @CsvSource({"'', true", "l, true", "(t(ib)), true", "'t\0l', false", "x, false", "-k 2, true"})
  void aTypeOfKeysIsKept(String type, boolean taken) {
    byte[] file = BothReaders.file(1, 0.01, new byte[64]);
    set(file, 26, 2, 4);
    set(file, 28, 4, 8);
    set(file, 32, 8, 512);
    set(file, 48, 8, 9);
    for (int i = 0; i < type.length(); i++) {
      set(file, 64 + i, 1, type.charAt(i));
    }
    assertTaken(file, taken);
  }

  /** Keys that were never put are removed too, and probes meet in few counters. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 6})
  void anyCountersArePutToAndRemovedFrom(int layout) throws Exception {
    for (int w : new int[] {2, 3, 5, 16}) {
      byte[] file =
          Bytes.repaired(counting(layout, layout == 6 ? 16 : 8, layout <= 2 ? 80 : 1024, w));
      ReferenceCounting reference = ReferenceCounting.read(file);
      CountingBloomFilter<CharSequence> filter =
          CountingBloomFilter.readFrom(
              new ByteArrayInputStream(file), KeyHasher.text(), Bytes.LIMIT);
      for (long hash : Keys.hashes(2, 300).toArray()) {
        if (random.nextInt(3) == 0) {
          filter.putHash(hash);
          reference.put(hash);
        } else {
          assertThat(filter.removeHash(hash)).isEqualTo(reference.remove(hash));
        }
        assertThat(Bytes.of(filter)).isEqualTo(reference.toBytes());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0, false", "1, false", "2, true", "16, true", "17, false", "64, false"})
  void bitsOfACounterHaveLimits(int w, boolean taken) {
    byte[] file = counting(1, 3, 640, Math.max(1, w));
    set(file, 64, 2, w);
    assertTaken(file, taken);
  }

  /** Twelve counters of five bits in each word, and four in the last. */
  @Test
  void bitsThatBelongToNoCounterAreZero() {
    byte[] file = counting(1, 3, 64, 5);
    for (int bit = 0; bit < 6 * 64; bit++) {
      byte[] changed = file.clone();
      ReferenceBits.set(changed, 8 * 128 + bit, 1, 1);
      assertTaken(changed, bit % 64 < (bit < 5 * 64 ? 60 : 20));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 1_000, Long.MAX_VALUE / 8})
  void anyBlocksAreAWindow(long d) throws Exception {
    Instant[] instants = {
      NOW,
      Instant.EPOCH,
      NOW.plusNanos(d),
      NOW.plusNanos(5_000),
      NOW.minusNanos(5_000),
      Instant.ofEpochSecond(0, Long.MAX_VALUE),
      Instant.ofEpochSecond(0, Long.MIN_VALUE),
      Instant.MAX,
      Instant.MIN,
    };
    long[] states = {NOW_NANOS, 0, -1, Long.MAX_VALUE, Long.MIN_VALUE, NOW_NANOS - 7 * d};
    int in = 0;
    for (int i = 0; i < FILES; i++) {
      byte[] file = window(between(1, 4), between(1, 3));
      set(file, 64, 8, d);
      set(file, 72, 8, d == 0 ? between(0, 8) : states[i % states.length]);
      set(file, 28, 4, random.nextInt(8));
      for (Instant now : instants) {
        in += assertSameAnswers(file, now);
      }
    }
    assertThat(in).isPositive();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 1_000, Long.MAX_VALUE / 8})
  void anyBlocksArePutTo(long d) throws Exception {
    for (int i = 0; i < FILES; i++) {
      byte[] file = window(between(1, 4), between(1, 3));
      set(file, 64, 8, d);
      set(file, 72, 8, d == 0 ? between(0, 8) : random.nextLong());
      set(file, 28, 4, random.nextInt(8));
      byte[] repaired = Bytes.repaired(file);
      AtomicReference<Instant> now = new AtomicReference<>(NOW);
      ReferenceWindow reference = ReferenceWindow.read(repaired);
      WindowedBloomFilter<CharSequence> filter =
          WindowedBloomFilter.readFrom(
              new ByteArrayInputStream(repaired), KeyHasher.text(), Bytes.LIMIT, now::get);
      for (long hash : Keys.hashes(2, 30).toArray()) {
        now.set(Instant.ofEpochSecond(0, random.nextLong()));
        filter.putHash(hash);
        reference.put(hash, now.get());
        assertThat(Bytes.of(filter)).isEqualTo(reference.toBytes());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, true",
    "0, 1, false",
    "4, 1, true",
    "5, 1, false",
    "1, 0, false",
    "3, 7, true",
  })
  void blocksOfAWindowHaveLimits(int b, int n, boolean taken) {
    assertTaken(window(b, n), taken);
  }

  /** 2^63 − 1 is 8 · 1152921504606846975 + 7. */
  @ParameterizedTest
  @CsvSource({
    "28, 7, true",
    "28, 8, false",
    "48, 0, false",
    "48, 8, false",
    "48, 9, true",
    "48, 1152921504606846975, true",
    "48, 1152921504606846976, false",
    "64, -1, false",
    "64, 1152921504606846975, true",
    "64, 1152921504606846976, false",
    "72, -1, false",
    "72, 8, true",
    "72, 9, false",
  })
  void numbersOfAWindowHaveLimits(int at, long value, boolean taken) {
    byte[] file = Bytes.with(window(2, 3), 72, 8, at == 48 ? 8 : 0);
    assertTaken(Bytes.with(file, at, at == 28 ? 4 : 8, value), taken);
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE})
  void aWindowOfTimeMayHaveBegunAtAnyInstant(long state) {
    byte[] file = window(2, 3);
    set(file, 64, 8, 1);
    assertTaken(Bytes.with(file, 72, 8, state), true);
  }

  private byte[] counting(int layout, int k, int m, int w) {
    int c = 64 / w;
    byte[] payload = new byte[8 * ((m + c - 1) / c)];
    for (int i = 0; i < m; i++) {
      long value = random.nextInt(8) == 0 ? 0 : random.nextInt(1 << Math.min(w, 16));
      ReferenceBits.set(payload, 64L * (i / c) + (long) w * (i % c), w, value);
    }
    byte[] file = BothReaders.file(3, 0.01, payload);
    set(file, 26, 2, layout);
    set(file, 28, 4, k);
    set(file, 32, 8, m);
    set(file, 48, 8, 100);
    set(file, 64, 2, w);
    return file;
  }

  private byte[] window(int b, int n) {
    byte[] payload = new byte[128 * b * n];
    random.nextBytes(payload);
    for (int i = 0; i < payload.length; i++) {
      payload[i] |= (byte) random.nextInt(); // or few keys of several blocks would be in
    }
    byte[] file = BothReaders.file(5, 0.01, payload);
    set(file, 26, 2, b);
    set(file, 32, 8, n);
    set(file, 48, 8, 9);
    return file;
  }

  private int between(int least, int most) {
    return least + random.nextInt(most - least + 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void anySlotsAreAFuseFilter(int a) throws Exception {
    int in = 0;
    for (int i = 0; i < STATIC_FILES; i++) {
      byte[] file = fuse(a, between(1, 5), 1 << between(0, 7), 1 << between(0, 6), between(1, 12));
      in += assertSameAnswers(file, Instant.EPOCH);
    }
    assertThat(in).isPositive();
  }

  @ParameterizedTest
  @CsvSource({
    "3, 1, 1, 1, 1, true",
    "2, 1, 1, 1, 1, false",
    "5, 1, 1, 1, 1, false",
    "4, 32, 1, 1, 1, true",
    "3, 1, 0, 1, 1, false",
    "3, 1, 3, 1, 1, false",
    "3, 1, 65536, 1, 1, true",
    "3, 1, 2097152, 1, 1, false",
    "3, 1, 1, 0, 1, false",
    "3, 1, 1, 3, 1, false",
    "3, 1, 1, 262144, 1, true",
    "3, 1, 1, 524288, 1, false",
    "3, 1, 1, 64, 0, false",
  })
  void sizesOfAFuseFilterHaveLimits(int a, int f, int shards, int l, int c, boolean taken) {
    assertTaken(fuse(a, f, shards, l, c), taken);
  }

  @Test
  void aFuseFilterHasAsManyFingerprintBitsAsItsFppNeeds() {
    for (int f = 1; f <= 32; f++) {
      double fpp = Math.scalb(1.0, -f);
      byte[] file = fuse(3, f, 2, 8, 3);
      assertTaken(withFpp(file, Math.nextDown(fpp)), false);
      assertTaken(withFpp(file, fpp), true);
      assertTaken(withFpp(file, Math.nextUp(fpp)), true);
      assertTaken(withFpp(file, Math.nextDown(2 * fpp)), true);
      assertTaken(withFpp(file, 2 * fpp), false);
    }
  }

  /** Two shards of five segments of eight slots. */
  @ParameterizedTest
  @CsvSource({"-1, false", "0, true", "80, true", "81, false"})
  void aFuseFilterHasNoMoreKeysThanSlots(long keys, boolean taken) {
    assertTaken(Bytes.with(fuse(3, 3, 2, 8, 3), 48, 8, keys), taken);
  }

  @Test
  void nothingIsInAFilterWithoutKeys() throws Exception {
    byte[] fuse = Bytes.with(fuse(3, 1, 1, 8, 3), 48, 8, 0);
    assertThat(assertSameAnswers(fuse, Instant.EPOCH)).isZero();
    byte[] ribbon = ribbon(3);
    set(ribbon, 48, 8, 0);
    assertThat(assertSameAnswers(ribbon, Instant.EPOCH)).isZero();
  }

  /**
   * Three bits for each of 40 slots fill 120 bits of two words; two seeds take two bytes of one.
   */
  @Test
  void seedsAndSlotsAreFollowedByZeros() {
    byte[] file = fuse(3, 3, 2, 4, 3);
    for (int bit = 0; bit < 3 * 64; bit++) {
      byte[] changed = file.clone();
      ReferenceBits.set(changed, 8 * 128 + bit, 1, 1);
      assertTaken(changed, bit < 16 || (bit >= 64 && bit < 64 + 120));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7})
  void anyLayersAreARibbonFilter(int c) throws Exception {
    int in = 0;
    for (int i = 0; i < STATIC_FILES; i++) {
      byte[][] layers = new byte[between(1, 6)][];
      for (int j = 0; j < layers.length; j++) {
        int blocks = between(2, 140);
        layers[j] = layer(blocks, random.nextInt(blocks + 1), c, j == layers.length - 1);
      }
      in += assertSameAnswers(ribbon(c, layers), Instant.EPOCH);
    }
    assertThat(in).isPositive();
  }

  @ParameterizedTest
  @CsvSource({"1, true", "64, true", "65, false"})
  void layersHaveALimit(int count, boolean taken) {
    byte[][] layers = new byte[count][];
    Arrays.fill(layers, layer(2, 2, 1, true));
    assertTaken(ribbon(1, layers), taken);
  }

  @ParameterizedTest
  @CsvSource({"0, 0, false", "1, 0, false", "2, 0, true", "2, 2, true", "2, 3, false"})
  void blocksHaveLimits(int blocks, int narrow, boolean taken) {
    assertTaken(ribbon(2, layer(blocks, narrow, 2, true)), taken);
  }

  /** With one column, and not even that in a narrow block, 2^31 slots take few megabytes. */
  @Test
  void slotsMayBeMoreThanAnIntCounts() throws Exception {
    byte[] many = Bytes.repaired(ribbon(1, layer(33_554_433, 33_554_433, 1, true)));
    ReferenceRibbon reference = ReferenceRibbon.read(many);
    HashedFilter<CharSequence> filter = readLarge(new ByteArrayInputStream(many));
    assertThat(filter.mightContainHash(-1)).isEqualTo(reference.mightContain(-1)).isTrue();
  }

  private static HashedFilter<CharSequence> readLarge(InputStream in) throws IOException {
    return RibbonFilter.readFrom(in, KeyHasher.text(), 8 << 20);
  }

  @ParameterizedTest
  @CsvSource({"0, false", "1, true", "32, true", "33, false"})
  void columnsHaveLimits(int c, boolean taken) {
    assertTaken(ribbon(c, layer(4, 0, c, true)), taken);
  }

  @ParameterizedTest
  @CsvSource({"-1, false", "0, false", "1, true", "2199023255552, true", "2199023255553, false"})
  void keysOfARibbonFilterHaveLimits(long keys, boolean taken) {
    assertTaken(Bytes.with(ribbon(2, layer(4, 1, 2, true)), 48, 8, keys), taken);
    assertTaken(Bytes.with(ribbon(2), 48, 8, keys), keys == 0);
  }

  @Test
  void fppOfARibbonFilterHasLimits() {
    byte[] file = ribbon(2, layer(4, 1, 2, true));
    double least = Math.scalb(1.0, -31);
    assertTaken(withFpp(file, Math.nextDown(least)), false);
    assertTaken(withFpp(file, least), true);
    assertTaken(withFpp(file, Math.nextDown(1.0)), true);
    assertTaken(withFpp(file, 1), false);
  }

  /** Of 35 pairs of blocks: 70 bits in two words, zeros where the layer is the last. */
  @ParameterizedTest
  @ValueSource(ints = {70, 71})
  void thresholdsAreFollowedByZeros(int blocks) {
    byte[] inner = layer(blocks, 3, 2, false);
    byte[] last = layer(blocks, 3, 2, true);
    byte[] file = ribbon(2, inner, last);
    for (int bit = 0; bit < 2 * 64; bit++) {
      byte[] changed = file.clone();
      ReferenceBits.set(changed, 8 * (128 + 16) + bit, 1, 1);
      assertTaken(changed, bit < 70);
      changed = file.clone();
      ReferenceBits.set(changed, 8 * (128 + inner.length + 16L) + bit, 1, 1);
      assertTaken(changed, false);
    }
  }

  private byte[] fuse(int a, int f, int shards, int l, int c) {
    int seeds = 8 * ((shards + 7) / 8);
    int bits = shards * (c + a - 1) * l * f;
    byte[] payload = new byte[seeds + 8 * ((bits + 63) / 64)];
    for (int i = 0; i < shards; i++) {
      payload[i] = (byte) random.nextInt();
    }
    for (int i = 0; i < bits; i++) {
      ReferenceBits.set(payload, 8L * seeds + i, 1, random.nextInt());
    }
    byte[] file = BothReaders.file(6, Math.scalb(1.0, -f), payload);
    set(file, 26, 2, a);
    set(file, 28, 4, f);
    set(file, 32, 8, shards);
    set(file, 48, 8, 1);
    set(file, 64, 4, l);
    set(file, 68, 4, c);
    return file;
  }

  private static byte[] withFpp(byte[] file, double fpp) {
    return Bytes.with(file, 56, 8, Double.doubleToRawLongBits(fpp));
  }

  private byte[] ribbon(int c, byte[]... layers) {
    byte[] payload = new byte[Arrays.stream(layers).mapToInt(layer -> layer.length).sum()];
    int at = 0;
    for (byte[] layer : layers) {
      System.arraycopy(layer, 0, payload, at, layer.length);
      at += layer.length;
    }
    byte[] file = BothReaders.file(7, 0.25, payload);
    set(file, 26, 2, c);
    set(file, 28, 4, layers.length);
    set(file, 48, 8, 1);
    return file;
  }

  private byte[] layer(int blocks, int narrow, int c, boolean last) {
    int thresholds = 8 * ((blocks / 2 + 31) / 32);
    byte[] layer = new byte[16 + thresholds + 8 * Math.max(0, blocks * c - narrow)];
    random.nextBytes(layer);
    set(layer, 0, 8, blocks);
    set(layer, 8, 8, narrow);
    int used = last ? 0 : 2 * (blocks / 2);
    for (int bit = used; bit < 8 * thresholds; bit++) {
      ReferenceBits.set(layer, 128 + bit, 1, 0);
    }
    return layer;
  }
}
