/**
 * The contracts, read first: what a filter can do, each capability a type of its own.
 *
 * <ul>
 *   <li>{@link dev.tamis.Filter}: query by key, false-positive probability, estimate, size, traits
 *   <li>{@link dev.tamis.HashedFilter}: query by 64-bit hash, in bulk, and by long or int without
 *       boxing
 *   <li>{@link dev.tamis.MutableFilter} and {@link dev.tamis.HashedMutableFilter}: put
 *   <li>{@link dev.tamis.RemovableFilter}: remove
 *   <li>{@link dev.tamis.Mergeable} and {@link dev.tamis.Overlapping}: merge with, and compare to,
 *       another of the same kind
 *   <li>{@link dev.tamis.DropAware}: how many keys false positives have cost
 *   <li>{@link dev.tamis.Storable}: bytes
 * </ul>
 *
 * <p>An {@link dev.tamis.Estimate} is a number with an interval; {@link dev.tamis.Traits} are a
 * filter's parameters by name. Keys are hashed by {@link dev.tamis.hash}: a {@code KeyHasher} says
 * which bytes of a key count, a {@code HashFunction} turns those bytes into the 64 bits that most
 * filters work with, a {@code BoundHasher} is the two together.
 *
 * <p>The filters themselves are in {@link dev.tamis.filter}, sketches that count instead in {@link
 * dev.tamis.sketch}, the arithmetic behind their sizes in {@link dev.tamis.sizing}, their bytes in
 * {@link dev.tamis.format}, files in {@link dev.tamis.file}, other programs' formats in {@link
 * dev.tamis.interop}. Start at {@link dev.tamis.filter.BloomFilter}.
 */
package dev.tamis;
