package dev.tamis.filter;

import dev.tamis.Estimate;

/**
 * How full a filter is, read off its bits.
 *
 * @param ones bits that are one
 * @param bits all bits of the filter
 * @param keys distinct keys in the filter, estimated from the ones
 * @param expectedKeys the distinct keys it was built for
 * @param fpp the probability that a key never put is reported present, from the bits as they are
 */
public record FillState(long ones, long bits, Estimate keys, long expectedKeys, double fpp) {

  /** Returns the share of bits that are one; about a half when the filter is as full as planned. */
  public double fractionFilled() {
    return (double) ones / bits;
  }

  /** Returns how many keys there are beyond the expected number, 0 if there is still room. */
  public long keysOver() {
    return Math.max(0, keys.rounded() - expectedKeys);
  }
}
