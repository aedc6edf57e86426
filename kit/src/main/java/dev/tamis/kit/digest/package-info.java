/**
 * Squid's cache digests: {@link dev.tamis.kit.digest.CacheDigest}, a Bloom filter of the URLs that
 * a cache holds.
 *
 * <p>{@link dev.tamis.kit.digest.DigestFetcher} gets one from a running cache.
 */
@NullMarked
package dev.tamis.kit.digest;

import org.jspecify.annotations.NullMarked;
