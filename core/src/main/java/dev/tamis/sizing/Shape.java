package dev.tamis.sizing;

import static java.util.Objects.requireNonNull;

import dev.tamis.Traits;
import dev.tamis.internal.hashes.HashCollisions;
import java.util.Locale;

/**
 * The shape of a Bloom filter: a layout, its bits, and the hashes of a key.
 *
 * <p>Two filters can be merged, or equal, only if their shapes are equal.
 *
 * @param layout where the bits of a key are
 * @param bits m, the length of the bit array; a multiple of the layout's {@link
 *     Layout#granularity}, at most {@link Layout#MAX_BITS}
 * @param hashes k, the bits set for each key; in the layout's range
 */
public record Shape(Layout layout, long bits, int hashes) {

  private static final double LN2 = Math.log(2);

  /** Checks the ranges. */
  public Shape {
    requireNonNull(layout, "layout");
    layout.requireHashes(hashes);
    Checks.bits(bits);
    if (bits < layout.minBits(hashes) || bits % layout.granularity(hashes) != 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "bits of layout %s with %d hashes must be a multiple of %d and at least %d, got %d",
              layout.label(),
              hashes,
              layout.granularity(hashes),
              layout.minBits(hashes),
              bits));
    }
  }

  /**
   * Returns the fpp with {@code keys} distinct keys, as the mean over the choice of hash seed.
   *
   * <p>Never too low, and too high by less than 0.5 % except with a handful of keys: exact
   * occupancy for the blocked layouts (the load of a block is binomial), the fill of the slices for
   * the partitioned one, to second order for the classic one. Includes the chance that two keys
   * share all 64 bits of hash.
   *
   * @param keys n, at least 0
   * @see <a href="https://doi.org/10.1145/1498698.1594230">Putze, Sanders, Singler 2009, Cache-,
   *     hash-, and space-efficient Bloom filters</a>
   */
  public double fpp(long keys) {
    if (Checks.atLeast("keys", keys, 0) == 0) {
      return 0;
    }
    return HashCollisions.addedTo(layout.fpp(bits, hashes, keys), (double) keys);
  }

  /**
   * Returns the most distinct keys this shape holds at {@code fpp} or better; 0 if not even one.
   *
   * @param fpp p, strictly between 0 and 1
   */
  public long keys(double fpp) {
    Checks.fpp(fpp);
    return ShapeSearch.mostKeys(this, fpp);
  }

  /** Returns the keys with which half of the bits are set, where k is optimal: m·ln 2/k. */
  public long halfFullKeys() {
    return Math.max(1, (long) (bits * LN2 / hashes));
  }

  /** Returns the expected number of set bits with {@code keys} distinct keys. */
  public double expectedSetBits(long keys) {
    Cells cells = Cells.of(this);
    return bits * -Math.expm1(keys * cells.logEmptyPerKey());
  }

  /** Returns the parts of the shape by name; filters must agree in all of them to be merged. */
  public Traits traits() {
    return Traits.of("Shape")
        .matching("layout", layout.label())
        .matching("bits", bits)
        .matching("hashes", hashes);
  }
}
