/**
 * The contracts, read first.
 *
 * <p>A {@link dev.tamis.Filter} answers whether it might hold a key; a {@link
 * dev.tamis.MutableFilter} takes keys too, and a {@link dev.tamis.RemovableFilter} lets go of them.
 * A {@link dev.tamis.hash.KeyHasher} says which bytes of a key count, a {@link
 * dev.tamis.hash.HashFunction} turns those bytes into the 64 bits that every filter works with. An
 * {@link dev.tamis.Estimate} is a number that knows how far off it may be.
 *
 * <p>The filters themselves are in {@link dev.tamis.filter}, sketches that count instead in {@link
 * dev.tamis.sketch}, the arithmetic behind their sizes in {@link dev.tamis.sizing}, their bytes in
 * {@link dev.tamis.format}. Start at {@link dev.tamis.filter.BloomFilter}.
 */
package dev.tamis;
