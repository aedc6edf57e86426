/**
 * The filters: one file, one structure. Start with {@link dev.tamis.filter.BloomFilter}; when the
 * number of keys is unknown, {@link dev.tamis.filter.ScalableBloomFilter}.
 */
package dev.tamis.filter;
