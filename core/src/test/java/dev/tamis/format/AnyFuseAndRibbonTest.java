package dev.tamis.format;

import static dev.tamis.format.BothReaders.assertSameAnswers;
import static dev.tamis.format.BothReaders.assertTaken;
import static dev.tamis.format.ReferenceFrame.set;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.HashedFilter;
import dev.tamis.Thorough;
import dev.tamis.filter.RibbonFilter;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Frames of kinds 6 and 7, at random or at a limit wherever docs/format.md leaves a choice: the
 * real reader takes what that text allows, and answers as it says.
 */
class AnyFuseAndRibbonTest {

  private static final int FILES = Thorough.or(40, 150);

  private final Random random = new Random(42);

  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void anySlotsAreAFuseFilter(int a) throws Exception {
    int in = 0;
    for (int i = 0; i < FILES; i++) {
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
    for (int i = 0; i < FILES; i++) {
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

  private int between(int least, int most) {
    return least + random.nextInt(most - least + 1);
  }
}
