package dev.tamis.filter;

import dev.tamis.Estimate;

/**
 * How full a filter is, computed from its bits.
 *
 * @param setBits set bits
 * @param bits all bits of the filter
 * @param keys distinct keys in the filter, estimated from the set bits
 * @param expectedKeys the distinct keys it was built for
 * @param fpp the probability that a key never put is reported present, computed from the set bits
 */
public record FillState(long setBits, long bits, Estimate keys, long expectedKeys, double fpp) {

  /** Returns the share of set bits; about a half when the filter is at capacity. */
  public double fractionFilled() {
    return (double) setBits / bits;
  }
}
