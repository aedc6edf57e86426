/**
 * The filters: one file, one structure.
 *
 * <p>Start with {@link dev.tamis.filter.BloomFilter}. When the number of keys is unknown, see
 * {@link dev.tamis.filter.ScalableBloomFilter}; when keys leave again, {@link
 * dev.tamis.filter.CuckooFilter} and {@link dev.tamis.filter.CountingBloomFilter}; when only the
 * recent ones matter, {@link dev.tamis.filter.WindowedBloomFilter}; when all are known beforehand,
 * {@link dev.tamis.filter.FuseFilter} and {@link dev.tamis.filter.RibbonFilter}.
 */
package dev.tamis.filter;
