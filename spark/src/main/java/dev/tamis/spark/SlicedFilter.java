package dev.tamis.spark;

import java.util.Optional;

/**
 * A file of a Bloom filter that tasks have written in slices.
 *
 * @param path the file
 * @param bytes its length
 * @param keys elements that had a key, repeats included
 * @param nullKeys elements without a key, which are ignored
 * @param distinctKeys about how many distinct keys there are, from the set bits
 * @param fpp the fpp of a filter of this size with that many keys
 * @param warning that the filter is over its capacity, with the numbers; it is in the driver's log
 *     too. Empty if all is well
 */
public record SlicedFilter(
    String path,
    long bytes,
    long keys,
    long nullKeys,
    long distinctKeys,
    double fpp,
    Optional<String> warning) {}
