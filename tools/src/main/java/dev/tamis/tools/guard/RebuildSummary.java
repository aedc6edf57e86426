package dev.tamis.tools.guard;

/**
 * The summary of a rebuild.
 *
 * @param keys keys that the source gave, repeats included
 * @param nanos time it took, by the guard's clock
 * @param memoryBytes memory of the new filter
 */
public record RebuildSummary(long keys, long nanos, long memoryBytes) {}
