package dev.tamis;

/** A filter that knows how many new keys its false positives have cost. */
public interface DropAware {

  /** The fpp above which accepted keys no longer tell how many new keys were dropped. */
  double UNKNOWN_FROM_FPP = 0.9;

  /**
   * Returns how many new keys {@link MutableFilter#put} is expected to have wrongly reported as
   * probably present since the filter was created, read or cleared; an upper bound where keys can
   * leave.
   *
   * <p>It follows from the accepted keys by the sizing formula: while p is the fpp, each of them
   * stands for p / (1 − p) dropped ones. At 1 % that comes to about 0.17 · n · p for a filter
   * filled to capacity. Above {@link #UNKNOWN_FROM_FPP} it is the estimated number of distinct keys
   * that came, less the accepted; where all bits are set or keys have left, the number of puts that
   * returned false, an upper bound.
   */
  double expectedWrongDrops();
}
