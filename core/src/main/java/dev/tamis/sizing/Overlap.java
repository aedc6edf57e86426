package dev.tamis.sizing;

import dev.tamis.Estimate;

/**
 * What two filters have in common, as numbers of distinct keys.
 *
 * <p>These are counts only. There is no filter of the intersection: the AND of two filters claims
 * keys that are in neither.
 *
 * @param first keys in the first filter
 * @param second keys in the second filter
 * @param union keys in either
 * @param intersection keys in both; unbounded if a filter is too full to count
 */
public record Overlap(Estimate first, Estimate second, Estimate union, Estimate intersection) {}
