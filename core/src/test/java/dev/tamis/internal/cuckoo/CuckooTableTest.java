package dev.tamis.internal.cuckoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.internal.bits.Mixing;
import dev.tamis.internal.bits.SetBits;
import dev.tamis.internal.bits.Words;
import dev.tamis.sizing.CuckooSizing;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CuckooTableTest {

  private static final BigInteger TWO_TO_THE_64 = BigInteger.ONE.shiftLeft(Long.SIZE);

  static IntStream widths() {
    return IntStream.rangeClosed(4, 32);
  }

  @ParameterizedTest
  @MethodSource("widths")
  void thePartnerOfThePartnerIsTheBucketAndNeverTheSame(int width) {
    SplittableRandom random = new SplittableRandom(width);
    for (long buckets : new long[] {2, 4, 6, 10, 62, 64, 1_000, 99_998}) {
      CuckooTable table = table(width, buckets);
      for (int i = 0; i < 200; i++) {
        long hash = random.nextLong();
        long bucket = table.bucket(hash);
        int fingerprint = table.fingerprint(hash);
        long partner = table.partner(bucket, fingerprint);
        assertThat(fingerprint).isNotZero();
        assertThat(Integer.toUnsignedLong(fingerprint)).isLessThan(1L << width);
        assertThat(bucket).isBetween(0L, buckets - 1);
        assertThat(partner).isBetween(0L, buckets - 1);
        assertThat((partner ^ bucket) & 1).isOne();
        assertThat(table.partner(partner, fingerprint)).isEqualTo(bucket);
      }
    }
  }

  /** Once more as docs/format.md has it, in whole numbers without end. */
  @ParameterizedTest
  @MethodSource("widths")
  void liesWhereTheFormatSays(int width) {
    SplittableRandom random = new SplittableRandom(width);
    for (long buckets : new long[] {2, 62, 99_998}) {
      CuckooTable table = table(width, buckets);
      for (int i = 0; i < 100; i++) {
        long hash = random.nextLong();
        long values = (1L << width) - 1;
        BigInteger v = BigInteger.ONE.add(reduce(unsigned(Mixing.draw(hash, 1)), values));
        BigInteger b = reduce(unsigned(hash), buckets);
        BigInteger d = unsigned(Mixing.draw(v.longValueExact(), 1));
        BigInteger spread = v.shiftLeft(64 - width).add(d.shiftRight(width));
        BigInteger o = reduce(spread, buckets / 2).shiftLeft(1).add(BigInteger.ONE);
        BigInteger other = o.subtract(b).mod(BigInteger.valueOf(buckets));

        assertThat(Integer.toUnsignedLong(table.fingerprint(hash))).isEqualTo(v.longValueExact());
        assertThat(table.bucket(hash)).isEqualTo(b.longValueExact());
        assertThat(table.partner(b.longValueExact(), v.intValue()))
            .isEqualTo(other.longValueExact());
      }
    }
  }

  @Test
  void fingerprintsAndPartnersAreSpreadEvenly() {
    CuckooTable table = table(4, 30);
    int draws = 150_000;
    int[] fingerprints = new int[16];
    int[] partners = new int[30];
    new SplittableRandom(1)
        .longs(draws)
        .forEach(
            hash -> {
              int fingerprint = table.fingerprint(hash);
              fingerprints[fingerprint]++;
              partners[(int) table.partner(table.bucket(hash), fingerprint)]++;
            });
    assertThat(fingerprints[0]).isZero();
    for (int i = 1; i < 16; i++) {
      assertThat((double) fingerprints[i]).isCloseTo(draws / 15.0, within(500.0));
    }
    for (int partner : partners) {
      assertThat((double) partner).isCloseTo(draws / 30.0, within(350.0));
    }
  }

  /** With 4 bits there are 15 fingerprints; a bucket among 30 has nearly as many partners. */
  @Test
  void fewFingerprintsStillHaveManyPartners() {
    CuckooTable table = table(4, 30);
    Set<Long> partners = new HashSet<>();
    for (int fingerprint = 1; fingerprint < 16; fingerprint++) {
      partners.add(table.partner(0, fingerprint));
    }
    assertThat(partners).hasSizeGreaterThanOrEqualTo(11);
  }

  @ParameterizedTest
  @CsvSource({
    "5, 1000, 200",
    "8, 1000, 200",
    "12, 10000, 50",
    "6, 100000, 10",
    "12, 100000, 10",
    "20, 100000, 5",
    "12, 1000000, 2"
  })
  void takesNinetyFivePercentOfItsSlots(int width, int slots, int seeds) {
    for (int seed = 0; seed < seeds; seed++) {
      CuckooTable table = table(width, slots / 4);
      long keys = (long) (0.95 * slots);
      assertThat(new SplittableRandom(seed).longs(keys).allMatch(table::store)).isTrue();
      assertThat(table.used()).isEqualTo(keys);
    }
  }

  /** Small filters fill less, and the sizing knows it. */
  @ParameterizedTest
  @CsvSource({
    "1, 2000",
    "2, 2000",
    "7, 2000",
    "8, 2000",
    "9, 2000",
    "20, 2000",
    "32, 2000",
    "33, 2000",
    "50, 2000",
    "100, 1000",
    "200, 1000",
    "500, 1000",
    "1000, 500",
    "7000, 50",
    "7200, 50"
  })
  void theSizingHasRoomForEveryKey(int keys, int seeds) {
    for (double fpp : new double[] {0.5, 0.2, 0.01, 1e-5}) {
      CuckooSizing sizing = CuckooSizing.forKeys(keys, fpp);
      for (int seed = 0; seed < seeds; seed++) {
        CuckooTable table = new CuckooTable(sizing);
        assertThat(
                new SplittableRandom(seed)
                    .longs(keys)
                    .allMatch(hash -> table.copies(hash) == 8 || table.store(hash)))
            .isTrue();
      }
    }
  }

  /**
   * What the table holds, whatever was moved, is what was stored: fingerprints with their pairs.
   */
  @ParameterizedTest
  @ValueSource(ints = {4, 7, 13, 16, 17, 27, 32})
  void movesKeepEveryFingerprintInItsPair(int width) {
    CuckooTable table = table(width, 250);
    Map<String, Integer> expected = new HashMap<>();
    SplittableRandom random = new SplittableRandom(width);
    while (true) {
      long hash = random.nextLong();
      long bucket = table.bucket(hash);
      int fingerprint = table.fingerprint(hash);
      if (!table.store(hash)) {
        break;
      }
      expected.merge(pair(table, bucket, fingerprint), 1, Integer::sum);
      assertThat(table.copies(hash)).isEqualTo(expected.get(pair(table, bucket, fingerprint)));
    }
    assertThat(table.used()).isGreaterThan(900);
    assertThat(contents(table)).isEqualTo(expected);
    long used = table.used();
    table.recount();
    assertThat(table.used()).isEqualTo(used);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 12, 20})
  void whatFindsNoRoomChangesNothing(int width) {
    CuckooTable table = table(width, 50);
    SplittableRandom random = new SplittableRandom(1);
    int refused = 0;
    while (refused < 200) {
      Words before = table.slots().words().copy();
      long used = table.used();
      if (!table.store(random.nextLong())) {
        refused++;
        assertThat(table.slots().words()).isEqualTo(before);
        assertThat(table.used()).isEqualTo(used);
      }
    }
  }

  /** Eight copies are in the way of every path; whatever else moves, they stay. */
  @Test
  void eightCopiesAreNeverMovedOrLost() {
    for (int seed = 0; seed < 20; seed++) {
      CuckooTable table = table(6, 20);
      SplittableRandom random = new SplittableRandom(seed);
      long saturated = random.nextLong();
      for (int i = 0; i < 8; i++) {
        assertThat(table.store(saturated)).isTrue();
      }
      for (int i = 0; i < 500; i++) {
        long hash = random.nextLong();
        if (table.copies(hash) < 8) {
          table.store(hash);
        }
        assertThat(table.copies(saturated)).isEqualTo(8);
      }
    }
  }

  /** Seven are counted right while others are pushed around them and they are pushed themselves. */
  @Test
  void copiesSurviveBeingMoved() {
    for (int seed = 0; seed < 20; seed++) {
      CuckooTable table = table(16, 40);
      SplittableRandom random = new SplittableRandom(seed);
      for (int i = 0; i < 60; i++) {
        table.store(random.nextLong());
      }
      long hash = random.nextLong();
      int stored = 0;
      while (stored < 7 && table.store(hash)) {
        stored++;
      }
      for (int i = 0; i < 200; i++) {
        table.store(random.nextLong());
        assertThat(table.copies(hash)).isGreaterThanOrEqualTo(stored);
      }
      for (int i = 0; i < stored; i++) {
        table.take(hash);
      }
      assertThat(table.copies(hash)).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 8, 17})
  void fppIsTheShareOfAllFingerprintsInAllBucketsThatAreFound(int width) {
    long buckets = 20;
    CuckooTable table = table(width, buckets);
    SplittableRandom random = new SplittableRandom(width);
    for (int i = 0; i < 70; i++) {
      long hash = i % 5 == 0 ? 7 : random.nextLong();
      table.store(hash);
    }
    long found = 0;
    long values = (1L << width) - 1;
    for (long bucket = 0; bucket < buckets; bucket++) {
      for (int fingerprint = 1; fingerprint <= values; fingerprint++) {
        boolean here = isIn(table, bucket, fingerprint);
        found += here || isIn(table, table.partner(bucket, fingerprint), fingerprint) ? 1 : 0;
      }
    }
    assertThat(table.fpp()).isCloseTo((double) found / buckets / values, within(1e-12));
  }

  /**
   * The last buckets of a table of more than 2³¹ slots are reached, and only the pair is touched.
   */
  @Tag("thorough")
  @Test
  void reachesPastTwoToThe31Slots() {
    CuckooTable table = new CuckooTable(new CuckooSizing(5, 3L << 28, 1, 0.5));
    SplittableRandom random = new SplittableRandom(1);
    long[] hashes = random.longs(1_000_000).toArray();
    long highest = 0;
    for (long hash : hashes) {
      table.store(hash);
      highest = Math.max(highest, table.bucket(hash));
    }
    assertThat(highest).isGreaterThan(1L << 29);
    assertThat(LongStream.of(hashes).allMatch(table::mightContain)).isTrue();
    assertThat(table.used()).isEqualTo(hashes.length);
    assertThat(table.fpp()).isCloseTo(2e6 / 31 / (3L << 28), within(1e-6));
    for (long hash : hashes) {
      table.take(hash);
    }
    assertThat(SetBits.count(table.slots().words())).isZero();
  }

  private static CuckooTable table(int width, long buckets) {
    return new CuckooTable(new CuckooSizing(width, buckets, 1, 0.5));
  }

  private static boolean isIn(CuckooTable table, long bucket, int fingerprint) {
    return IntStream.range(0, 4).anyMatch(s -> table.slots().get(4 * bucket + s) == fingerprint);
  }

  private static Map<String, Integer> contents(CuckooTable table) {
    Map<String, Integer> contents = new HashMap<>();
    for (long slot = 0; slot < table.slots().slots(); slot++) {
      int fingerprint = table.slots().get(slot);
      if (fingerprint != 0) {
        contents.merge(pair(table, slot / 4, fingerprint), 1, Integer::sum);
      }
    }
    return contents;
  }

  private static String pair(CuckooTable table, long bucket, int fingerprint) {
    return Math.min(bucket, table.partner(bucket, fingerprint)) + ":" + fingerprint;
  }

  private static BigInteger unsigned(long value) {
    return new BigInteger(Long.toUnsignedString(value));
  }

  private static BigInteger reduce(BigInteger value, long range) {
    return value.multiply(BigInteger.valueOf(range)).divide(TWO_TO_THE_64);
  }
}
