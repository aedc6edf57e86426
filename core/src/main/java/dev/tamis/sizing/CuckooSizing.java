package dev.tamis.sizing;

import java.util.Locale;

/**
 * The shape of a cuckoo filter together with the keys it is meant for and the requested fpp.
 *
 * <p>A bucket has four slots of one fingerprint each. A key may be in two buckets, so a query
 * compares up to eight fingerprints, each of which is equal to its own with a probability of 1/(2^f
 * − 1): value 0 marks an empty slot.
 *
 * @param fingerprintBits f, the bits of a slot; {@value #MIN_FINGERPRINT_BITS} to {@value
 *     #MAX_FINGERPRINT_BITS}
 * @param buckets B, an even number; 4·B·f is at most {@link Layout#MAX_BITS}
 * @param expectedKeys n, the keys it is meant for; 1 to 4·B
 * @param fpp p, the requested false-positive probability once they are in; strictly between 0 and 1
 * @see <a href="https://doi.org/10.1145/2674005.2674994">Fan, Andersen, Kaminsky, Mitzenmacher
 *     2014, Cuckoo filter: practically better than Bloom</a>
 */
public record CuckooSizing(int fingerprintBits, long buckets, long expectedKeys, double fpp) {

  /*
   * Two things can keep n keys from fitting. Where n is small, luck: the load at which a put first
   * fails is 0.98 in the mean, but spreads, with a long tail that comes from a few buckets drawn
   * too often. Hence the second bound of slotsFor: in simulation, 2*10^8 keys for each of 19 values
   * of n from 8 to 5,000 and each f of 5, 6 and 10, no fill failed. Where n is large and f small, a
   * bucket has only 2^f - 1 partners, and somewhere among so many buckets three meet more keys than
   * they hold. There are B(2^f)^2/2 such threes, and each has 13 Poisson events where 15.2/(2^f -
   * 1) are expected; MIN_BITS_UP_TO keeps the sum below 2e-6.
   */

  /** The slots of a bucket. */
  public static final int SLOTS_PER_BUCKET = 4;

  /** The fewest bits of a fingerprint: with fewer a bucket has too few others to move keys to. */
  public static final int MIN_FINGERPRINT_BITS = 4;

  /** The most bits of a fingerprint; the fpp is 1.8e-9 then. */
  public static final int MAX_FINGERPRINT_BITS = 32;

  /** The share of the slots that a large filter fills. */
  public static final double MAX_LOAD = 0.95;

  /** The most keys for which 4, 5 and 6 fingerprint bits suffice. */
  private static final long[] MIN_BITS_UP_TO = {32, 1 << 20, 1 << 27};

  private static final int SLOTS_PER_KEY = 2 * SLOTS_PER_BUCKET;

  /** The most keys within {@link #MAX_LOAD} of two buckets, which always fit. */
  private static final int KEYS_OF_ONE_PAIR = 7;

  /** Checks the ranges. */
  public CuckooSizing {
    requireFingerprintBits(fingerprintBits);
    requireBuckets(fingerprintBits, buckets);
    requireExpectedKeys(buckets, expectedKeys);
    Checks.fpp(fpp);
  }

  /** Returns {@code fingerprintBits}, if allowed. */
  public static int requireFingerprintBits(int fingerprintBits) {
    return (int)
        Checks.range(
            "fingerprintBits", fingerprintBits, MIN_FINGERPRINT_BITS, MAX_FINGERPRINT_BITS);
  }

  /** Returns {@code buckets}, if allowed with these fingerprints. */
  public static long requireBuckets(int fingerprintBits, long buckets) {
    long mostBuckets = mostBuckets(fingerprintBits);
    if (buckets < 2 || buckets > mostBuckets || buckets % 2 != 0) {
      throw new IllegalArgumentException(
          "buckets must be even and 2 to " + mostBuckets + ", got " + buckets);
    }
    return buckets;
  }

  /** Returns {@code expectedKeys}, if the buckets have a slot for each. */
  public static long requireExpectedKeys(long buckets, long expectedKeys) {
    if (expectedKeys < 1 || expectedKeys > buckets * SLOTS_PER_BUCKET) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "expectedKeys must be 1 to the %d slots, got %d",
              buckets * SLOTS_PER_BUCKET,
              expectedKeys));
    }
    return expectedKeys;
  }

  /**
   * Returns the smallest filter that holds {@code expectedKeys} distinct keys at {@code fpp} or
   * better, and takes them all but for practically no seed.
   *
   * <p>f is the least with 1 − (1 − 1/(2^f − 1))^(2·4·0.95) ≤ p, at least 4, and for more than 32,
   * 2^20 and 2^27 keys at least 5, 6 and 7. Bits are whole, so the fpp may be as low as half of the
   * requested one. The slots are n / 0.95, where n is below 7,200 up to 200 more.
   *
   * @param expectedKeys n, distinct keys expected; at least 1
   * @param fpp p, false-positive probability once they are all in; from about 1.8e-9, below 1
   * @throws IllegalArgumentException if either is out of range, or no filter is as large
   */
  public static CuckooSizing forKeys(long expectedKeys, double fpp) {
    Checks.expectedKeys(expectedKeys);
    Checks.fpp(fpp);
    int bits = Math.max(leastBits(expectedKeys), bitsFor(fpp));
    double pairs = Math.ceil(slotsFor(expectedKeys) / SLOTS_PER_KEY);
    if (2 * pairs > mostBuckets(bits)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d keys at fpp %s need more than the %d bits that a filter can have; split the"
                  + " keys over several filters",
              expectedKeys,
              FppText.exact(fpp),
              Layout.MAX_BITS));
    }
    return new CuckooSizing(bits, 2 * (long) pairs, expectedKeys, fpp);
  }

  private static int bitsFor(double fpp) {
    int bits = MIN_FINGERPRINT_BITS;
    while (fpp(bits, SLOTS_PER_KEY * MAX_LOAD) > fpp) {
      if (bits == MAX_FINGERPRINT_BITS) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "fpp must be at least %s, what fingerprints of %d bits can have, got %s",
                FppText.rounded(fpp(bits, SLOTS_PER_KEY * MAX_LOAD)),
                bits,
                FppText.exact(fpp)));
      }
      bits++;
    }
    return bits;
  }

  private static int leastBits(long keys) {
    int bits = MIN_FINGERPRINT_BITS;
    for (long upTo : MIN_BITS_UP_TO) {
      bits += keys > upTo ? 1 : 0;
    }
    return bits;
  }

  private static double slotsFor(long keys) {
    double full = keys / MAX_LOAD;
    return keys <= KEYS_OF_ONE_PAIR
        ? full
        : Math.max(full, 1.02 * keys + 2.5 * Math.sqrt((double) keys) + 24);
  }

  private static long mostBuckets(int fingerprintBits) {
    return Layout.MAX_BITS / SLOTS_PER_BUCKET / fingerprintBits;
  }

  /** Returns 1 − (1 − 1/(2^f − 1))^met, for {@code met} fingerprints compared. */
  private static double fpp(int fingerprintBits, double met) {
    double values = Math.scalb(1.0, fingerprintBits) - 1;
    return -Math.expm1(met * Math.log1p(-1 / values));
  }

  /** Returns the number of slots: 4·B, the most copies of keys it can hold. */
  public long slots() {
    return buckets * SLOTS_PER_BUCKET;
  }

  /** Returns the length of all slots together, in bits. */
  public long bits() {
    return slots() * fingerprintBits;
  }

  /** Returns the bits for each expected key. */
  public double bitsPerKey() {
    return (double) bits() / expectedKeys;
  }

  /**
   * Returns the fpp with {@code keys} distinct keys in: 1 − (1 − 1/(2^f − 1))^(2n/B). It is never
   * too low, and where f is 4 or 5 up to 3 % too high, because two copies count as two.
   *
   * @param keys n, at least 0; where that is more than the slots, the fpp of a full filter
   */
  public double fpp(long keys) {
    Checks.atLeast("keys", keys, 0);
    return fpp(fingerprintBits, 2.0 * Math.min(keys, slots()) / buckets);
  }
}
