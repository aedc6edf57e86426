/**
 * Squid's cache digests: {@link dev.tamis.tools.digest.CacheDigest}, a Bloom filter of the URLs
 * that a cache holds.
 *
 * <p>{@link dev.tamis.tools.digest.DigestFetcher} gets one from a running cache.
 */
@NullMarked
package dev.tamis.tools.digest;

import org.jspecify.annotations.NullMarked;
