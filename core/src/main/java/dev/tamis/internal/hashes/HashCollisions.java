package dev.tamis.internal.hashes;

/**
 * Keys that have all 64 bits of hash in common: no filter of hashes tells them apart, however
 * large.
 */
public final class HashCollisions {

  private HashCollisions() {}

  /**
   * Returns the probability that a key has the hash of one of {@code keys} others, about n/2^64:
   * the least fpp of any filter with so many keys.
   */
  public static double fpp(double keys) {
    return -Math.expm1(-Math.scalb(keys, -Long.SIZE));
  }

  /**
   * Returns the fpp for keys of any hash from that for keys whose hash is not in the filter.
   *
   * @param keys the keys in the filter, infinite if unknown
   */
  public static double addedTo(double fpp, double keys) {
    return Math.min(1, fpp + (1 - fpp) * fpp(keys));
  }
}
