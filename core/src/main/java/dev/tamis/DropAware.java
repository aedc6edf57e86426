package dev.tamis;

/** A filter that knows how many new keys its false positives have cost. */
public interface DropAware {

  /**
   * Returns how many new keys {@link MutableFilter#put} is expected to have wrongly reported as
   * probably present since the filter was created, read or cleared; an upper bound where keys can
   * leave.
   *
   * <p>It follows from the number of keys taken as new, by the sizing formula: while p is the fpp,
   * each of them stands for p / (1 − p) others that were not. At 1 % that comes to about 0.17 · n ·
   * p for a filter filled to its capacity. Once the filter is so far past its capacity that its fpp
   * exceeds 0.9, the keys it took do not tell how many it did not: then this is all puts that
   * returned false, an upper bound.
   */
  double expectedWrongDrops();
}
