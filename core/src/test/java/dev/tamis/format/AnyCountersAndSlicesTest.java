package dev.tamis.format;

import static dev.tamis.format.BothReaders.assertSameAnswers;
import static dev.tamis.format.BothReaders.assertTaken;
import static dev.tamis.format.ReferenceFrame.set;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Keys;
import dev.tamis.Thorough;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Frames of kinds 3 and 5, at random or at a limit wherever docs/format.md leaves a choice: the
 * real reader takes what that text allows, and answers as it says.
 */
class AnyCountersAndSlicesTest {

  private static final int FILES = Thorough.or(8, 24);
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
  @ValueSource(longs = {0, 1, 1_000, Long.MAX_VALUE / 1024})
  void anySlicesAreAWindow(long d) throws Exception {
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
      int k = between(1, 6);
      int l = between(1, 12);
      byte[] file = window(k, l, 64 * between(1, 3));
      set(file, 64, 8, d);
      set(file, 72, 8, d == 0 ? between(0, 9) : states[i % states.length]);
      set(file, 80, 4, random.nextInt(k + l));
      for (Instant now : instants) {
        in += assertSameAnswers(file, now);
      }
    }
    assertThat(in).isPositive();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 1_000, Long.MAX_VALUE / 1024})
  void anySlicesArePutTo(long d) throws Exception {
    for (int i = 0; i < FILES; i++) {
      int k = between(1, 6);
      int l = between(1, 12);
      byte[] file = window(k, l, 64);
      set(file, 64, 8, d);
      set(file, 72, 8, d == 0 ? between(0, 9) : random.nextLong());
      set(file, 80, 4, random.nextInt(k + l));
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
    "1, 1, 64, true",
    "0, 1, 64, false",
    "64, 1, 64, true",
    "65, 1, 64, false",
    "1, 0, 64, false",
    "1, 1024, 64, true",
    "1, 1025, 64, false",
    "64, 1024, 128, true",
    "1, 1, 0, false",
    "1, 1, 32, false",
    "2, 2, 96, false",
    "3, 5, 72, false",
  })
  void slicesHaveLimits(int k, int l, int m, boolean taken) {
    assertTaken(window(k, l, m), taken);
  }

  /** With l = 3, of which 2^63 − 1 is 3 · 3074457345618258602 + 1. */
  @ParameterizedTest
  @CsvSource({
    "48, 0, false",
    "48, 1, true",
    "48, 3074457345618258602, true",
    "48, 3074457345618258603, false",
    "64, -1, false",
    "64, 3074457345618258602, true",
    "64, 3074457345618258603, false",
    "72, -1, false",
    "72, 9, true",
    "72, 10, false",
  })
  void numbersOfAWindowHaveLimits(int at, long value, boolean taken) {
    assertTaken(Bytes.with(window(2, 3, 64), at, 8, value), taken);
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE})
  void aWindowOfTimeMayHaveBegunAtAnyInstant(long state) {
    byte[] file = window(2, 3, 64);
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

  private byte[] window(int k, int l, int m) {
    byte[] payload = new byte[(k + l) * m / 8];
    random.nextBytes(payload);
    byte[] file = BothReaders.file(5, 0.01, payload);
    set(file, 26, 2, k);
    set(file, 28, 4, l);
    set(file, 32, 8, m);
    set(file, 48, 8, 9);
    return file;
  }

  private int between(int least, int most) {
    return least + random.nextInt(most - least + 1);
  }
}
