/**
 * Bloom filters and their relatives. Five types to start with, then a map.
 *
 * <ol>
 *   <li>{@link dev.tamis.filter.BloomFilter}, the filter to choose unless there is a reason not to
 *   <li>{@link dev.tamis.hash.KeyHasher}, which bytes of a key are hashed
 *   <li>{@link dev.tamis.MutableFilter}, what most code needs of a filter: put and query
 *   <li>{@link dev.tamis.sizing.Sizing}, keys, fpp and memory, each from the others
 *   <li>{@link dev.tamis.file.FilterFile}, filters in files
 * </ol>
 *
 * <p>This package has the contracts, each capability a type of its own: {@link dev.tamis.Filter}
 * (query), {@link dev.tamis.HashedFilter} and {@link dev.tamis.HashedMutableFilter} (by 64-bit
 * hash, in bulk), {@link dev.tamis.RemovableFilter}, {@link dev.tamis.Mergeable}, {@link
 * dev.tamis.Overlapping}, {@link dev.tamis.Storable}, {@link dev.tamis.Sized}, {@link
 * dev.tamis.DropAware}. An {@link dev.tamis.Estimate} is a number with an interval; {@link
 * dev.tamis.Traits} are a filter's parameters by name.
 *
 * <table>
 *   <caption>Packages</caption>
 *   <tr><td>{@link dev.tamis.filter}<td>the filters
 *   <tr><td>{@link dev.tamis.sketch}<td>sketches, which count instead
 *   <tr><td>{@link dev.tamis.hash}<td>hash functions and keys
 *   <tr><td>{@link dev.tamis.sizing}<td>the arithmetic behind sizes and fpp
 *   <tr><td>{@link dev.tamis.format}<td>the bytes of filters and sketches
 *   <tr><td>{@link dev.tamis.file}<td>files
 *   <tr><td>{@link dev.tamis.interop}<td>filters of other programs
 * </table>
 */
package dev.tamis;
