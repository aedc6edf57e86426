package dev.tamis.spark;

import java.util.Optional;

/**
 * A filter or sketch that a job has filled, and what the job counted on the way.
 *
 * <p>Each element is counted once, however often its task was repeated.
 *
 * @param <F> the type of filter or sketch
 * @param contents the filter or sketch
 * @param keys elements that had a key, repeats included
 * @param nullKeys elements without a key, which are ignored
 * @param warning that the filter is over its capacity, with the numbers; it is in the driver's log
 *     too. Empty if all is well
 */
public record BuildResult<F>(F contents, long keys, long nullKeys, Optional<String> warning) {}
