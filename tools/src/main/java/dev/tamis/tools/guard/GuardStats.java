package dev.tamis.tools.guard;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Counters of a guard, its state and its verdict.
 *
 * @param state whether it answers from its filter
 * @param total all gets
 * @param current the gets since the filter in use took over
 * @param keys keys in the filter, as far as it can distinguish them; 0 without a filter
 * @param staleKeys those of them that the store no longer has, counted since the filter was built
 *     or loaded
 * @param memoryBytes memory of the filter in use and of the one being built
 * @param expectedFpp the fpp expected from the filter's set bits; empty without a filter
 * @param rebuiltKeys keys read so far by the rebuild in progress; empty if there is none
 * @param verdict whether the filter in use saves more time than it costs
 */
public record GuardStats(
    GuardState state,
    GetStats total,
    GetStats current,
    long keys,
    long staleKeys,
    long memoryBytes,
    OptionalDouble expectedFpp,
    OptionalLong rebuiltKeys,
    GuardVerdict verdict) {

  /** Returns the measured fpp of the filter in use, to compare with {@link #expectedFpp}. */
  public OptionalDouble measuredFpp() {
    return current.measuredFpp();
  }
}
